"""The worked examples of docs/rules/diams.md, section 9, by number, and the clarifications of 10.

Cards are written as in tests.engines.diams.positions: "7p 7 X2".
"""

from __future__ import annotations

from typing import Any

import pytest

from adamas.v1 import diams_pb2 as pb
from tests.engines.diams.positions import (
    DRAW,
    DRAW_HAND,
    DRAW_MARKET,
    LIMIT,
    NO_PLAY,
    PLAY,
    deposit,
    drill,
    for_nothing,
    for_sum,
    give_up,
    hand,
    kinds_of,
    look_for,
    market,
    offer,
    position,
    safe,
    sale,
    same_kind,
    shoplift,
    special_deposit,
    take,
    these,
    visit,
)
from tests.examples.referee import Referee, play

QUICK = pb.DIAMS_ROUNDS_QUICK


def sums(referee: Referee, state: Any, placed: str) -> set[tuple[int, ...]]:
    """All sets that placing a card for a sum can take, as kinds in descending order."""
    found: set[tuple[int, ...]] = set()
    open_states: list[tuple[Any, tuple[int, ...]]] = [(referee.apply(state, for_sum(placed)), ())]
    while open_states:
        current, taken = open_states.pop()
        for move in referee.legal(current):
            longer = (*taken, move.take.kind)
            after = referee.apply(current, move)
            if after.phase == pb.DIAMS_PHASE_TAKE:
                open_states.append((after, longer))
            else:
                found.add(longer)
    return found


def visits(referee: Referee, state: Any, placed: str) -> set[int]:
    """The modes that placing a card can have."""
    return {
        mode
        for mode in (
            pb.DIAMS_VISIT_MODE_SAME_KIND,
            pb.DIAMS_VISIT_MODE_SUM,
            pb.DIAMS_VISIT_MODE_NOTHING,
        )
        if visit(placed, mode) in referee.legal(state)
    }


def last_round_points(referee: Referee, hands: list[str], safes: list[str]) -> list[int]:
    """Points of a round that ends with these hands and safes: the last seat could play nothing."""
    state = position(
        [*hands, ""], safes=[*safes, ""], turn=len(hands), closer=0, pile="", rounds=QUICK
    )
    return list(referee.apply(state, NO_PLAY).finished_rounds[0].points)[: len(hands)]


def test_example_1_same_kind(referee: Referee) -> None:
    start = position(["7 9", "1 2 3"], on_market="7 7p 2")
    after = referee.apply(start, same_kind("7"))
    assert hand(after, 0) == these("9 7 7 7p")
    assert market(after) == these("2")


def test_example_2_the_own_card_alone_cannot_be_taken_back(referee: Referee) -> None:
    start = position(["7 9", "1 2 3"], on_market="2 4")
    assert visits(referee, start, "7") == {pb.DIAMS_VISIT_MODE_NOTHING}
    after = referee.apply(start, for_nothing("7"))
    assert market(after) == these("2 4 7")


def test_example_3_a_sum(referee: Referee) -> None:
    start = position(["7 9", "1p 2p 8"], on_market="4 3 1 3 2 2")
    assert visits(referee, start, "7") == {pb.DIAMS_VISIT_MODE_SUM, pb.DIAMS_VISIT_MODE_NOTHING}
    assert sums(referee, start, "7") == {(4, 3), (3, 3, 1), (3, 2, 2), (4, 2, 1)}
    after = play(referee, start, [for_sum("7"), take("3"), take("2"), take("2")])
    assert market(after) == these("4 1 3 7")
    assert hand(after, 0) == these("9 3 2 2")


def test_example_4_deposit_with_expansion(referee: Referee) -> None:
    start = position(["6 3 7 7 7", "1 2 8"], safes=["3p 3p 3"])
    legal = referee.legal(start)
    assert deposit("7 7 7") in legal
    assert deposit("7 7 7 6") not in legal
    after = referee.apply(start, deposit("3 7 7 7"))
    assert safe(after, 0) == these("3p 3p 3 3 7 7 7")
    assert hand(after, 0) == these("6")


def test_example_5_no_three_of_a_kind(referee: Referee) -> None:
    start = position(["6 3 X2", "1 2 8"], safes=["3p 3p 3"])
    assert "deposit" not in kinds_of(referee.legal(start))
    after = referee.apply(start, special_deposit("3"))
    assert safe(after, 0) == these("3p 3p 3 3")
    assert hand(after, 0) == these("6")
    assert these("X2") <= these(" ".join("X2" for c in after.removed if c.special == 2))


