"""The widest positions of every game are answered like all others, and the answer says how."""

from __future__ import annotations

import pytest

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as rules_pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from engines.registry import games
from search.kernel import WIDE_FROM
from tests.engines.wide import WidePosition, widest_positions
from tests.server.positions import limits

WIDEST = widest_positions()
GAMES = pytest.mark.parametrize("game_id", WIDEST)


def position_of(game_id: str, wide: WidePosition) -> pb.StateOfSeat:
    state = game_pb2.GameState()
    getattr(state, game_id).CopyFrom(wide.state)
    return pb.StateOfSeat(state=state, seat=wide.seat)


def test_every_game_with_many_moves_shows_its_widest_position() -> None:
    wide = {game_id for game_id, game in games().items() if game.max_moves > WIDE_FROM}
    assert wide <= set(WIDEST)


@GAMES
def test_the_widest_position_is_answered(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    wide = WIDEST[game_id]()
    asked = position_of(game_id, wide)
    listing = rules_pb.ListLegalMovesRequest(state=asked.state, seat=asked.seat)
    legal = [move.move for move in rules.ListLegalMoves(listing).moves]
    assert len(legal) == wide.moves
    query = pb.SearchQuery(state=asked, limits=limits(time=0.3))
    advice = advisor.Recommend(pb.RecommendRequest(query=query), timeout=30).advice
    assert advice.best_move in legal
    assert advice.legal_moves == len(legal)


@GAMES
def test_the_answer_says_when_moves_were_widened(advisor: AdvisorServiceStub, game_id: str) -> None:
    """Iterations instead of time: how far a search gets does not depend on the machine."""
    asked = position_of(game_id, WIDEST[game_id]())
    query = pb.SearchQuery(state=asked, limits=limits(400), trees=1)
    advice = advisor.Recommend(pb.RecommendRequest(query=query)).advice
    assert advice.search.widened == (advice.legal_moves > WIDE_FROM)


def test_long_lists_keep_their_deadlines_and_cost_nobody_else(
    advisor: AdvisorServiceStub,
) -> None:
    game_id, wide = max(
        ((game_id, make()) for game_id, make in WIDEST.items()), key=lambda found: found[1].moves
    )
    asked = pb.SearchQuery(state=position_of(game_id, wide), candidates=1000)
    asked.limits.CopyFrom(limits(time=0.1))
    request = pb.RecommendRequest(query=asked)
    everything = advisor.Recommend(request).advice
    assert len(everything.candidates) == min(1000, wide.moves) > 500
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
