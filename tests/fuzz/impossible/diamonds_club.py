"""Impossible positions of Diamonds Club."""

from __future__ import annotations

from typing import Any

from adamas.v1 import diamonds_club_pb2 as pb
from engines.registry import game
from tests.contract.play import Setting, plies, view_of
from tests.examples.diamonds_club import BUILD, EXCHANGE, PAYMENT, player, position
from tests.examples.referee import EngineReferee
from tests.fuzz.impossible.cases import Cases

CASES = Cases("diamonds_club")
_REFEREE = EngineReferee()


def state() -> pb.DiamondsClubState:
    """Three seats are in the market, seat 0 is to move."""
    return position(player("Mr R5", coins=5), player(coins=5), player(coins=5))


def view() -> pb.DiamondsClubView:
    """What seat 0 knows of it."""
    found: pb.DiamondsClubView = _REFEREE.view(state(), 0)
    return found


def cycling() -> pb.DiamondsClubState:
    """A game in which the piles of strips are drawn through."""
    found = position(
        player(coins=5),
        player(coins=5),
        options={"strip_refresh": pb.DIAMONDS_CLUB_STRIP_REFRESH_CYCLE},
    )
    found.table.drawn_dark.extend([1, 2, 3])
    found.table.drawn_light.extend([1, 2])
    return found


def building() -> pb.DiamondsClubState:
    """Seat 0 is to build."""
    return position(player(), player(), phase=BUILD)


def finished() -> pb.DiamondsClubView:
    """After the last round."""
    chosen = game("diamonds_club")
    *_, (row, _) = plies(Setting(chosen, 2, "short", (("max_rounds", 1),)), seed=3)
    found: pb.DiamondsClubView = chosen.codec.write_view(view_of(chosen, row, 0))
    return found


@CASES.view(view, "table.market[1].strip", "lies in another column already")
def a_strip_twice(message: Any) -> None:
    message.table.market[1].strip = message.table.market[0].strip


@CASES.state(cycling, "table.drawn_dark", "lacks strip 2; list those in the market")
def a_strip_in_the_market_and_in_the_pile(message: Any) -> None:
    message.table.drawn_dark.remove(2)


@CASES.view(view, "table.bonuses[1].card", "list each card once")
def a_bonus_card_twice(message: Any) -> None:
    for seat in (0, 1):
        message.table.bonuses.add(card=pb.DIAMONDS_CLUB_BONUS_CARD_THREE_FOUNTAINS, seat=seat)


@CASES.view(view, "table.players", "blue gems together; the box holds")
def more_gems_than_the_box_holds(message: Any) -> None:
    for seat in range(3):
        message.table.players[seat].gems.blue = 15


@CASES.view(view, "table.stacks", "the parks leave")
def wrong_counts_of_the_stacks(message: Any) -> None:
    message.table.stacks.fountains -= 1


@CASES.view(view, "table.players", "one a seat")
def a_board_too_few(message: Any) -> None:
    del message.table.players[2]


@CASES.view(view, "", "seat 1 is not to move; seat 0 is")
def not_the_seats_turn(message: Any) -> None:
    message.seat = 1


@CASES.view(view, "table.players[0].out", "but the seat is to move")
def a_seat_to_move_that_is_out(message: Any) -> None:
    message.table.players[0].out = True


@CASES.view(finished, "", "the game is over")
def a_finished_game(message: Any) -> None:
    assert message.table.phase == pb.DIAMONDS_CLUB_PHASE_OVER


@CASES.view(view, "table.phase", "can form no set")
def chance_pending_as_nobody_has_a_set_to_exchange(message: Any) -> None:
    message.table.phase = EXCHANGE


@CASES.state(building, "table.purchase", "is missing; the phase is PAYMENT")
def a_payment_for_nothing(message: Any) -> None:
    message.table.phase = PAYMENT


@CASES.state(building, "table.purchase", "can't be bought by seat 0")
def a_payment_that_the_seat_has_no_gems_for(message: Any) -> None:
    message.table.phase = PAYMENT
    message.table.purchase.chart = pb.DIAMONDS_CLUB_CHART_FOUNTAIN


@CASES.view(view, "seat", "use 0 to 2")
def a_seat_out_of_range(message: Any) -> None:
    message.seat = 3


@CASES.view(view, "table.turn", "use 0 to 2")
def a_negative_turn(message: Any) -> None:
    message.table.turn = -1


@CASES.view(view, "table.players[1].coins", "use 0 to 99")
def negative_coins(message: Any) -> None:
    message.table.players[1].coins = -1


@CASES.view(view, "table.start_track[0].position", "use 0 to 999")
def a_huge_position(message: Any) -> None:
    message.table.start_track[0].position = 2**31 - 1


@CASES.view(view, "table.start_track[1].seat", "give one a seat")
def two_markers_of_one_seat(message: Any) -> None:
    message.table.start_track[1].seat = message.table.start_track[0].seat


@CASES.view(view, "table.phase", "use DIAMONDS_CLUB_PHASE_MARKET (1)")
def an_unknown_phase(message: Any) -> None:
    message.table.phase = 42


@CASES.view(view, "table.players[0].mines[0]", "use DIAMONDS_CLUB_COLOR_BLUE (1)")
def an_unknown_color(message: Any) -> None:
    message.table.players[0].mines[0] = 9


@CASES.view(view, "options.data_prices", "use one of standard")
def an_unknown_data_set(message: Any) -> None:
    message.options.data_prices = "x" * 10_000


@CASES.view(view, "table.players[0].rights", "one a tile")
def thousands_of_tiles(message: Any) -> None:
    message.table.players[0].rights.extend([5] * 20_000)


@CASES.view(view, "table.market", "two columns a seat")
def thousands_of_columns(message: Any) -> None:
    message.table.market.extend([message.table.market[0]] * 2000)
