"""The worked examples of docs/rules/diamonds-club.md, section 9, by number."""

from __future__ import annotations

from typing import Any

import pytest

from adamas.v1 import diamonds_club_pb2 as pb
from tests.examples.diamonds_club import (
    AVIARY,
    BUILD,
    DEER_PARK,
    EXCHANGE,
    FOREST,
    FOUNTAIN,
    JOKER,
    KEEP,
    MARKET,
    ORANGERY,
    OVER,
    PASS,
    PAVILION,
    PAYMENT,
    POND,
    RICH,
    ROSE_GARDEN,
    build,
    build_and_pay,
    builds,
    buy,
    column,
    gem_counts,
    player,
    position,
    purchases,
)
from tests.examples.referee import Referee, play

ALL = (True, True, True)
NO_ZERO = {"uncovered_printed_zero": False}


def coins_on(state: Any, row: int, column: int) -> int:
    return int(state.table.market[column].coins[row])


def after_market(referee: Referee, tiles: str, technology: int = 0) -> Any:
    """Seat 0 passes last, so that its tiles are exchanged; the diamonds go to seat 1."""
    return referee.apply(
        position(
            player(tiles, tracks=(0, technology, 0)),
            player(coins=9, out=True),
            track=[(1, 5), (0, 2)],
        ),
        PASS,
    )


def test_example_1_market_cost(referee: Referee) -> None:
    state = position(player(coins=10), player(coins=10))
    cells = {"A": (1, 2), "B": (2, 1), "C": (2, 2), "D": (3, 2), "E": (3, 1)}
    for cell in cells.values():
        state = buy(referee, state, *cell)
    assert [coins_on(state, *cell) for cell in cells.values()] == [1, 1, 3, 4, 6]
    assert state.table.players[0].coins == 10 - 1 - 3 - 6
    assert state.table.players[1].coins == 10 - 1 - 4


def test_example_2_market_cost(referee: Referee) -> None:
    market = [
        column(1, coins=(0, 1, 0, 0, 0, 0)),
        column(2, coins=(2, 0, 0, 0, 0, 0)),
        column(1, coins=(1, 0, 0, 0, 0, 0)),
        column(2),
    ]
    sold = "R2 Mg R5"
    state = position(
        player(sold, coins=8), player(coins=8), market=market, track=[(0, 2), (1, 1)], turn=1
    )
    assert coins_on(buy(referee, state, 1, 1), 1, 1) == 1 + 1 + 2
    assert coins_on(buy(referee, state, 2, 1), 2, 1) == 1


@pytest.mark.parametrize(("tiles", "red"), [("Mr R5 S5", 5), ("Mr R3 S5", 3), ("Mr R5 S3", 3)])
def test_example_3_exchange(referee: Referee, tiles: str, red: int) -> None:
    after = after_market(referee, tiles)
    assert gem_counts(after, 0) == (0, 0, 0, red, 0)
    board = after.table.players[0]
    assert [*board.mines, *board.rights, *board.ships] == []


@pytest.mark.parametrize(
    ("level", "red", "diamonds"), [(0, 3, 0), (1, 4, 0), (2, 3, 1), (3, 4, 1), (4, 3, 2)]
)
def test_example_4_technology(referee: Referee, level: int, red: int, diamonds: int) -> None:
    after = after_market(referee, "Mr R5 S3", technology=level)
    assert gem_counts(after, 0) == (0, 0, 0, red, diamonds)


def results_of_exchange(referee: Referee, state: Any) -> list[tuple[int, ...]]:
    """The gems of seat 0 after every way to form its sets."""
    if state.table.phase != EXCHANGE:
        return [gem_counts(state, 0)]
    return [
        result
        for move in referee.legal(state)
        for result in results_of_exchange(referee, referee.apply(state, move))
    ]


def test_example_5_forced_sets_and_choice(referee: Referee) -> None:
    choosing = after_market(referee, "Mr Mb R5 R2 S4 S3")
    assert choosing.table.phase == EXCHANGE
    results = results_of_exchange(referee, choosing)
    assert sorted((red, blue) for blue, _, _, red, _ in results) == [(2, 3), (2, 4), (3, 2), (4, 2)]


