"""View builders, checked against the referee's views over whole games."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.message import Message

from adamas.views import ViewBuilder, view_builder
from engines.contract import GAME_OVER
from engines.events import new_log
from engines.jit import Row
from engines.rng import generator
from tests.contract.play import Setting, random_move, settings, variants, view_of

_SORTED = {
    "DaoPile": ("cards",),
    "DaoView": ("first_half",),
    "DiamondsView": ("hand", "passed", "received"),
    "DiamsView": ("market", "removed", "hand", "safe"),
    "DiamsSafe": ("diamonds",),
    "DiamondsClubTable": ("bonuses",),
    "DiamondsClubPlayer": ("mines", "rights", "ships", "charts"),
}
"""Fields whose entries may stand in any order."""


def plain(value: Any) -> Any:
    """A message as plain values, with whatever may stand in any order sorted."""
    if not isinstance(value, Message):
        return value
    found = {}
    name = value.DESCRIPTOR.name
    for field, content in value.ListFields():
        if field.name == "options":
            continue  # the referee fills in the defaults
        if name == "DiamondsView" and field.name == "turn":
            continue  # means nothing while passing; else it is the seat
        entries = [plain(entry) for entry in content] if field.is_repeated else plain(content)
        if field.name in _SORTED.get(name, ()):
            entries = sorted(entries, key=repr)
        found[field.name] = entries
    return found


class Seat:
    """A seat that keeps its view by a builder, and what the referee would tell it."""

    def __init__(self, setting: Setting, seat: int) -> None:
        self.game = setting.game
        self.seat = seat
        self.builder: ViewBuilder[Any, Any, Any] = view_builder(
            setting.options(), setting.seats, seat
        )

    def referee(self, row: Row) -> Any:
        """The referee's view."""
        return self.game.codec.write_view(view_of(self.game, row, self.seat))

    def tell(self, events: list[Any], before: Row, after: Row) -> None:
        """Events, and what the seat alone sees of them."""
        for event in events:
            self.builder.tell(event)
            kind = event.WhichOneof("event")
            body = getattr(event, kind)
            if kind == "round_started" and self.game.game_id in ("diamonds", "diams"):
                self.builder.deal(self.referee(after).hand)
            elif kind == "cards_passed" and body.receiver == self.seat:
                for card in self.referee(after).received:
                    self.builder.draw(card)
            elif kind == "card_drawn" and body.seat == self.seat:
                gained = list(self.referee(after).hand)
                for card in self.referee(before).hand:
                    gained.remove(card)
                self.builder.draw(gained[0])


def check_game(setting: Setting, seed: int) -> None:
    """Plays a game; every seat that is to move has the referee's view."""
    game = setting.game
    log = new_log()
    row = game.codec.new_game(setting.options(), setting.seats, seed, log)
    seats = [Seat(setting, seat) for seat in range(setting.seats)]
    rng = generator(seed, 77)
    events = list(game.codec.write_events(row, row, log))
    for seat in seats:
        seat.tell(events, row, row)
    while (turn := int(game.kernels.seat_to_move(row))) != GAME_OVER:
        own = seats[turn]
        assert plain(own.builder.view()) == plain(own.referee(row))
        move = random_move(game, row, rng)
        own.builder.play(game.codec.write_move(row, move))
        after, log = row.copy(), new_log()
        game.kernels.apply_move(after, move, log)
        events = list(game.codec.write_events(row, after, log))
        for seat in seats:
            seat.tell(events, row, after)
        row = after


SMALLEST = {
    (setting.game.game_id, setting.label): setting for setting in reversed(variants())
}.values()
"""Each variant, for the fewest seats."""


@pytest.mark.parametrize("setting", SMALLEST, ids=str)
def test_a_builder_has_the_views_of_the_referee(setting: Setting) -> None:
    check_game(setting, seed=setting.seats)


@pytest.mark.slow
@pytest.mark.parametrize("setting", settings(), ids=str)
def test_a_builder_has_the_views_of_the_referee_with_every_option(setting: Setting) -> None:
    for seed in range(3):
        check_game(setting, seed)
