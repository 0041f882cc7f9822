"""Each option of Diamonds Club does what section 7 says."""

from __future__ import annotations

from typing import Any

import pytest

from adamas.v1 import diamonds_club_pb2 as pb
from engines.diamonds_club.rules.options import OPTIONS
from engines.options import read_options
from engines.violations import Report
from tests.examples.diamonds_club import (
    BUILD,
    FOREST,
    FOUNTAIN,
    JOKER,
    MARKET,
    ORANGERY,
    OVER,
    PASS,
    PAVILION,
    RICH,
    build_and_pay,
    builds,
    buy,
    column,
    gem_counts,
    player,
    position,
    purchases,
)
from tests.examples.referee import EngineReferee, play

REFEREE = EngineReferee()
ALL = (True, True, True)


def diamonds(state: Any) -> list[int]:
    return [gem_counts(state, seat)[4] for seat in range(state.seats)]


def test_build_order_all_at_once_lets_a_seat_build_on() -> None:
    boards = [player(gems=RICH), player(gems=RICH)]
    together = {"build_order": pb.DIAMONDS_CLUB_BUILD_ORDER_ALL_AT_ONCE}
    state = position(*boards, phase=BUILD, turn=1, options=together)
    state = build_and_pay(REFEREE, state, FOUNTAIN)
    assert state.table.turn == 1
    assert REFEREE.apply(state, PASS).table.turn == 0
    by_turns = position(*boards, phase=BUILD, turn=1)
    assert build_and_pay(REFEREE, by_turns, FOUNTAIN).table.turn == 0


@pytest.mark.parametrize(("minimum", "given"), [(0, [1, 2]), (1, [0, 1])])
def test_savings_diamond_may_need_coins(minimum: int, given: list[int]) -> None:
    state = position(player(), player(out=True), options={"savings_diamond_min_coins": minimum})
    assert diamonds(REFEREE.apply(state, PASS)) == given


def nearly_full(**fields: Any) -> pb.DiamondsClubPlayer:
    """The red board with its 11 free light spaces and two pictures covered."""
    board = {"forests": 6, "covered": (True, True, False), **fields}
    return player(buildings=(2, 2, 0, 2), animals=(1, 0, 0), **board)


def test_dark_spaces_may_be_used_before_the_pictures_are_covered() -> None:
    anytime = {"dark_spaces": pb.DIAMONDS_CLUB_DARK_SPACES_ANYTIME}
    state = position(nearly_full(gems=RICH), player(), phase=BUILD, options=anytime)
    assert (FOREST, FOREST) in builds(REFEREE, state)
    after = build_and_pay(REFEREE, state, FOREST)
    assert after.table.players[0].dark_tiles == 1
    full_of_dark = position(
        nearly_full(gems=RICH, dark_tiles=5, forests=11), player(), phase=BUILD, options=anytime
    )
    assert builds(REFEREE, full_of_dark) == {(PAVILION, PAVILION), (JOKER, PAVILION)}


def test_any_building_may_cover_a_picture() -> None:
    anything = {"printed_any_building": True}
    board = player(gems=RICH, buildings=(1, 0, 0, 0), covered=(True, False, False))
    state = position(board, player(), phase=BUILD, options=anything)
    after = build_and_pay(REFEREE, state, FOUNTAIN)
    assert list(after.table.players[0].printed_covered) == [True, True, False]
    own_first = build_and_pay(REFEREE, state, PAVILION)
    assert list(own_first.table.players[0].printed_covered) == [True, False, True]


@pytest.mark.parametrize(("surcharge", "spent"), [(0, 4), (1, 5), (2, 6)])
def test_surcharge_for_each_marker(surcharge: int, spent: int) -> None:
    boards = [player(gems=RICH), player(gems=RICH)]
    state = position(*boards, phase=BUILD, turn=1, options={"surcharge_per_marker": surcharge})
    state = build_and_pay(REFEREE, state, FOUNTAIN)
    state = build_and_pay(REFEREE, state, FOUNTAIN)
    assert sum(gem_counts(state, 0)) == sum(RICH.values()) - spent


def test_start_gems_by_kind() -> None:
    options = pb.DiamondsClubOptions(start_gems_blue=0, start_gems_red=3, start_gems_diamonds=2)
    state = REFEREE.start(options, 3, 1)
    assert [gem_counts(state, seat) for seat in range(3)] == [(0, 1, 1, 3, 2)] * 3


def market_strips(state: Any) -> list[set[int]]:
    """The dark and the light strips in the market."""
    strips = [column.strip for column in state.table.market]
    return [set(strips[: state.seats]), set(strips[state.seats :])]


def rounds(options: pb.DiamondsClubOptions, seats: int, number: int) -> list[list[set[int]]]:
    """The strips of the first rounds of a game in which everybody passes."""
    state = REFEREE.start(options, seats, 3)
    found = []
    for _ in range(number):
        found.append(market_strips(state))
        this_round = state.table.round
        while state.table.round == this_round:
            state = REFEREE.apply(state, PASS)
    return found


CYCLE = pb.DiamondsClubOptions(strip_refresh=pb.DIAMONDS_CLUB_STRIP_REFRESH_CYCLE)