@pytest.mark.parametrize("special", ["", " X1"])
def test_example_6_hand_sum(referee: Referee, special: str) -> None:
    """21 beats 20; a special counts nothing."""
    points = last_round_points(referee, ["2 2 7 10" + special, "10 9 1"], ["", ""])
    assert points == [3, 0]


def test_example_7_closing_card(referee: Referee) -> None:
    start = position(["1 2 5", "6 8 9", "10 1 2"], pile="C", phase=DRAW, rounds=QUICK)
    after = referee.apply(start, DRAW_HAND)
    assert after.phase == pb.DIAMS_PHASE_PLAY
    assert hand(after, 0) == these("1 2 5")
    turns = []
    while after.phase != pb.DIAMS_PHASE_OVER:
        assert after.phase == pb.DIAMS_PHASE_PLAY
        turns.append(after.turn)
        placed = sorted(hand(after, after.turn))[0]
        after = referee.apply(after, for_nothing(placed))
    assert turns == [0, 1, 2]


def test_example_8_hand_limit(referee: Referee) -> None:
    start = position(["7 7 4 3 3 X3 1", "2 5 6"], phase=LIMIT)
    after = referee.apply(start, give_up("1"))
    assert after.phase == pb.DIAMS_PHASE_LIMIT
    after = referee.apply(after, give_up("X3"))
    assert after.turn == 1
    assert hand(after, 0) == these("7 7 4 3 3")
    assert market(after) == these("1")
    assert any(c.special == pb.DIAMS_SPECIAL_SHOPLIFTING for c in after.removed)


@pytest.mark.parametrize(
    ("safes", "bonus"),
    [
        (["1p 1p 1 2p 2p 2", "3p 3p 3 4p 4 4", "5p 5p 5 6p 6 6"], [5, 0, 0]),
        (["1p 1p 1 2p 2p 2", "3p 3p 3 4p 4p 4", "5p 5 5"], [2, 2, 0]),
        (["1 1 1", "2 2 2", "3 3 3"], [0, 0, 0]),
    ],
)
def test_example_9_purity(referee: Referee, safes: list[str], bonus: list[int]) -> None:
    values = {1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7}
    collections = [sum(values[int(kind)] for kind in {n[0] for n in s.split()}) for s in safes]
    points = last_round_points(referee, ["", "", ""], safes)
    hand_bonus = 3  # all hands are worth 0, so all share the lead
    assert points == [c + b + hand_bonus for c, b in zip(collections, bonus, strict=True)]


def test_example_10_forced_sale(referee: Referee) -> None:
    start = position(["5 9 X1", "5 5 8"], on_market="5p 2")
    after = play(referee, start, [sale("X1", 1), offer("5")])
    assert hand(after, 0) == these("9 5 5 5 5p")
    assert market(after) == these("2")
    assert hand(after, 1) == these("8")


def test_example_10_forced_sale_that_fails(referee: Referee) -> None:
    start = position(["5 9 X1", "1 6 8"], on_market="5p 2")
    after = play(referee, start, [sale("X1", 1), offer("5")])
    assert hand(after, 0) == these("9")
    assert market(after) == these("5p 2 5")


def test_example_11_drill(referee: Referee) -> None:
    start = position(["1 2 X1", "5 6 8"], safes=["", "7p 7 7 3p 3 3"])
    after = play(referee, start, [drill(1), look_for("7p")])
    assert hand(after, 0) == these("1 2 7p")
    assert safe(after, 1) == these("7 7 3p 3 3")


def test_example_11_drill_that_finds_nothing(referee: Referee) -> None:
    start = position(["1 2 X1", "5 6 8"], safes=["", "7p 7 7 3p 3 3"])
    after = play(referee, start, [drill(1), look_for("4")])
    assert hand(after, 0) == these("1 2")
    assert safe(after, 1) == these("7p 7 7 3p 3 3")


def test_example_12_collection_points(referee: Referee) -> None:
    purity, hands = 5, 3
    result = last_round_points(referee, ["", ""], ["7 7 7 3 3 3 3p 10 10 10 10p 10p", "1 1 1"])
    assert result == [9 + 6 + 11 + purity + hands, 2 + hands]


