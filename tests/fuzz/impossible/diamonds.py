"""Impossible positions of Diamonds."""

from __future__ import annotations

from typing import Any

from adamas.v1 import diamonds_pb2 as pb
from engines.registry import game
from tests.contract.play import Setting, plies, position_after, view_of
from tests.engines.diamonds.positions import card, position
from tests.examples.referee import EngineReferee
from tests.fuzz.impossible.cases import Cases

CASES = Cases("diamonds")
_REFEREE = EngineReferee()
_SEATS = 3


def state() -> pb.DiamondsState:
    """Seat 1, which did not follow diamonds in trick 3, is to follow a spade of seat 0."""
    return position(
        _SEATS,
        plan="S1, C2, D0 1H, S2",
        unplayed=2,
        hands={0: "H12 S15 ..."},
        crystals={0: "2/9"},
    )


def view() -> pb.DiamondsView:
    """What seat 1 knows of it."""
    found: pb.DiamondsView = _REFEREE.view(state(), 1)
    return found


def finished() -> pb.DiamondsView:
    """After the last round."""
    chosen = game("diamonds")
    *_, (row, _) = plies(Setting(chosen, _SEATS, "standard"), seed=3)
    found: pb.DiamondsView = chosen.codec.write_view(view_of(chosen, row, 0))
    return found


def passing() -> pb.DiamondsState:
    """The first of three seats has chosen what it passes."""
    chosen = game("diamonds")
    row = position_after(Setting(chosen, _SEATS, "standard"), seed=3, moves=2)
    found: pb.DiamondsState = chosen.codec.write_state(row)
    assert found.phase == pb.DIAMONDS_PHASE_PASS
    return found


@CASES.view(view, "hand[1]", "is also in the hand; a card has one place")
def a_card_twice_in_a_hand(message: Any) -> None:
    message.hand[1].CopyFrom(message.hand[0])


@CASES.view(view, "hand[0]", "is also in trick 1")
def a_card_in_a_hand_that_has_been_played(message: Any) -> None:
    message.hand[0].CopyFrom(message.tricks[0].cards[0])


@CASES.state(state, "hands[2].cards[0]", "is also in seat 0's hand")
def a_card_in_two_hands(message: Any) -> None:
    message.hands[2].cards[0].CopyFrom(message.hands[0].cards[0])


@CASES.view(view, "hand", "are left")
def a_hand_with_a_card_too_few(message: Any) -> None:
    del message.hand[0]


@CASES.state(state, "hands[0].cards", "are left")
def a_hand_with_a_card_too_many(message: Any) -> None:
    message.hands[0].cards.append(message.hands[1].cards[0])


@CASES.view(view, "hand[0]", "it did not follow Diamonds in trick 3")
def a_hand_with_a_suit_that_the_seat_was_void_in(message: Any) -> None:
    message.hand[0].CopyFrom(card("D14"))


@CASES.state(state, "hands[1].cards[0]", "it did not follow Diamonds in trick 3")
def another_hand_with_a_suit_that_the_seat_was_void_in(message: Any) -> None:
    own, other = message.hands[1].cards[0], message.hands[0].cards
    diamond = next(i for i, held in enumerate(other) if held.suit == pb.DIAMONDS_SUIT_DIAMONDS)
    given = pb.DiamondsCard(suit=own.suit, rank=own.rank)
    own.CopyFrom(other[diamond])
    other[diamond].CopyFrom(given)


@CASES.view(view, "tricks[3].cards[1]", "it did not follow Diamonds in trick 3")
def a_trick_with_a_suit_that_the_seat_was_void_in(message: Any) -> None:
    message.tricks[3].cards.append(card("D14"))
    message.turn = 2


@CASES.view(view, "turn", "it is seat 1's turn")
def not_the_seats_turn_by_the_tricks(message: Any) -> None:
    message.turn = 2


@CASES.view(lambda: _REFEREE.view(state(), 0), "", "seat 0 is not to move; seat 1 is")
def not_the_viewing_seats_turn(message: Any) -> None:
    assert message.turn == 1


@CASES.view(finished, "", "the game is over")
def a_finished_game(message: Any) -> None:
    assert message.phase == pb.DIAMONDS_PHASE_OVER


@CASES.view(finished, "phase", "all cards are played")
def chance_pending_as_the_next_round_is_to_be_dealt(message: Any) -> None:
    message.phase = pb.DIAMONDS_PHASE_PLAY


@CASES.state(passing, "phase", "all have chosen")
def a_passing_phase_in_which_all_have_chosen(message: Any) -> None:
    for seat in range(_SEATS):
        message.passed[seat].ClearField("cards")
        message.passed[seat].cards.extend(message.hands[seat].cards[: message.pass_count])


@CASES.view(view, "seat", "use 0 to 2")
def a_seat_out_of_range(message: Any) -> None:
    message.seat = -1


@CASES.view(view, "tricks[0].leader", "seat 0 leads")
def a_leader_out_of_range(message: Any) -> None:
    message.tricks[0].leader = 2**31 - 1


@CASES.view(view, "vaults[0]", "use 0 to")
def a_negative_vault(message: Any) -> None:
    message.vaults[0] = -1


@CASES.view(view, "showrooms[2]", "use 0 to")
def a_huge_showroom(message: Any) -> None:
    message.showrooms[2] = 2**31 - 1


@CASES.view(view, "supply_left", "with an unlimited supply")
def a_supply_that_is_left_of_an_unlimited_one(message: Any) -> None:
    message.supply_left = 5


@CASES.view(view, "phase", "use DIAMONDS_PHASE_PASS_COUNT (1)")
def an_unknown_phase(message: Any) -> None:
    message.phase = -7


@CASES.view(view, "hand[2].suit", "use DIAMONDS_SUIT_DIAMONDS (1)")
def an_unknown_suit(message: Any) -> None:
    message.hand[2].suit = 5


@CASES.view(view, "hand[2].rank", "this deck has 1 to 15")
def a_rank_that_no_card_has(message: Any) -> None:
    message.hand[2].rank = 16


@CASES.view(view, "hand", "are left")
def a_hand_of_thousands_of_cards(message: Any) -> None:
    message.hand.extend([message.hand[0]] * 5000)


@CASES.view(view, "tricks", "a round has 10")
def thousands_of_tricks(message: Any) -> None:
    message.tricks.extend([message.tricks[0]] * 2000)


@CASES.view(view, "tricks[0].cards", "every trick but the last has 3")
def a_trick_of_thousands_of_cards(message: Any) -> None:
    message.tricks[0].cards.extend([card("D14")] * 5000)