def test_example_6_leftovers(referee: Referee) -> None:
    keeping = after_market(referee, "Mr Mb R4")
    assert keeping.table.phase == KEEP
    choices = [move.keep for move in referee.legal(keeping)]
    assert len(choices) == 6
    both = next(choice for choice in choices if choice.mine == 4 and choice.right)
    after = referee.apply(keeping, pb.DiamondsClubMove(keep=both))
    assert list(after.table.players[0].mines) == [pb.DIAMONDS_CLUB_COLOR_RED]
    assert list(after.table.players[0].rights) == [4]
    (kept,) = [
        event.tiles_kept
        for event in referee.events(keeping, pb.DiamondsClubMove(keep=both))
        if event.HasField("tiles_kept")
    ]
    assert kept.returned == 1


def test_example_7_diamonds(referee: Referee) -> None:
    state = position(
        player(coins=2),
        player(coins=2, out=True),
        player(coins=0, out=True),
        player(coins=1, out=True),
        track=[(2, 7), (1, 7), (0, 4), (3, 3)],
    )
    after = referee.apply(state, PASS)
    assert [gem_counts(after, seat)[4] for seat in range(4)] == [1, 2, 1, 0]


def test_example_8_build_order_and_next_start(referee: Referee) -> None:
    boards = [player(gems={"blue": 3}, coins=0, out=True) for _ in range(4)]
    boards[2] = player(gems={"blue": 3}, coins=9)
    market = [column(2), *(column(strip) for strip in (1, 3, 4, 1, 2, 3, 4))]
    arrival = position(*boards, turn=2, market=market, track=[(1, 7), (0, 4), (2, 4), (3, 3)])
    state = referee.apply(buy(referee, arrival, 1, 0), PASS)
    assert state.table.phase == BUILD
    assert [marker.seat for marker in state.table.start_track] == [2, 1, 0, 3]
    turns = []
    while state.table.phase == BUILD:
        turns.append(state.table.turn)
        state = referee.apply(state, PASS)
    assert turns == [2, 1, 0, 3]
    assert state.table.round == arrival.table.round + 1
    assert state.table.starter == state.table.turn == 2
    positions = {marker.seat: marker.position for marker in state.table.start_track}
    assert positions == {2: 0, 3: 1, 0: 2, 1: 3}


def test_example_9_surcharge(referee: Referee) -> None:
    held = {"blue": 2, "yellow": 1, "green": 1, "red": 4}
    state = position(*(player(gems=held) for _ in range(4)), phase=BUILD, turn=3)
    for seat, spent in ((3, 4), (2, 5), (1, 6), (0, 7)):
        assert state.table.turn == seat
        state = build_and_pay(referee, state, FOUNTAIN)
        assert sum(gem_counts(state, seat)) == 8 - spent


def test_example_10_diamond_as_joker(referee: Referee) -> None:
    held = {"blue": 1, "yellow": 1, "green": 1, "diamonds": 1}
    state = position(player(gems=held), player(), phase=BUILD)
    assert (FOUNTAIN, FOUNTAIN) in builds(referee, state)
    assert (ORANGERY, ORANGERY) not in builds(referee, state)
    after = referee.apply(state, build(FOUNTAIN))
    assert gem_counts(after, 0)[:4] == (0, 0, 0, 0)


def test_example_11_money_step(referee: Referee) -> None:
    market = [column(5, coins=(0, 0, 0, 1, 0, 0)), column(2), column(1), column(2)]
    state = position(player(coins=3), player(out=True), market=market, track=[(1, 4), (0, 0)])
    after = buy(referee, state, 4, 0)
    assert coins_on(after, 4, 0) == 2
    assert after.table.players[0].coins == 2
    next_round = referee.apply(after, PASS)
    assert next_round.table.round == after.table.round + 1
    assert [board.coins for board in next_round.table.players] == [11, 10]


def test_example_12_hats(referee: Referee) -> None:
    state = position(player(coins=10), player(out=True), track=[(0, 2), (1, 1)])
    seen = []
    for cell in ((1, 1), (0, 0), (3, 0), (5, 1)):  # H, S2, R3, R4
        state = buy(referee, state, *cell)
        seen.append(state.table.start_track[0].position)
    assert seen == [5, 7, 8, 8]