def test_example_12_collection_points_after_a_drill(referee: Referee) -> None:
    """Two cards of a kind are worth nothing; the drilled 7 wins the hand bonus."""
    safes = ["7 7 7 3 3 3 3p 10 10 10 10p 10p"]
    start = position(["", "X1"], safes=safes, turn=1, closer=0, pile="", rounds=QUICK)
    after = play(referee, start, [drill(0), look_for("7")])
    assert list(after.finished_rounds[0].points) == [6 + 11 + 5, 3]


def test_example_13_round_result(referee: Referee) -> None:
    """Chips 4 and 3, and both seats play on with the next round."""
    p = "7 7 7 3 3 3 3p 10 10 10 10p 10p"  # 26, 3 pure ones
    q = "8 8p 8p 9 9p 9p 6 6 6p"  # 8 + 7 + 7, 5 pure ones
    state = position(["4", "9 2", ""], safes=[p, q, ""], turn=2, closer=0, pile="")
    after = referee.apply(state, NO_PLAY)
    assert list(after.finished_rounds[0].points) == [26, 22 + 5 + 3, 0]
    scored = [e for e in referee.events(state, NO_PLAY) if e.HasField("round_scored")]
    assert [result.chips for result in scored[0].round_scored.results] == [3, 4, 2]


@pytest.mark.parametrize(
    ("ties", "chips"),
    [(pb.DIAMS_CHIP_TIES_BEST_RANK, [4, 3, 3, 1]), (pb.DIAMS_CHIP_TIES_WORST_RANK, [4, 2, 2, 1])],
)
def test_example_14_chip_ties(referee: Referee, ties: Any, chips: list[int]) -> None:
    rounds = [[30, 25, 25, 10]] * 2
    state = position(["", "", "", ""], turn=3, closer=0, pile="", points=rounds, chip_ties=ties)
    results = referee.results(referee.apply(state, NO_PLAY))
    shared_last_round = 4 if ties == pb.DIAMS_CHIP_TIES_BEST_RANK else 1
    assert [r.score for r in results] == [2 * c + shared_last_round for c in chips]


def test_example_15_game_tie(referee: Referee) -> None:
    """Equal chips: the better result of the second round decides."""
    state = position(["", ""], turn=1, closer=0, pile="", points=[[19, 21], [21, 19]])
    results = referee.results(referee.apply(state, NO_PLAY))
    assert [r.score for r in results] == [11, 11]
    assert [r.win_share for r in results] == [1, 0]


def test_a_tie_that_the_second_round_leaves_is_shared(referee: Referee) -> None:
    state = position(["", ""], turn=1, closer=0, pile="", points=[[20, 20], [19, 19]])
    results = referee.results(referee.apply(state, NO_PLAY))
    assert [r.win_share for r in results] == [0.5, 0.5]


def test_example_16_double_triple(referee: Referee) -> None:
    start = position(["2 2 2 9 9 9", "1 5 6"])
    deposits = [m for m in referee.legal(start) if m.HasField("deposit")]
    assert deposits == [deposit("2 2 2"), deposit("9 9 9"), deposit("2 2 2 9 9 9")]


@pytest.mark.parametrize(("refill", "cards"), [(0, ""), (3, "1 2 5")])
def test_example_17_market_runs_empty(referee: Referee, refill: int, cards: str) -> None:
    start = position(["7 9", "1p 2p 8"], on_market="4 3", refill_empty_market=refill)
    after = play(referee, start, [for_sum("7"), take("4"), take("3")])
    assert market(after) == these("7")
    start = position(["7 9", "1p 2p 8"], on_market="7p", pile="1 2 5 C", refill_empty_market=refill)
    after = referee.apply(start, same_kind("7"))
    assert market(after) == these(cards)


def test_clarification_1_a_refill_can_meet_the_closing_card(referee: Referee) -> None:
    """The seat whose turn it was is done; the others play once more."""
    start = position(
        ["7 9", "1p 2p 8", "5 6 9"], on_market="7p", pile="1 C", refill_empty_market=3, rounds=QUICK
    )
    after = referee.apply(start, same_kind("7"))
    assert market(after) == these("1")
    assert (after.turn, after.phase, after.closer) == (1, PLAY, 0)
    after = play(referee, after, [for_nothing("8"), for_nothing("5")])
    assert after.phase == pb.DIAMS_PHASE_OVER


