"""Duplicate deals: who sits where, and with which cards."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adamas_tournament.schedule import Schedule

SIZES = [(entrants, sides) for entrants in range(2, 9) for sides in range(2, 7)]


def schedule(entrants: int, sides: int, deals: int, *, balanced: bool, seed: int = 5) -> Schedule:
    return Schedule(entrants, sides, deals, seed, balanced=balanced)


@pytest.mark.parametrize(("entrants", "sides"), SIZES)
@pytest.mark.parametrize("balanced", [False, True])
def test_in_each_deal_every_entrant_holds_each_side_equally_often(
    entrants: int, sides: int, balanced: bool
) -> None:
    for deal in range(3):
        held = Counter(
            (entrant, side)
            for game in schedule(entrants, sides, 3, balanced=balanced).games(deal)
            for side, entrant in enumerate(game.entrants)
        )
        for entrant in range(entrants):
            assert len({held[entrant, side] for side in range(sides)}) == 1


@pytest.mark.parametrize(("entrants", "sides"), SIZES)
def test_all_lineups_meet_in_every_deal(entrants: int, sides: int) -> None:
    games = schedule(entrants, sides, 1, balanced=False).games(0)
    lineups = {tuple(sorted(game.entrants)) for game in games}
    if entrants >= sides:
        assert lineups == set(combinations(range(entrants), sides))
    sat = Counter(entrant for lineup in lineups for entrant in lineup)
    assert len({sat[entrant] for entrant in range(entrants)}) == 1


@pytest.mark.parametrize(("entrants", "sides"), SIZES)
def test_balanced_lineups_let_all_pairs_meet_about_equally_often(entrants: int, sides: int) -> None:
    deals = 200
    met: Counter[tuple[int, int]] = Counter()
    for deal in range(deals):
        lineup = set(schedule_of(entrants, sides, deals).games(deal)[0].entrants)
        met.update(combinations(sorted(lineup), 2))
    counts = [met[pair] for pair in combinations(range(entrants), 2)]
    assert max(counts) - min(counts) <= 4


_SCHEDULES: dict[tuple[int, int], Schedule] = {}


def schedule_of(entrants: int, sides: int, deals: int) -> Schedule:
    key = (entrants, sides)
    if key not in _SCHEDULES:
        _SCHEDULES[key] = schedule(entrants, sides, deals, balanced=True)
    return _SCHEDULES[key]


def test_the_games_of_a_deal_share_its_seed_and_no_other_deal_has_it() -> None:
    plan = schedule(3, 2, 50, balanced=False)
    seeds = [{game.seed for game in plan.games(deal)} for deal in range(50)]
    assert all(len(each) == 1 for each in seeds)
    assert len(set.union(*seeds)) == 50


@given(st.integers(0, 2**63 - 1), st.integers(2, 6), st.integers(2, 6), st.booleans())
def test_a_seed_fixes_the_schedule_in_whatever_order_it_is_read(
    seed: int, entrants: int, sides: int, balanced: bool
) -> None:
    first = Schedule(entrants, sides, 6, seed, balanced=balanced)
    second = Schedule(entrants, sides, 6, seed, balanced=balanced)
    backwards = {deal: second.games(deal) for deal in reversed(range(6))}
    assert list(first) == [game for deal in range(6) for game in backwards[deal]]
    keys = [game.key for game in first]
    assert len(set(keys)) == len(keys)


def test_the_order_round_the_table_changes_from_deal_to_deal() -> None:
    plan = schedule(4, 4, 40, balanced=False)
    followers = {
        (game.entrants[game.entrants.index(0) - 1])
        for deal in range(40)
        for game in plan.games(deal)
    }
    assert followers == {1, 2, 3}
