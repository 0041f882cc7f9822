"""Options and special cases of Diam's (section 7) that the worked examples leave out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adamas.v1 import diams_pb2 as pb
from engines.contract import MAX_SEATS, RESULT_ROWS, SCORE, WIN_SHARE
from engines.diams.rules.options import VARIANTS
from engines.diams.rules.state import CLOSING_CARD, STATE
from engines.events import NO_LOG, new_log
from engines.registry import game
from engines.rng import generator
from engines.violations import Report
from tests.engines.diams.positions import (
    LIMIT,
    NO_PLAY,
    deposit,
    drill,
    give_up,
    hand,
    look_for,
    market,
    names,
    offer,
    position,
    safe,
    sale,
    same_kind,
    these,
)
from tests.examples.referee import EngineReferee, play

DIAMS = game("diams")
REFEREE = EngineReferee()


def deals(seats: int, count: int = 300, **options: Any) -> list[Any]:
    """Records of new games."""
    rows = [
        DIAMS.codec.new_game(pb.DiamsOptions(**options), seats, seed, new_log())
        for seed in range(count)
    ]
    return [row.view(STATE)[0] for row in rows]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_deal(seats: int) -> None:
    """Three cards each, three on the market, specials turned for it out of the game."""
    for s in deals(seats, 60):
        assert [int(cards.sum()) for cards in s.hands[:seats]] == [3] * seats
        assert s.market.sum() == 3
        assert s.deck_size == 54 - 3 * seats - 3 - s.removed.sum()
        assert s.removed[:20].sum() == 0


@pytest.mark.parametrize("window", [0, 5, 15])
def test_the_closing_card_is_in_the_window(window: int) -> None:
    places = {list(s.deck).index(CLOSING_CARD) for s in deals(3, closing_window=window)}
    assert places == set(range(window + 1))


def test_every_seat_can_start() -> None:
    assert {int(s.starter) for s in deals(4, 60)} == {0, 1, 2, 3}


def test_the_window_of_board_game_arena_is_a_variant_for_four_and_five_seats() -> None:
    variant = next(v for v in VARIANTS if v.variant_id == "bga")
    assert variant.seats == (4, 5)
    assert variant.values["closing_window"] == 5


def test_cards_over_the_limit_can_go_out_of_the_game() -> None:
    start = position(["7 7 4 3 3 1", "2 5 6"], phase=LIMIT, overflow_to=pb.DIAMS_OVERFLOW_DISCARD)
    after = REFEREE.apply(start, give_up("1"))
    assert market(after) == these("")
    assert names(after.removed)["1"] == names(start.removed)["1"] + 1


def test_another_hand_limit() -> None:
    start = position(["7 4 3 1", "2 5 6"], on_market="4p", hand_limit=3)
    after = REFEREE.apply(start, same_kind("4"))
    assert after.phase == pb.DIAMS_PHASE_LIMIT
    assert REFEREE.legal(after) == [give_up("1"), give_up("3"), give_up("4p"), give_up("4")]
    after = play(REFEREE, after, [give_up("1"), give_up("3")])
    assert after.turn == 1


def test_giving_up_goes_in_ascending_order_as_long_as_enough_is_left() -> None:
    start = position(["7 7 4 3 3 X3 1", "2 5 6"], phase=LIMIT)
    assert give_up("X3") not in REFEREE.legal(start)
    after = REFEREE.apply(start, give_up("7"))
    assert REFEREE.legal(after) == [give_up("7"), give_up("X3")]


def test_a_drilled_diamond_can_go_to_the_safe() -> None:
    start = position(["1 2 X1", "5 6 8"], safes=["", "7p 7 7"], drill_to=pb.DIAMS_DRILL_TO_SAFE)
    after = play(REFEREE, start, [drill(1), look_for("7")])
    assert safe(after, 0) == these("7")
    assert hand(after, 0) == these("1 2")


def test_a_stripped_collection_can_be_completed() -> None:
    """Section 3.3: it counts as a kind in the safe."""
    start = position(["1 2 X1", "7 8 8 8"], safes=["", "7p 7 7p"], closer=0, pile="2p")
    after = play(REFEREE, start, [drill(1), look_for("7")])
    assert deposit("7 8 8 8") in REFEREE.legal(after)


def test_a_tie_in_purity_can_be_worth_nothing() -> None:
    safes = ["1p 1p 1", "2p 2p 2", ""]
    for tie, bonus in ((2, 2), (0, 0)):
        state = position(["", "", ""], safes=safes, turn=2, closer=0, pile="", purity_tie=tie)
        scored = REFEREE.apply(state, NO_PLAY).finished_rounds[0].points
        assert list(scored) == [2 + bonus + 3, 3 + bonus + 3, 3]


def test_a_tie_in_hand_sums_can_be_worth_nothing() -> None:
    for tie in (3, 0):
        state = position(["2 5", "7", ""], turn=2, closer=0, pile="", hand_bonus_tie=tie)
        assert list(REFEREE.apply(state, NO_PLAY).finished_rounds[0].points) == [tie, tie, 0]


def test_open_safes_are_in_every_view_and_deposits_in_every_event() -> None:
    start = position(["7 7 7p 1", "2 5 6"], safes=["", "8 8 8p"], open_safes=True)
    view = REFEREE.view(start, 0)
    assert names(view.safes[1].diamonds) == these("8 8 8p")
    (event,) = REFEREE.events(start, deposit("7 7 7p"))
    assert names(event.deposited.diamonds) == these("7 7 7p")


def test_closed_safes_are_in_no_view_and_deposits_only_counted() -> None:
    start = position(["7 7 7p 1", "2 5 6"], safes=["", "8 8 8p"])
    view = REFEREE.view(start, 0)
    assert not view.safes
    assert list(view.safe_sizes) == [0, 3]
    (event,) = REFEREE.events(start, deposit("7 7 7p"))
    assert event.deposited.count == 3
    assert not event.deposited.diamonds


def test_what_a_forced_sale_tells_everybody() -> None:
    start = position(["5 9 X1", "5 5p 8"], on_market="2")
    asked = REFEREE.apply(start, sale("X1", 1))
    events = REFEREE.events(asked, offer("5"))
    assert [event.WhichOneof("event") for event in events] == [
        "card_offered",
        "card_sold",
        "card_sold",
        "card_taken",
        "card_taken",
        "card_taken",
    ]


def test_the_score_is_points_in_a_quick_game_and_chips_otherwise() -> None:
    for rounds, scores in ((pb.DIAMS_ROUNDS_QUICK, [2 + 3, 3]), (pb.DIAMS_ROUNDS_STANDARD, [4, 3])):
        state = position(["", ""], safes=["1 1 1"], turn=1, closer=0, pile="", rounds=rounds)
        after = REFEREE.apply(state, NO_PLAY)
        row = DIAMS.codec.read_state(after, "state", Report())
        found = np.zeros((RESULT_ROWS, MAX_SEATS))
        DIAMS.kernels.evaluate(row, found)
        assert list(found[SCORE, :2]) == scores


def test_a_sample_ends_with_the_round_and_expects_the_rest() -> None:
    """Equal prospects after equal rounds; a lead in chips is worth more the later it is."""
    shares = []
    for points in ([[10, 0]], [[10, 0], [10, 0]]):
        state = position(["7", "1"], pile="C", points=points)
        row = DIAMS.codec.read_state(state, "state", Report())
        view, table, sample = DIAMS.new_view(), DIAMS.new_table(), DIAMS.new_row()
        DIAMS.kernels.project(row, 0, view)
        assert DIAMS.kernels.prepare(view, table)
        DIAMS.kernels.determinize(view, table, generator(1), sample)
        DIAMS.kernels.playout(sample, generator(2), 1)
        s = sample.view(STATE)[0]
        assert s.round_number == len(points) + 1
        s.points[len(points)] = 0
        found = np.zeros((RESULT_ROWS, MAX_SEATS))
        DIAMS.kernels.evaluate(sample, found)
        assert found[WIN_SHARE, :2].sum() == pytest.approx(1)
        shares.append(found[WIN_SHARE, 0])
    assert 0.5 < shares[0] < shares[1] == 1


def test_expected_shares_are_those_of_independent_ranks() -> None:
    """Three seats, one round left, chips 8, 7 and 7: counted by hand over the 27 cases."""
    state = position(["", "", ""], turn=2, closer=0, pile="", points=[[9, 5, 5]])
    row = DIAMS.codec.read_state(state, "state", Report())
    s = row.view(STATE)[0]
    s.horizon = 2
    move = DIAMS.codec.read_move(row, NO_PLAY, "move", Report())
    DIAMS.kernels.apply_move(row, move, NO_LOG)
    s.points[1] = 0
    found = np.zeros((RESULT_ROWS, MAX_SEATS))
    DIAMS.kernels.evaluate(row, found)
    wins = [0.0] * 3
    for a in (4, 3, 2):
        for b in (4, 3, 2):
            for c in (4, 3, 2):
                totals = [8 + a, 7 + b, 7 + c]
                best = max(totals)
                for seat in range(3):
                    wins[seat] += (totals[seat] == best) / totals.count(best) / 27
    assert found[WIN_SHARE, :3] == pytest.approx(wins)
