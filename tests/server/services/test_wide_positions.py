"""The widest positions of every game are answered like all others, and the answer says how."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as rules_pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from engines.registry import game, game_ids
from search.kernel import WIDE_FROM
from tests.engines.diamonds import positions as diamonds
from tests.engines.diamonds_club import positions as diamonds_club
from tests.engines.diams import positions as diams
from tests.engines.wide import WidePosition
from tests.server.positions import limits

WIDEST: dict[str, Callable[[], WidePosition]] = {
    "diamonds": diamonds.widest,
    "diams": diams.widest,
    "diamonds_club": diamonds_club.widest,
}
IN_STEPS = {"diams", "diamonds_club"}
"""Games whose widest decisions are made in steps (docs/rules): a few moves each."""
MOST_A_STEP = 64


def test_dao_has_no_wide_positions() -> None:
    assert set(WIDEST) == set(game_ids()) - {"dao"}
    assert game("dao").max_moves == 2


@pytest.mark.parametrize("game_id", WIDEST)
def test_the_widest_position_is_answered(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    wide = WIDEST[game_id]()
    assert wide.combinations > 10_000
    state = game_pb2.GameState()
    getattr(state, game_id).CopyFrom(wide.state)
    legal = rules.ListLegalMoves(rules_pb.ListLegalMovesRequest(state=state, seat=wide.seat)).moves
    asked = pb.SearchQuery(
        state=pb.StateOfSeat(state=state, seat=wide.seat), limits=limits(time=0.3)
    )
    advice = advisor.Recommend(pb.RecommendRequest(query=asked), timeout=30).advice
    assert advice.best_move in [move.move for move in legal]
    assert advice.legal_moves == len(legal)
    if game_id in IN_STEPS:
        assert len(legal) <= MOST_A_STEP


def test_the_answer_says_when_moves_were_widened(
    advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    """Iterations instead of time: how far a search gets does not depend on the machine."""
    state = game_pb2.GameState(diamonds=diamonds.widest().state)
    asked = pb.SearchQuery(state=pb.StateOfSeat(state=state, seat=0), limits=limits(400), trees=1)
    advice = advisor.Recommend(pb.RecommendRequest(query=asked)).advice
    assert advice.legal_moves > WIDE_FROM
    assert advice.search.widened
    state = game_pb2.GameState(diams=diams.widest().state)
    asked = pb.SearchQuery(state=pb.StateOfSeat(state=state, seat=0), limits=limits(400), trees=1)
    advice = advisor.Recommend(pb.RecommendRequest(query=asked)).advice
    assert advice.legal_moves <= WIDE_FROM
    assert not advice.search.widened


def test_long_lists_keep_their_deadlines_and_cost_nobody_else(
    advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    state = game_pb2.GameState(diamonds=diamonds.widest().state)
    asked = pb.SearchQuery(state=pb.StateOfSeat(state=state, seat=0), candidates=1000)
    asked.limits.CopyFrom(limits(time=0.1))
    request = pb.RecommendRequest(query=asked)
    everything = advisor.Recommend(request).advice
    assert len(everything.candidates) == everything.legal_moves > 500
    request.query.limits.CopyFrom(limits(time=20))
    lengths = []
    for timeout in (0.6, 0.8, 1.0) * 3:
        call = advisor.Recommend.future(request, timeout=timeout)
        if call.exception() is None:
            lengths.append(len(call.result().advice.candidates))
    assert len(lengths) >= 6, "a busy machine may miss one now and then"
    assert min(lengths) >= 5
    request.query.candidates = 5
    shares = []
    for _ in range(5):
        advice = advisor.Recommend(request, timeout=1.0).advice
        assert advice.search.stop_reason == pb.STOP_REASON_DEADLINE
        shares.append(advice.search.elapsed.ToNanoseconds() / 1e9)
    assert sorted(shares)[2] > 0.6, "what the lists took is nobody else's business"