def test_clarification_3_discarded_specials_leave_gaps_in_the_first_market(
    referee: Referee,
) -> None:
    options = pb.DiamsOptions(special_in_market=pb.DIAMS_SPECIAL_IN_MARKET_DISCARD)
    sizes = {
        len(state.market) + len(state.removed) == 3 and len(state.market)
        for state in (referee.start(options, 2, seed) for seed in range(60))
    }
    assert {2, 3} <= sizes
    assert False not in sizes


def test_clarification_4_a_forced_sale_offers_a_card(referee: Referee) -> None:
    start = position(["5 5p X3", "1 6 8"])
    asked = referee.apply(start, sale("X3", 1))
    assert referee.legal(asked) == [offer("5p"), offer("5")]
    assert market(referee.apply(asked, offer("5p"))) == these("5p")


def test_clarification_5_a_drill_may_look_for_any_diamond(referee: Referee) -> None:
    start = position(["1 2 X1", "5 6 8"], safes=["", "7p 7 7"])
    assert len(referee.legal(referee.apply(start, drill(1)))) == 20


def test_scope_of_the_special_deposit(referee: Referee) -> None:
    for scope, several in ((1, True), (2, False)):
        start = position(["7 3 X2", "5 6 8"], safes=["7p 7 7 3p 3 3"], special_deposit_scope=scope)
        legal = referee.legal(start)
        assert special_deposit("3") in legal
        assert special_deposit("7") in legal
        assert (special_deposit("3 7") in legal) == several


def test_clarification_6_the_hand_limit_holds_in_the_final_turns(referee: Referee) -> None:
    start = position(
        ["1 2 5", "7 1 2 5 6"], on_market="7p 7", turn=1, closer=0, pile="1p", rounds=QUICK
    )
    after = referee.apply(start, same_kind("7"))
    assert after.phase == pb.DIAMS_PHASE_LIMIT
    after = play(referee, after, [give_up("1"), give_up("2")])
    assert after.phase == pb.DIAMS_PHASE_OVER


def test_clarification_7_the_closing_card_in_place_of_a_special_ends_the_draw(
    referee: Referee,
) -> None:
    start = position(["1 2 5", "6 8 9"], pile="X2 C", phase=DRAW)
    after = referee.apply(start, DRAW_MARKET)
    assert market(after) == these("")
    assert (after.turn, after.phase, after.closer) == (0, PLAY, 0)


def test_a_special_turned_for_the_market_is_replaced(referee: Referee) -> None:
    start = position(["1 2 5", "6 8 9"], pile="X2 3 4 C", phase=DRAW)
    assert market(referee.apply(start, DRAW_MARKET)) == these("3 4")


def test_the_closing_card_stops_a_draw_for_the_market(referee: Referee) -> None:
    start = position(["1 2 5", "6 8 9"], pile="3 C 4", phase=DRAW)
    after = referee.apply(start, DRAW_MARKET)
    assert market(after) == these("3")
    assert after.closer == 0


def test_shoplifting(referee: Referee) -> None:
    start = position(["1 X3", "6 8 9"], on_market="7p 7 2")
    assert [m for m in referee.legal(start) if m.HasField("shoplift")] == [
        shoplift("2"),
        shoplift("7p"),
        shoplift("7"),
    ]
    after = referee.apply(start, shoplift("7p"))
    assert hand(after, 0) == these("1 7p")
    assert market(after) == these("7 2")


def test_specials_that_cannot_be_used_leave_nothing_to_play(referee: Referee) -> None:
    """X1 without a diamond or a safe, X2 without a diamond, X3 without a market."""
    start = position(["X1 X2 X3", "6 8 9"])
    assert referee.legal(start) == [NO_PLAY]
    assert "no_play" not in kinds_of(referee.legal(position(["X1 X2 X3 1", "6 8 9"])))


def test_the_next_seat_starts_the_next_round(referee: Referee) -> None:
    state = position(["", ""], turn=1, closer=0, pile="")
    after = referee.apply(state, NO_PLAY)
    assert (after.round, after.starter, after.turn, after.phase) == (2, 1, 1, DRAW)
    assert [len(h.cards) for h in after.hands] == [3, 3]