@pytest.mark.parametrize(("animals", "points"), [((4, 2, 3), 23), ((1, 1, 1), 10), ((2, 0, 0), 2)])
def test_example_13_animals(referee: Referee, animals: tuple[int, ...], points: int) -> None:
    state = position(player(animals=animals), player(), phase=OVER, options=NO_ZERO)
    assert referee.results(state)[0].score == points


def full_park(**changes: Any) -> pb.DiamondsClubPlayer:
    """Six buildings, three forests and five animals on 14 spaces of the red board."""
    fields = {"covered": ALL, "forests": 3, **changes}
    return player(buildings=(3, 1, 1, 1), animals=(2, 1, 2), tracks=(2, 3, 4), **fields)


CARDS_OF_SEAT_0 = [
    pb.DiamondsClubBonus(card=pb.DIAMONDS_CLUB_BONUS_CARD_THREE_FOUNTAINS, seat=0),
    pb.DiamondsClubBonus(card=pb.DIAMONDS_CLUB_BONUS_CARD_FIRST_ALL_FOUR, seat=1),
    pb.DiamondsClubBonus(card=pb.DIAMONDS_CLUB_BONUS_CARD_SECOND_ALL_FOUR, seat=0),
]


def test_example_14_full_score(referee: Referee) -> None:
    first = player(buildings=(1, 1, 1, 1), covered=ALL)
    state = position(full_park(), first, phase=OVER, bonuses=CARDS_OF_SEAT_0)
    assert referee.results(state)[0].score == 24 + 12 + 12 + 5 + 6
    running = position(
        full_park(charts=[1]),
        first,
        phase=BUILD,
        turn=1,
        track=[(0, 2), (1, 1)],
        bonuses=CARDS_OF_SEAT_0,
    )
    assert referee.apply(running, PASS).table.phase == OVER


def test_example_15_zero(referee: Referee) -> None:
    park = player(buildings=(3, 1, 0, 2), animals=(2, 1, 2), covered=(True, True, False), forests=2)
    first = player(buildings=(1, 1, 1, 1), covered=ALL)
    state = position(park, first, phase=OVER, bonuses=CARDS_OF_SEAT_0[:2])
    assert referee.results(state)[0].score == 0


def test_example_16_money_end_bonus(referee: Referee) -> None:
    state = position(player(tracks=(0, 0, 4)), player(), phase=OVER, options=NO_ZERO)
    assert referee.results(state)[0].score == 3


def blocked_park(**fields: Any) -> pb.DiamondsClubPlayer:
    """All light spaces of the red board covered but the pavilion's."""
    return player(
        buildings=(2, 2, 0, 2),
        forests=6,
        animals=(1, 0, 0),
        covered=(True, True, False),
        **fields,
    )


def test_example_17_blocked_placement(referee: Referee) -> None:
    market = [column(4), column(2), column(1), column(2)]  # an animal at (4, 0)
    buying = position(blocked_park(coins=9), player(), market=market)
    assert not purchases(referee, buying, 4, 0)
    building = position(blocked_park(gems=RICH), player(), phase=BUILD)
    assert builds(referee, building) == {(PAVILION, PAVILION), (JOKER, PAVILION)}
    covered = build_and_pay(referee, building, PAVILION)
    assert all(covered.table.players[0].printed_covered)
    full = build_and_pay(referee, covered, FOREST)
    assert full.table.players[0].dark_tiles == 1
    assert play(referee, full, [PASS]).table.phase == OVER


def bonus_cards(state: Any) -> dict[int, int]:
    return {bonus.card: bonus.seat for bonus in state.table.bonuses}


THREE_FOUNTAINS = pb.DIAMONDS_CLUB_BONUS_CARD_THREE_FOUNTAINS
FIRST_ALL_FOUR = pb.DIAMONDS_CLUB_BONUS_CARD_FIRST_ALL_FOUR
SECOND_ALL_FOUR = pb.DIAMONDS_CLUB_BONUS_CARD_SECOND_ALL_FOUR


def test_example_18_bonus_cards_for_three_of_a_kind(referee: Referee) -> None:
    red = player(buildings=(2, 0, 0, 0), covered=(True, False, False), gems=RICH)
    white = player(buildings=(2, 0, 0, 0), gems=RICH)
    state = position(red, white, phase=BUILD, turn=1)
    state = build_and_pay(referee, state, FOUNTAIN)
    assert bonus_cards(state) == {THREE_FOUNTAINS: 1}
    assert bonus_cards(build_and_pay(referee, state, FOUNTAIN)) == {THREE_FOUNTAINS: 1}


