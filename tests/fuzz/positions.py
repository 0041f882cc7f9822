"""Positions of random games, with every variant and with options set at random."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

from adamas.v1 import game_pb2
from engines.contract import Game
from engines.options import IntOption
from engines.registry import game
from engines.violations import Report
from server.requests.messages import State
from tests.contract.play import Setting, other_values, plies, settings

GAMES = 16
"""Random games whose positions make up one pool."""
_KEPT_OF_A_GAME = 24


@dataclass(frozen=True)
class Position:
    """A state, and its messages, which are written once."""

    state: State

    @cached_property
    def message(self) -> game_pb2.GameState:
        """The full state."""
        return self.state.message()

    @cached_property
    def views(self) -> tuple[game_pb2.PlayerView, ...]:
        """What each seat knows."""
        return tuple(self.state.view_of(seat).message() for seat in range(self.state.seats))


@cache
def pool(game_id: str, seed: int) -> tuple[Position, ...]:
    """Positions from the first to the last of a few random games; the same for the same seed."""
    pick = Random(f"positions {game_id} {seed}")
    found: list[Position] = []
    for _ in range(GAMES):
        setting = _random_setting(game(game_id), pick)
        rows = [row for row, _ in plies(setting, pick.getrandbits(60))]
        inner = pick.sample(rows[1:-1], min(_KEPT_OF_A_GAME, len(rows) - 2))
        for row in (rows[0], *inner, rows[-1]):
            found.append(Position(State(setting.game, row)))
    return tuple(found)


@cache
def _listed_settings(game_id: str) -> tuple[Setting, ...]:
    return tuple(setting for setting in settings() if setting.game.game_id == game_id)


def _random_setting(chosen: Game, pick: Random) -> Setting:
    """A variant, one option changed, or a mix of any options."""
    if pick.random() < 0.5:
        return pick.choice(_listed_settings(chosen.game_id))
    seats = pick.randint(chosen.min_seats, chosen.max_seats)
    values: list[tuple[str, int]] = []
    for spec in chosen.options:
        others = other_values(spec, seats)
        if isinstance(spec, IntOption):
            others.append(pick.randint(spec.min_value, spec.max_value))
        if others and pick.random() < 0.4:
            tried = [*values, (spec.name, pick.choice(others))]
            if _allowed(Setting(chosen, seats, "mixed", tuple(tried))):
                values = tried
    return Setting(chosen, seats, "mixed", tuple(values))


def _allowed(setting: Setting) -> bool:
    report = Report()
    setting.game.codec.read_options(setting.options(), setting.seats, "", report)
    return not report.violations
