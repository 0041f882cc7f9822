"""Impossible positions of Diam's."""

from __future__ import annotations

from typing import Any

from adamas.v1 import diams_pb2 as pb
from engines.registry import game
from tests.contract.play import Setting, plies, view_of
from tests.engines.diams.positions import (
    card,
    diamond,
    drill,
    look_for,
    offer,
    position,
    sale,
)
from tests.examples.referee import EngineReferee, play
from tests.fuzz.impossible.cases import Cases

CASES = Cases("diams")
_REFEREE = EngineReferee()


def state() -> pb.DiamsState:
    """Seat 0 is to play; seat 1 has a safe."""
    return position(["7 7 7p 1 X1", "2 5 6"], safes=["", "8 8 8p"], on_market="3 4", pile="9 10 C")


def view() -> pb.DiamsView:
    """What seat 0 knows of it."""
    found: pb.DiamsView = _REFEREE.view(state(), 0)
    return found


def after_drill() -> pb.DiamsState:
    """Seat 0 has looked in vain for a 9 in the safe of seat 1, which is to draw."""
    found: pb.DiamsState = _REFEREE.apply(_REFEREE.apply(state(), drill(1)), look_for("9"))
    return found


def drilled() -> pb.DiamsView:
    """What seat 0 knows then. Only of kind 8 are three cards unseen, so these are in the safe."""
    found: pb.DiamsView = _REFEREE.view(after_drill(), 0)
    return found


def drilled_itself() -> pb.DiamsView:
    """What seat 1 knows then."""
    found: pb.DiamsView = _REFEREE.view(after_drill(), 1)
    return found


def sold_nothing() -> pb.DiamsView:
    """What seat 1 knows after a forced sale in which it had no 1."""
    moves = sale("X1", 1), offer("1")
    found: pb.DiamsView = _REFEREE.view(play(_REFEREE, state(), moves), 1)
    return found


def looked_for_an_8(message: Any) -> None:
    """The drill that found nothing was for a diamond that the safe has."""
    (named,) = (event for event in message.history if event.HasField("drill_named"))
    named.drill_named.diamond.CopyFrom(diamond("8"))


def finished() -> pb.DiamsView:
    """After the last round."""
    chosen = game("diams")
    *_, (row, _) = plies(Setting(chosen, 2, "quick", (("rounds", pb.DIAMS_ROUNDS_QUICK),)), seed=3)
    found: pb.DiamsView = chosen.codec.write_view(view_of(chosen, row, 0))
    return found


@CASES.view(view, "", "the pile has")
def a_card_more_often_than_the_pile_has_it(message: Any) -> None:
    message.hand[0].CopyFrom(card("3"))
    message.hand[1].CopyFrom(card("3"))
    message.hand[2].CopyFrom(card("3"))
    message.hand[3].CopyFrom(card("3"))


@CASES.state(state, "", "the pile has")
def a_special_card_twice(message: Any) -> None:
    message.hands[1].cards[0].CopyFrom(card("X1"))


@CASES.view(view, "hand_sizes[1]", "by the history it has 3")
def a_hand_that_is_larger_than_the_history_says(message: Any) -> None:
    message.hand_sizes[1] = 4


@CASES.view(view, "hand_sizes[0]", "the view shows 4 cards")
def a_hand_with_fewer_cards_than_its_size(message: Any) -> None:
    del message.hand[0]


@CASES.view(view, "", "so 1 too many")
def a_pile_with_a_card_too_many(message: Any) -> None:
    message.deck_size += 1


@CASES.state(state, "", "the pile has")
def a_pile_with_a_card_too_few(message: Any) -> None:
    del message.deck[0]


@CASES.view(drilled, "history", "can't have happened")
def a_safe_with_a_card_that_was_looked_for_and_not_found(message: Any) -> None:
    looked_for_an_8(message)


@CASES.view(drilled_itself, "history", "a drill found no 8 in the safe of seat 1, but it was there")
def the_own_safe_with_a_card_that_was_looked_for_and_not_found(message: Any) -> None:
    looked_for_an_8(message)


@CASES.state(after_drill, "history", "can't have happened", seat=1)
def any_safe_with_a_card_that_was_looked_for_and_not_found(message: Any) -> None:
    looked_for_an_8(message)


@CASES.view(drilled_itself, "history", "seat 1 put 3 diamonds away, but those in its safe are no")
def the_own_safe_without_a_set_of_three(message: Any) -> None:
    message.safe[0].CopyFrom(diamond("9"))


@CASES.view(sold_nothing, "history", "9 is in the hand of seat 1, but it can't be by then")
def the_own_hand_with_a_card_that_it_would_have_had_to_sell(message: Any) -> None:
    for event in message.history:
        if event.HasField("card_offered"):
            event.card_offered.diamond.CopyFrom(diamond("9"))
    message.hand[0].CopyFrom(card("9"))


@CASES.view(drilled, "removed", "by the history it left the game 1 times")
def a_card_that_was_played_and_is_not_out_of_the_game(message: Any) -> None:
    for gone in message.removed:
        if gone == card("X1"):
            gone.CopyFrom(card("9"))


@CASES.view(view, "", "seat 1 is not to move; seat 0 is")
def not_the_seats_turn(message: Any) -> None:
    message.CopyFrom(_REFEREE.view(state(), 1))


@CASES.view(finished, "", "the game is over")
def a_finished_game(message: Any) -> None:
    assert message.phase == pb.DIAMS_PHASE_OVER


@CASES.view(finished, "phase", "the closing card is out")
def chance_pending_as_no_card_is_left_to_draw(message: Any) -> None:
    message.phase = pb.DIAMS_PHASE_DRAW


@CASES.view(view, "seat", "use 0 to 1")
def a_seat_out_of_range(message: Any) -> None:
    message.seat = 2


@CASES.view(view, "history[0].card_drawn.seat", "use 0 to 1")
def an_event_of_a_seat_out_of_range(message: Any) -> None:
    message.history[0].card_drawn.seat = -5


@CASES.view(view, "deck_size", "use 1 to")
def a_negative_count(message: Any) -> None:
    message.deck_size = -1


@CASES.view(view, "hand_sizes[1]", "use 0 to")
def a_huge_count(message: Any) -> None:
    message.hand_sizes[1] = 2**31 - 1


@CASES.view(view, "phase", "use DIAMS_PHASE_DRAW (1)")
def an_unknown_phase(message: Any) -> None:
    message.phase = 99


@CASES.view(view, "hand[4].special", "use DIAMS_SPECIAL_DRILL (1)")
def an_unknown_special_card(message: Any) -> None:
    message.hand[4].special = 7


@CASES.view(view, "market[0].kind", "use 1 to 10")
def a_kind_that_no_diamond_has(message: Any) -> None:
    message.market[0].kind = 11


@CASES.view(view, "options.data_set", 'is "nowhere"; use one of standard')
def an_unknown_data_set(message: Any) -> None:
    message.options.data_set = "nowhere"


@CASES.view(view, "market", "cards")
def a_market_of_thousands_of_cards(message: Any) -> None:
    message.market.extend([message.market[0]] * 5000)


@CASES.view(view, "history", "events")
def a_history_of_thousands_of_events(message: Any) -> None:
    message.history.extend([message.history[0]] * 20_000)
