"""What the options of Diamonds change (section 7). Others have worked examples."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from adamas.v1 import diamonds_pb2 as pb
from engines.contract import GAME_OVER
from engines.diamonds.rules.state import STATE
from engines.events import NO_LOG, new_log
from engines.jit import Row
from engines.registry import game
from engines.rng import generator
from engines.violations import Report
from tests.engines.diamonds.positions import words

GAME = game("diamonds")
FIXED = pb.DIAMONDS_ROUND_COUNT_FIXED
PLAYER_COUNT = pb.DIAMONDS_ROUND_COUNT_PLAYER_COUNT


def deal(seats: int, seed: int = 1, **options: Any) -> Row:
    return GAME.codec.new_game(pb.DiamondsOptions(**options), seats, seed, new_log())


def dealers(row: Row) -> list[int]:
    """Plays a random game; who dealt in each round."""
    s = row.view(STATE)[0]
    rng = generator(3)
    found = [int(s.dealer)]
    while GAME.kernels.seat_to_move(row) != GAME_OVER:
        GAME.kernels.apply_move(row, GAME.kernels.policy_move(row, rng), NO_LOG)
        if s.round_number > len(found):
            found.append(int(s.dealer))
    return found


def state(row: Row) -> pb.DiamondsState:
    message = GAME.codec.write_state(row)
    assert isinstance(message, pb.DiamondsState)
    return message


@pytest.mark.parametrize(("seats", "rounds"), [(2, 4), (3, 6), (4, 4), (5, 5), (6, 6)])
def test_the_table_says_how_many_rounds_are_played(seats: int, rounds: int) -> None:
    assert len(dealers(deal(seats))) == rounds
    assert len(dealers(deal(seats, round_count=PLAYER_COUNT))) == seats
    assert len(dealers(deal(seats, round_count=FIXED, fixed_rounds=2))) == 2


def test_the_deal_passes_to_the_left_unless_it_is_drawn() -> None:
    twelve: dict[str, Any] = {"round_count": FIXED, "fixed_rounds": 12}
    left = dealers(deal(4, **twelve))
    assert all(after == (before + 1) % 4 for before, after in pairwise(left))
    drawn = dealers(deal(4, 2, dealer_rotation=pb.DIAMONDS_DEALER_ROTATION_ANY, **twelve))
    assert any(after != (before + 1) % 4 for before, after in pairwise(drawn))
    assert any(after == before for before, after in pairwise(drawn))


def test_the_first_dealer_is_drawn() -> None:
    assert {state(deal(6, seed)).dealer for seed in range(60)} == set(range(6))


@pytest.mark.parametrize(
    ("gems", "each"),
    [(pb.DIAMONDS_TEAM_START_GEMS_THREE, 3), (pb.DIAMONDS_TEAM_START_GEMS_SIX, 6)],
)
def test_a_team_starts_with_three_or_six_crystals(
    gems: pb.DiamondsTeamStartGems.ValueType, each: int
) -> None:
    assert list(state(deal(6, teams=True, team_start_gems=gems)).showrooms) == [each] * 3
    limited = state(deal(6, teams=True, team_start_gems=gems, supply=100))
    assert limited.supply_left == 100 - 3 * each


def test_a_supply_must_fill_the_first_showrooms() -> None:
    for seats, supply, fits in ((4, 11, False), (4, 12, True), (6, 17, False), (6, 0, True)):
        report = Report()
        GAME.codec.read_options(pb.DiamondsOptions(supply=supply), seats, "options", report)
        assert (not report.violations) is fits
        assert all(v.field == "options.supply" for v in report.violations)


@pytest.mark.parametrize(
    ("seats", "options", "field"),
    [
        (5, pb.DiamondsOptions(teams=True), "teams"),
        (2, pb.DiamondsOptions(teams=True), "teams"),
        (6, pb.DiamondsOptions(perfect=True), "perfect"),
        (
            3,
            pb.DiamondsOptions(team_start_gems=pb.DIAMONDS_TEAM_START_GEMS_SIX),
            "team_start_gems",
        ),
        (4, pb.DiamondsOptions(fixed_rounds=0), "fixed_rounds"),
    ],
)
def test_options_that_a_number_of_seats_does_not_have(
    seats: int, options: pb.DiamondsOptions, field: str
) -> None:
    report = Report()
    GAME.codec.read_options(options, seats, "options", report)
    assert [v.field for v in report.violations] == [f"options.{field}"]


def test_the_thief_token_starts_with_the_first_dealer() -> None:
    for seed in range(5):
        dealt = state(deal(5, seed, thief_token=True))
        assert dealt.thief == dealt.dealer
    assert {state(deal(5, seed)).thief for seed in range(9)} == {0}


def test_hidden_vaults_are_a_hint_for_displays_only() -> None:
    """Views hold all vaults, as every change of them was seen by all."""
    for shown in (True, False):
        row = deal(3, expose_vaults=shown)
        view = GAME.new_view()
        GAME.kernels.project(row, 0, view)
        message = GAME.codec.write_view(view)
        assert isinstance(message, pb.DiamondsView)
        assert list(message.vaults) == [0, 0, 0]
        assert message.options.expose_vaults is shown


def test_cards_left_over_are_put_aside_unseen() -> None:
    for seats in range(2, 7):
        dealt = [word for hand in state(deal(seats)).hands for word in words(hand.cards)]
        assert len(set(dealt)) == 10 * seats
