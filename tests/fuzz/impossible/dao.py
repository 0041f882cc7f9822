"""Impossible positions of DAO."""

from __future__ import annotations

from typing import Any

from adamas.v1 import dao_pb2 as pb
from engines.jit import Row
from engines.registry import game
from tests.contract.play import Setting, plies, position_after, view_of
from tests.fuzz.impossible.cases import Cases

CASES = Cases("dao")
SEATS = 3


def _setting(**options: int) -> Setting:
    return Setting(game("dao"), SEATS, "test", tuple(options.items()))


def _state(row: Row) -> pb.DaoState:
    found: pb.DaoState = game("dao").codec.write_state(row)
    return found


def _view(row: Row) -> pb.DaoView:
    chosen = game("dao")
    seat = max(int(chosen.kernels.seat_to_move(row)), 0)
    found: pb.DaoView = chosen.codec.write_view(view_of(chosen, row, seat))
    return found


def state() -> pb.DaoState:
    """In the middle of a game."""
    return _state(position_after(_setting(), seed=3, moves=20))


def view() -> pb.DaoView:
    """What the seat to move knows of it."""
    return _view(position_after(_setting(), seed=3, moves=20))


def finished() -> pb.DaoView:
    """After the last move."""
    *_, (row, _) = plies(_setting(), seed=3)
    return _view(row)


def second_round() -> pb.DaoView:
    """The second round of a split."""
    rows = (row for row, _ in plies(_setting(two_round_split=1), seed=3))
    return next(found for found in map(_view, rows) if found.round == 2)


@CASES.view(view, "", "the deck has it")
def a_card_more_often_than_the_deck_has_it(message: Any) -> None:
    message.piles[0].cards.extend([message.row[0]] * 5)


@CASES.state(state, "", "the deck has it")
def a_card_twice_and_another_one_missing(message: Any) -> None:
    message.deck[0].value = (message.deck[0].value + 1) % 5


@CASES.view(view, "", "so 1 are too many")
def a_deck_with_one_card_too_many(message: Any) -> None:
    message.deck_size += 1


@CASES.state(state, "", "the deck has it")
def a_deck_with_one_card_too_few(message: Any) -> None:
    del message.deck[0]


@CASES.view(view, "deck_size", "use 0 to 57")
def a_negative_count(message: Any) -> None:
    message.deck_size = -1


@CASES.view(view, "deck_size", "use 0 to 57")
def a_huge_count(message: Any) -> None:
    message.deck_size = 2**31 - 1


@CASES.view(view, "", "is not to move; seat")
def not_the_seats_turn(message: Any) -> None:
    message.seat = (message.turn + 1) % SEATS


@CASES.view(finished, "", "the game is over")
def a_finished_game(message: Any) -> None:
    assert message.over


@CASES.view(view, "row", "is empty")
def chance_pending_as_the_row_is_to_be_refilled(message: Any) -> None:
    message.piles[0].cards.extend(message.row)
    message.ClearField("row")


@CASES.view(view, "seat", "use 0 to 2")
def a_seat_out_of_range(message: Any) -> None:
    message.seat = SEATS


@CASES.view(view, "turn", "use 0 to 2")
def a_negative_turn(message: Any) -> None:
    message.turn = -1


@CASES.state(state, "seats", "2 to 6 seats")
def a_huge_number_of_seats(message: Any) -> None:
    message.seats = 2**31 - 1


@CASES.view(view, "row[0].element", "use DAO_ELEMENT_METAL (1)")
def an_unknown_element(message: Any) -> None:
    message.row[0].element = 99


@CASES.view(view, "row[0].value", "use 0 to 4")
def a_value_that_no_card_has(message: Any) -> None:
    message.row[0].value = -2


@CASES.view(view, "options.tie_break", "use one of DAO_TIE_BREAK_MOST_CARDS")
def an_unknown_option_value(message: Any) -> None:
    message.options.tie_break = 77


@CASES.view(view, "row", "at most 60")
def a_list_of_thousands_of_cards(message: Any) -> None:
    message.row.extend([message.row[0]] * 5000)


@CASES.state(state, "deck", "use 0 to 57")
def a_deck_of_thousands_of_cards(message: Any) -> None:
    message.deck.extend([message.deck[0]] * 5000)


@CASES.view(view, "piles", "give one a seat")
def a_pile_too_many(message: Any) -> None:
    message.piles.add()


@CASES.view(view, "round", "this game has 1 round")
def a_round_that_is_not_played(message: Any) -> None:
    message.round = 2


@CASES.view(second_round, "first_half", "it has 30")
def a_first_half_that_lacks_a_card(message: Any) -> None:
    del message.first_half[0]


@CASES.view(second_round, "first_round[1].score", "half a deck gives")
def a_score_that_half_a_deck_can_not_give(message: Any) -> None:
    message.first_round[1].score = 10**9
