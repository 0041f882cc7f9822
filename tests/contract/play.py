"""Random play of any game, for tests that hold for all games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from google.protobuf.message import Message

from engines.contract import GAME_OVER, Game
from engines.events import NO_LOG, new_log
from engines.jit import Rng, Row
from engines.options import BoolOption, ChoiceOption, IntOption, NameOption, OptionSpec
from engines.registry import games, options_message
from engines.rng import below, generator


@dataclass(frozen=True)
class Setting:
    """A game with options for a number of seats."""

    game: Game
    seats: int
    label: str
    values: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        """Readable in a test's name."""
        return f"{self.game.game_id}-{self.seats}-{self.label}"

    def options(self) -> Message:
        """The options message."""
        message = options_message(self.game.game_id)
        for spec in self.game.options:
            for name, value in self.values:
                if name == spec.name:
                    spec.write(value, message)
        return message

    def deal(self, seed: int) -> Row:
        """A new game."""
        return self.game.codec.new_game(self.options(), self.seats, seed, new_log())


def other_values(spec: OptionSpec, seats: int) -> list[int]:
    """Values of an option that differ from its default: all of a choice, the bounds of a number."""
    if isinstance(spec, BoolOption):
        values = [0, 1]
    elif isinstance(spec, ChoiceOption):
        values = list(spec.choices)
    elif isinstance(spec, IntOption):
        values = [spec.min_value, spec.max_value]
    elif isinstance(spec, NameOption):
        values = list(range(len(spec.names)))
    else:
        raise TypeError(type(spec))
    return [value for value in values if value != spec.default(seats)]


def variants() -> list[Setting]:
    """Every variant of every game at every number of seats."""
    return [
        Setting(game, seats, variant.variant_id, tuple(variant.values.items()))
        for game in games().values()
        for variant in game.variants
        for seats in variant.seats
    ]


def settings() -> list[Setting]:
    """All variants, and every other value of every option at the fewest and the most seats."""
    return variants() + [
        Setting(game, seats, f"{spec.name}={value}", ((spec.name, value),))
        for game in games().values()
        for spec in game.options
        for seats in _fewest_and_most(game, spec)
        for value in other_values(spec, seats)
    ]


def _fewest_and_most(game: Game, spec: OptionSpec) -> list[int]:
    allowed = spec.seats or (game.min_seats, game.max_seats)
    return sorted({min(allowed), max(allowed)})


def legal_moves(game: Game, row: Row) -> list[int]:
    """The legal moves of the seat to move."""
    return game.legal_moves(row)


def random_move(game: Game, row: Row, rng: Rng) -> int:
    """A random legal move, now and then the informed policy's."""
    if below(rng, 3) == 0:
        return int(game.kernels.policy_move(row, rng))
    moves = legal_moves(game, row)
    return moves[below(rng, len(moves))]


def plies(setting: Setting, seed: int) -> Iterator[tuple[Row, int]]:
    """Plays a random game; yields each position and the move about to be played.

    The final position comes last, with the move -1.
    """
    kernels = setting.game.kernels
    row = setting.deal(seed)
    rng = generator(seed, 77)
    while kernels.seat_to_move(row) != GAME_OVER:
        move = random_move(setting.game, row, rng)
        yield row.copy(), move
        kernels.apply_move(row, move, NO_LOG)
    yield row.copy(), -1


def position_after(setting: Setting, seed: int, moves: int) -> Row:
    """The position after so many random moves, or the last one before the end."""
    found = setting.deal(seed)
    for ply, (row, move) in enumerate(plies(setting, seed)):
        if move < 0 or ply > moves:
            break
        found = row
    return found


def view_of(game: Game, row: Row, seat: int) -> Row:
    """What a seat knows."""
    view = game.new_view()
    game.kernels.project(row, seat, view)
    return view


def without_transients(game: Game, row: Row) -> bytes:
    """The row with its transient fields set to zero."""
    copy = row.copy()
    record = copy.view(game.state)[0]
    for name in game.transient_fields:
        record[name] = 0
    return copy.tobytes()