def test_example_18_bonus_cards_for_all_four_kinds(referee: Referee) -> None:
    three_kinds = (0, 1, 1, 1)
    red = player(buildings=three_kinds, covered=(False, True, True), gems=RICH)
    white = player(buildings=three_kinds, covered=ALL, gems=RICH)
    state = position(red, white, phase=BUILD, turn=1)
    state = build_and_pay(referee, state, FOUNTAIN)
    assert bonus_cards(state) == {FIRST_ALL_FOUR: 1}
    state = build_and_pay(referee, state, FOUNTAIN)
    assert bonus_cards(state) == {FIRST_ALL_FOUR: 1, SECOND_ALL_FOUR: 0}


def test_example_18_both_cards_for_two_full_sets(referee: Referee) -> None:
    nearly = player(buildings=(1, 2, 2, 2), covered=ALL, gems=RICH)
    first = [pb.DiamondsClubBonus(card=FIRST_ALL_FOUR, seat=0)]
    state = position(nearly, player(), phase=BUILD, bonuses=first)
    both = build_and_pay(referee, state, FOUNTAIN)
    assert bonus_cards(both) == {FIRST_ALL_FOUR: 0, SECOND_ALL_FOUR: 0}


@pytest.mark.parametrize(("gems_left", "shares"), [((2, 1), [1.0, 0.0]), ((2, 2), [0.5, 0.5])])
def test_example_19_tie_break(
    referee: Referee, gems_left: tuple[int, int], shares: list[float]
) -> None:
    state = position(
        *(player(animals=(1, 0, 0), gems={"diamonds": n}) for n in gems_left),
        phase=OVER,
        options=NO_ZERO,
    )
    assert [result.win_share for result in referee.results(state)] == shares


def test_example_20_full_track(referee: Referee) -> None:
    market = [column(1), column(4), column(1), column(2)]  # T at (5, 0), ? at (0, 1)
    state = position(player(coins=9, tracks=(0, 4, 0)), player(), market=market)
    assert not purchases(referee, state, 5, 0)
    assert [move.buy.track for move in purchases(referee, state, 0, 1)] == [
        pb.DIAMONDS_CLUB_TRACK_FOREST,
        pb.DIAMONDS_CLUB_TRACK_MONEY,
    ]


def test_animals_are_chosen_among_the_three_kinds(referee: Referee) -> None:
    market = [column(4), column(2), column(1), column(2)]
    state = position(player(coins=9), player(), market=market)
    assert [move.buy.animal for move in purchases(referee, state, 4, 0)] == [
        POND,
        DEER_PARK,
        AVIARY,
    ]


def test_payments_are_the_distinct_multisets_that_fit(referee: Referee) -> None:
    held = {"blue": 3, "yellow": 1, "green": 1, "red": 1, "diamonds": 1}
    state = position(player(gems=held), player(), phase=BUILD)
    paying = referee.apply(state, build(FOREST))
    assert paying.table.phase == PAYMENT
    payments = [move.pay for move in referee.legal(paying)]
    totals = [p.blue + p.yellow + p.green + p.red + p.diamonds for p in payments]
    assert set(totals) == {3}
    # Three gems of 3 + 1 + 1 + 1 + 1: none, one, two or three blue beside 3, 2, 1, 0 of 4 others.
    assert len(payments) == 4 + 6 + 4 + 1


def test_a_round_passes_from_the_market_to_the_next_one(referee: Referee) -> None:
    state = referee.start(pb.DiamondsClubOptions(random_start=False), 2, 7)
    assert (state.table.phase, state.table.turn) == (MARKET, 0)
    assert [board.coins for board in state.table.players] == [10, 10]
    assert gem_counts(state, 0) == (1, 1, 1, 1, 0)
    state = play(referee, state, [PASS, PASS])
    assert state.table.phase == BUILD
    # Both have all their coins left; seat 1 was placed farther.
    assert [gem_counts(state, seat)[4] for seat in (0, 1)] == [1, 2]
    assert state.table.turn == 1
    assert (ROSE_GARDEN, ROSE_GARDEN) in builds(referee, state)
