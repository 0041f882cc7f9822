"""Limits, moves and sizes that can't be are refused by name as well, whatever the position."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from adamas.v1 import advisor_service_pb2 as advisor_pb
from adamas.v1 import dao_pb2, diamonds_club_pb2, diamonds_pb2, diams_pb2, game_pb2
from adamas.v1 import rules_service_pb2 as rules_pb
from tests.fuzz.impossible import dao, diamonds, diamonds_club, diams
from tests.fuzz.oracle import problems_of_refusal
from tests.fuzz.service import SETTINGS, OverGrpc

RECOMMEND = "/adamas.v1.AdvisorService/Recommend"
ANALYZE = "/adamas.v1.AdvisorService/Analyze"
APPLY_MOVE = "/adamas.v1.RulesService/ApplyMove"
START_GAME = "/adamas.v1.RulesService/StartGame"
GET_GAME = "/adamas.v1.RulesService/GetGame"
GET_PLAYER_VIEW = "/adamas.v1.RulesService/GetPlayerView"
LIST_LEGAL_MOVES = "/adamas.v1.RulesService/ListLegalMoves"
VARINT, FIXED64 = 0, 1
"""Wire types."""


@dataclass(frozen=True)
class Refusal:
    """A request that is refused, and how."""

    name: str
    method: str
    request: Callable[[], Message]
    field: str
    phrase: str

    def __str__(self) -> str:
        return self.name


def query(**fields: Any) -> advisor_pb.SearchQuery:
    return advisor_pb.SearchQuery(view=game_pb2.PlayerView(dao=dao.view()), **fields)


def recommend(**fields: Any) -> advisor_pb.RecommendRequest:
    return advisor_pb.RecommendRequest(query=query(**fields))


def limited(**limits: Any) -> advisor_pb.RecommendRequest:
    return recommend(limits=advisor_pb.SearchLimits(**limits))


def analyze(interval: Duration) -> advisor_pb.AnalyzeRequest:
    return advisor_pb.AnalyzeRequest(query=query(), update_interval=interval)


def not_a_number() -> Duration:
    """A duration whose seconds are sent as a floating-point NaN."""
    return Duration.FromString(bytes([1 << 3 | FIXED64]) + struct.pack("<d", math.nan))


def of_state(seat: int) -> advisor_pb.RecommendRequest:
    state = advisor_pb.StateOfSeat(state=game_pb2.GameState(dao=dao.state()), seat=seat)
    return advisor_pb.RecommendRequest(query=advisor_pb.SearchQuery(state=state))


def play(game_id: str, state: Any, move: Any, **fields: Any) -> rules_pb.ApplyMoveRequest:
    return rules_pb.ApplyMoveRequest(
        state=game_pb2.GameState(**{game_id: state}),
        move=game_pb2.Move(**{game_id: move}),
        **fields,
    )


def act(action: int, **fields: Any) -> rules_pb.ApplyMoveRequest:
    """A move of DAO."""
    move = dao_pb2.DaoMove(action=dao_pb2.DaoAction.ValueType(action))
    return play("dao", dao.state(), move, **fields)


def in_dao(kind: type[Any], **fields: Any) -> Any:
    """A request about a state of DAO."""
    return kind(state=game_pb2.GameState(dao=dao.state()), **fields)


def start(game_id: str, seats: int, **options: Any) -> rules_pb.StartGameRequest:
    chosen: dict[str, Any] = {game_id: options}
    return rules_pb.StartGameRequest(options=game_pb2.GameOptions(**chosen), seats=seats)


TIME, ITERATIONS = "query.limits.time", "query.limits.iterations"

LIMITS = [
    Refusal(
        "not a number of seconds",
        RECOMMEND,
        lambda: limited(time=not_a_number()),
        TIME,
        "more than 0",
    ),
    Refusal("no time", RECOMMEND, lambda: limited(time=Duration()), TIME, "more than 0"),
    Refusal(
        "negative time", RECOMMEND, lambda: limited(time=Duration(seconds=-1)), TIME, "is -1 s"
    ),
    Refusal(
        "negative nanoseconds",
        RECOMMEND,
        lambda: limited(time=Duration(nanos=-1)),
        TIME,
        "more than 0",
    ),
    Refusal(
        "huge time",
        RECOMMEND,
        lambda: limited(time=Duration(seconds=2**63 - 1)),
        TIME,
        "at most 20 s",
    ),
    Refusal(
        "negative iterations", RECOMMEND, lambda: limited(iterations=-1), ITERATIONS, "use 1 to"
    ),
    Refusal(
        "huge iterations", RECOMMEND, lambda: limited(iterations=2**63 - 1), ITERATIONS, "use 1 to"
    ),
    Refusal(
        "negative candidates",
        RECOMMEND,
        lambda: recommend(candidates=-1),
        "query.candidates",
        "use 1 to 1000",
    ),
    Refusal(
        "huge candidates",
        RECOMMEND,
        lambda: recommend(candidates=2**31 - 1),
        "query.candidates",
        "use 1 to 1000",
    ),
    Refusal("negative trees", RECOMMEND, lambda: recommend(trees=-1), "query.trees", "use 1 to 64"),
    Refusal("huge trees", RECOMMEND, lambda: recommend(trees=65), "query.trees", "use 1 to 64"),
    Refusal(
        "unknown language",
        RECOMMEND,
        lambda: recommend(language="tlh"),
        "query.language",
        "supported are en, zh-TW",
    ),
    Refusal(
        "language that does not print",
        RECOMMEND,
        lambda: recommend(language="\u202e\n"),
        "query.language",
        r'is "\u202e\n"; supported',
    ),
    Refusal(
        "interval that is not a number",
        ANALYZE,
        lambda: analyze(not_a_number()),
        "update_interval",
        "use 0.02 s to 60 s",
    ),
    Refusal(
        "negative interval",
        ANALYZE,
        lambda: analyze(Duration(seconds=-5)),
        "update_interval",
        "use 0.02 s to 60 s",
    ),
    Refusal(
        "huge interval",
        ANALYZE,
        lambda: analyze(Duration(seconds=61)),
        "update_interval",
        "use 0.02 s to 60 s",
    ),
    Refusal(
        "long request id",
        RECOMMEND,
        lambda: advisor_pb.RecommendRequest(query=query(), request_id="x" * 129),
        "request_id",
        "use at most 128",
    ),
    Refusal(
        "no position",
        RECOMMEND,
        advisor_pb.RecommendRequest,
        "query.position",
        "set query.view or query.state",
    ),
]

SEATS = [
    Refusal(
        "seat after the last", RECOMMEND, lambda: of_state(3), "query.state.seat", "use 0 to 2"
    ),
    Refusal("negative seat", RECOMMEND, lambda: of_state(-1), "query.state.seat", "use 0 to 2"),
    Refusal(
        "negative seat of a view",
        GET_PLAYER_VIEW,
        lambda: in_dao(rules_pb.GetPlayerViewRequest, seat=-1),
        "seat",
        "use 0 to 2",
    ),
    Refusal(
        "huge seat of a list",
        LIST_LEGAL_MOVES,
        lambda: in_dao(rules_pb.ListLegalMovesRequest, seat=2**31 - 1),
        "seat",
        "use 0 to 2",
    ),
    Refusal("negative seat of a move", APPLY_MOVE, lambda: act(1, seat=-1), "seat", "seats 0 to 2"),
    Refusal(
        "seat that is not to move",
        APPLY_MOVE,
        lambda: act(1, seat=(dao.state().turn + 1) % 3),
        "seat",
        "which is not to move; to move:",
    ),
    Refusal("too many seats", START_GAME, lambda: start("diams", 6), "seats", "has 2 to 5 seats"),
    Refusal("negative seats", START_GAME, lambda: start("dao", -1), "seats", "has 2 to 6 seats"),
    Refusal(
        "seats of a description",
        GET_GAME,
        lambda: rules_pb.GetGameRequest(game_id="dao", seats=99),
        "seats",
        "use 2 to 6",
    ),
]

GAMES = [
    Refusal(
        "unknown game",
        GET_GAME,
        lambda: rules_pb.GetGameRequest(game_id="chess"),
        "game_id",
        "it has dao, diamonds",
    ),
    Refusal("no game", START_GAME, rules_pb.StartGameRequest, "options", "set one of its games"),
    Refusal(
        "no view in a view",
        RECOMMEND,
        lambda: advisor_pb.RecommendRequest(
            query=advisor_pb.SearchQuery(view=game_pb2.PlayerView())
        ),
        "query.view",
        "set one of its games",
    ),
    Refusal(
        "unknown option value",
        START_GAME,
        lambda: start("diamonds_club", 2, build_order=5),
        "options.diamonds_club.build_order",
        "use one of",
    ),
    Refusal(
        "negative option",
        START_GAME,
        lambda: start("diams", 2, hand_limit=-3),
        "options.diams.hand_limit",
        "use a number from 3 to 8",
    ),
    Refusal(
        "option of other seats",
        START_GAME,
        lambda: start("diamonds", 3, teams=True),
        "options.diamonds.teams",
        "only for 4, 6 seats",
    ),
]

MOVES = [
    Refusal(
        "no move",
        APPLY_MOVE,
        lambda: in_dao(rules_pb.ApplyMoveRequest),
        "move",
        "set one of its games",
    ),
    Refusal(
        "move of another game",
        APPLY_MOVE,
        lambda: in_dao(rules_pb.ApplyMoveRequest, move=game_pb2.Move(diams=diams_pb2.DiamsMove())),
        "move.diams",
        "but the state is one of dao",
    ),
    Refusal(
        "unknown action", APPLY_MOVE, lambda: act(9), "move.dao.action", "use DAO_ACTION_TAKE (1)"
    ),
    Refusal(
        "card that is not in the hand",
        APPLY_MOVE,
        lambda: play(
            "diamonds",
            diamonds.state(),
            diamonds_pb2.DiamondsMove(play=diamonds.state().tricks[0].cards[0]),
        ),
        "move.diamonds",
        "is not legal for seat 1; legal: ",
    ),
    Refusal(
        "decision of another phase",
        APPLY_MOVE,
        lambda: play("diamonds", diamonds.state(), diamonds_pb2.DiamondsMove(victim=0)),
        "move.diamonds",
        "this phase asks for play",
    ),
    Refusal(
        "diamond of no kind",
        APPLY_MOVE,
        lambda: play(
            "diams", diams.state(), diams_pb2.DiamsMove(shoplift=diams_pb2.DiamsDiamond(kind=-1))
        ),
        "move.diams.shoplift.kind",
        "use 1 to 10",
    ),
    Refusal(
        "cell outside the market",
        APPLY_MOVE,
        lambda: play(
            "diamonds_club",
            diamonds_club.state(),
            diamonds_club_pb2.DiamondsClubMove(buy=diamonds_club_pb2.DiamondsClubPurchase(row=6)),
        ),
        "move.diamonds_club.buy.row",
        "use 0 to 5",
    ),
]


@pytest.mark.parametrize("case", [*LIMITS, *SEATS, *GAMES, *MOVES], ids=str)
def test_refused(wire: OverGrpc, case: Refusal) -> None:
    data = case.request().SerializeToString()
    outcome = wire.call(case.method, data)
    assert outcome.code is grpc.StatusCode.INVALID_ARGUMENT, outcome
    first = outcome.bad_request.field_violations[0]
    assert first.field == case.field, outcome.text
    assert case.phrase in first.description
    assert list(problems_of_refusal(case.method, data, outcome)) == []


def test_a_message_that_is_too_large(wire: OverGrpc) -> None:
    request = recommend()
    request.query.view.dao.row.extend([dao_pb2.DaoCard(value=1)] * 100_000)
    data = request.SerializeToString()
    outcome = wire.call(RECOMMEND, data)
    assert outcome.code is grpc.StatusCode.INVALID_ARGUMENT
    assert outcome.info.reason == "MESSAGE_TOO_LARGE"
    assert f"has {len(data)} bytes" in outcome.text
    assert f"accepts {SETTINGS.max_message_bytes}" in outcome.text


@pytest.mark.parametrize(
    "data", [b"\xff" * 10, b"\x0a\xff\xff\xff\xff\x0f", b"\x0b" * 5000, b"\x12\x02\xff\xfe"]
)
def test_bytes_that_are_no_message(wire: OverGrpc, data: bytes) -> None:
    outcome = wire.call(RECOMMEND, data)
    assert outcome.code is grpc.StatusCode.INVALID_ARGUMENT
    assert outcome.info.reason == "UNDECODABLE_MESSAGE"
    assert "not a RecommendRequest" in outcome.text


def test_fields_of_another_wire_type_count_as_unknown(wire: OverGrpc) -> None:
    """A number sent where a message belongs is skipped, as protobuf wants it."""
    data = bytes([1 << 3 | VARINT, 7])
    outcome = wire.call(RECOMMEND, data)
    assert outcome.bad_request.field_violations[0].field == "query.position"