def test_cycle_draws_the_piles_through() -> None:
    for first, second, third in (tuple(r[s] for r in rounds(CYCLE, 2, 3)) for s in (0, 1)):
        assert sorted([*first, *second, *third]) == [1, 2, 3, 4, 5, 6]


def test_cycle_starts_with_the_rest_of_the_pile_and_reshuffles_the_others() -> None:
    """Four seats: four strips, then the two that are left and two of the first four."""
    for first, second in (tuple(r[s] for r in rounds(CYCLE, 4, 2)) for s in (0, 1)):
        assert {1, 2, 3, 4, 5, 6} - first < second
        assert len(first & second) == 2


def test_second_bonus_may_be_for_another_seat_only() -> None:
    card = pb.DIAMONDS_CLUB_BONUS_CARD_FIRST_ALL_FOUR
    nearly = player(buildings=(1, 2, 2, 2), covered=ALL, gems=RICH)
    state = position(
        nearly,
        player(),
        phase=BUILD,
        bonuses=[pb.DiamondsClubBonus(card=card, seat=0)],
        options={"second_bonus_same_player": False},
    )
    after = build_and_pay(REFEREE, state, FOUNTAIN)
    assert [bonus.card for bonus in after.table.bonuses] == [card]


def test_the_second_five_of_a_kind_needs_another_kind() -> None:
    first = pb.DIAMONDS_CLUB_BONUS_CARD_FIRST_FIVE
    second = pb.DIAMONDS_CLUB_BONUS_CARD_SECOND_FIVE
    others = [
        pb.DiamondsClubBonus(card=pb.DiamondsClubBonusCard.ValueType(number), seat=0)
        for number in (FOUNTAIN, ORANGERY)
    ]
    held = [*others, pb.DiamondsClubBonus(card=first, seat=0)]
    board = player(buildings=(5, 4, 0, 0), covered=(True, True, False), gems=RICH)
    state = position(board, player(), phase=BUILD, bonuses=held)
    sixth = build_and_pay(REFEREE, state, FOUNTAIN)
    assert second not in {bonus.card for bonus in sixth.table.bonuses}
    other_kind = build_and_pay(REFEREE, state, ORANGERY)
    assert second in {bonus.card for bonus in other_kind.table.bonuses}


@pytest.mark.parametrize(("zero", "score"), [(True, 0), (False, 1)])
def test_an_open_picture_may_cost_nothing(zero: bool, score: int) -> None:
    board = player(animals=(1, 0, 0))
    state = position(board, player(), phase=OVER, options={"uncovered_printed_zero": zero})
    assert REFEREE.results(state)[0].score == score


def test_the_game_ends_after_the_last_round() -> None:
    state = REFEREE.start(pb.DiamondsClubOptions(max_rounds=1), 2, 1)
    while state.table.phase != OVER:
        assert state.table.round == 1
        state = REFEREE.apply(state, PASS)


def test_the_start_player_is_drawn() -> None:
    starters = {REFEREE.start(pb.DiamondsClubOptions(), 4, n).table.starter for n in range(40)}
    assert starters == {0, 1, 2, 3}
    fixed = pb.DiamondsClubOptions(random_start=False)
    assert {REFEREE.start(fixed, 4, n).table.starter for n in range(10)} == {0}


def test_an_unknown_data_set_is_named_with_the_known_ones() -> None:
    report = Report()
    read_options(OPTIONS, pb.DiamondsClubOptions(data_prices="dear"), 2, "options", report)
    (violation,) = report.violations
    assert violation.field == "options.data_prices"
    assert violation.description == 'is "dear"; use one of standard'


def test_an_empty_supply_makes_a_cell_useless() -> None:
    red_mines = player("Mr Mr Mr Mr", coins=9)
    market = [column(5), column(2), column(1), column(2)]  # a red mine at (2, 0)
    state = position(player(coins=9), red_mines, market=market)
    assert not purchases(REFEREE, state, 2, 0)


def test_diamonds_run_out_for_the_track_before_the_savers() -> None:
    rich = {"diamonds": 19}
    state = position(player(coins=1, gems=rich), player(out=True), track=[(1, 5), (0, 0)])
    assert diamonds(REFEREE.apply(state, PASS)) == [20, 0]


def test_the_start_player_is_asked_even_if_it_can_only_pass() -> None:
    state = position(player(), player(coins=5))
    assert REFEREE.legal(state) == [PASS]
    assert REFEREE.apply(state, PASS).table.phase == MARKET


def test_a_seat_that_cannot_pay_is_out_by_itself() -> None:
    state = position(player(coins=9), player())
    state = buy(REFEREE, state, 0, 0)
    assert state.table.players[1].out
    assert state.table.turn == 0
    (out,) = [
        e.out
        for e in REFEREE.events(position(player(coins=9), player()), PASS)
        if e.HasField("out") and e.out.unable
    ][:1]
    assert (out.seat, out.phase) == (1, MARKET)


def test_everybody_passing_plays_on_to_the_next_round() -> None:
    state = REFEREE.start(pb.DiamondsClubOptions(random_start=False), 2, 1)
    state = play(REFEREE, state, [PASS] * 4)
    assert (state.table.round, state.table.starter) == (2, 1)
