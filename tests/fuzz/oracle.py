"""What has to hold of every answer, whatever was asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message

from adamas.v1 import advisor_service_pb2 as advisor_pb
from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as rules_pb
from engines.registry import game
from engines.violations import Report
from server.requests.messages import State, View
from tests.fuzz.kernels import exercise_state, exercise_view
from tests.fuzz.messages import query_of
from tests.fuzz.paths import fault_of_path
from tests.fuzz.requests import RULES
from tests.fuzz.service import Outcome, Service, request_type

_WITHOUT_FIELD = {"UNDECODABLE_MESSAGE", "MESSAGE_TOO_LARGE"}
"""Reasons of refusals that are about the whole request."""
_SAYS_WHAT_IS_RIGHT = re.compile(r"(; |, but |, so |: | only | use | give | set )")
_CUT = "..."


def parsed(method: str, data: bytes) -> Any:
    """The request's message; None if the bytes are none."""
    try:
        return request_type(method).FromString(data)
    except DecodeError:
        return None


def problems(service: Service, method: str, data: bytes, outcome: Outcome) -> Iterator[str]:
    """What is wrong with the outcome of a call; nothing if all is well."""
    if outcome.code is grpc.StatusCode.INVALID_ARGUMENT:
        yield from problems_of_refusal(method, data, outcome)
    elif outcome.code is grpc.StatusCode.OK:
        yield from _problems_of_answer(service, method, parsed(method, data), outcome)
    elif outcome.info.reason != "OVERLOADED":
        yield f"{outcome.code.name}: {outcome.text}\n{service.log.text()}"


def problems_of_refusal(method: str, data: bytes, outcome: Outcome) -> Iterator[str]:
    """Every refusal names fields of the request and says what would be right."""
    if not outcome.text:
        yield "the status has no text"
    if outcome.info.reason in _WITHOUT_FIELD:
        return
    if outcome.info.reason != "INVALID_FIELD":
        yield f"the reason is {outcome.info.reason!r}"
    violations = outcome.bad_request.field_violations
    if not violations:
        yield "no field is named"
    yield from problems_of_violations(
        ((v.field, v.description) for v in violations), method, parsed(method, data)
    )


def problems_of_violations(
    violations: Iterable[tuple[str, str]], method: str, request: Message | None
) -> Iterator[str]:
    """Each violation names a field of a method's request, and says what would be right."""
    for path, description in violations:
        if path.endswith(_CUT):
            yield f"the path is too long: {path}"
        elif fault := _fault_of_path(path, method, request):
            yield f"path {path!r}: {fault} ({description})"
        if not description.endswith(_CUT) and not _SAYS_WHAT_IS_RIGHT.search(description):
            yield f"{path}: the text does not say what would be right: {description!r}"


def _fault_of_path(path: str, method: str, request: Any) -> str | None:
    """In a batch, paths are those of the search's own request."""
    fault = fault_of_path(path, request_type(method), request)
    if fault is not None and method.endswith("/RecommendBatch"):
        search = request.recommend if request is not None else None
        return fault_of_path(path, advisor_pb.RecommendRequest, search)
    return fault


def _problems_of_answer(
    service: Service, method: str, request: Any, outcome: Outcome
) -> Iterator[str]:
    """Whatever is accepted makes sense to all other calls, and gets a legal move."""
    name = method.rpartition("/")[2]
    last: Any = outcome.responses[-1] if outcome.responses else None
    if last is None:
        if name != "RecommendBatch" or request.HasField("recommend"):
            yield "there is no answer"
        return
    yield from _problems_of_rows(request)
    if name == "ValidateView":
        yield from problems_of_violations(
            ((v.field, v.description) for v in last.violations), method, request
        )
    elif (query := query_of(request)) is not None:
        yield from _problems_of_advice(service, query, last.advice)
        yield from _problems_of_stream(name, outcome.responses)
    elif name in ("StartGame", "ApplyMove"):
        yield from _problems_of_state(service, last.state, last.status)
    elif name == "GetPlayerView":
        yield from _problems_of_view(service, last.view)
    elif name == "GetTableStatus":
        yield from _problems_of_state(service, request.state, last.status)
    elif name == "ListLegalMoves":
        yield from _problems_of_moves(service, request, last.moves)


def _problems_of_stream(name: str, responses: Sequence[Any]) -> Iterator[str]:
    if name == "Analyze" and [response.final for response in responses].count(True) != 1:
        yield "there is not exactly one final answer"


def _call(service: Service, name: str, request: Message) -> Outcome:
    return service.call(RULES + name, request.SerializeToString())


def _problems_of_rows(request: Any) -> Iterator[str]:
    """Compiled code can work on every state and view that is read without a violation."""
    for state in _parts(request, game_pb2.GameState):
        game_id = state.WhichOneof("game")
        report = Report()
        if game_id:
            chosen = game(game_id)
            row = chosen.codec.read_state(getattr(state, game_id), "state", report)
            if not report.violations:
                yield from exercise_state(State(chosen, row))
    for view in _parts(request, game_pb2.PlayerView):
        game_id = view.WhichOneof("game")
        report = Report()
        if game_id:
            chosen = game(game_id)
            row = chosen.codec.read_view(getattr(view, game_id), "view", report)
            if not report.violations:
                yield from exercise_view(View(chosen, row))


def _parts(message: Message, kind: type[Message]) -> Iterator[Any]:
    """The message of a kind that a request has, if any."""
    for field, value in message.ListFields():
        if field.message_type is None or field.is_repeated:
            continue
        if isinstance(value, kind):
            yield value
        elif field.message_type.file.package == "adamas.v1":
            yield from _parts(value, kind)


def _problems_of_advice(
    service: Service, query: advisor_pb.SearchQuery, advice: advisor_pb.Advice
) -> Iterator[str]:
    listing = rules_pb.ListLegalMovesRequest()
    if query.HasField("view"):
        listing.view.CopyFrom(query.view)
    else:
        listing.state.CopyFrom(query.state.state)
        listing.seat = query.state.seat
    legal = [entry.move for entry in _moves(service, listing)]
    if advice.best_move not in legal:
        yield f"the best move is not legal: {advice.best_move}"
    for candidate in advice.candidates:
        if candidate.move not in legal:
            yield f"a candidate is not legal: {candidate.move}"
        if not 0 <= candidate.win_probability <= 1:
            yield f"a win probability is {candidate.win_probability}"
        if not candidate.words:
            yield "a candidate has no words"
        if not candidate.reason and advice.search.stop_reason != advisor_pb.STOP_REASON_NO_SEARCH:
            yield "a candidate has no reason"
    if advice.legal_moves != len(legal):
        yield f"legal_moves is {advice.legal_moves}, but {len(legal)} are listed"


def _moves(service: Service, listing: rules_pb.ListLegalMovesRequest) -> list[rules_pb.LegalMove]:
    outcome = _call(service, "ListLegalMoves", listing)
    if outcome.code is not grpc.StatusCode.OK:
        return []
    answer: Any = outcome.responses[0]
    return list(answer.moves)


def _problems_of_state(
    service: Service, state: game_pb2.GameState, status: game_pb2.TableStatus
) -> Iterator[str]:
    """A state is accepted by every call that takes one."""
    if status.over != (not status.seats_to_move):
        yield f"over is {status.over}, but to move are {list(status.seats_to_move)}"
    for result in status.results:
        view = _call(
            service, "GetPlayerView", rules_pb.GetPlayerViewRequest(state=state, seat=result.seat)
        )
        if view.code is not grpc.StatusCode.OK:
            yield f"the state is not accepted: {view.text}"
            return
        answer: Any = view.responses[0]
        yield from _problems_of_view(service, answer.view)
    for seat in status.seats_to_move:
        listing = rules_pb.ListLegalMovesRequest(state=state, seat=seat)
        if not _moves(service, listing):
            yield f"seat {seat} is to move, but has no legal move"


def _problems_of_view(service: Service, view: game_pb2.PlayerView) -> Iterator[str]:
    """The view of an accepted state is accepted."""
    outcome = _call(service, "ValidateView", rules_pb.ValidateViewRequest(view=view))
    answer: Any = outcome.responses[0] if outcome.responses else None
    if answer is None:
        yield f"the view of an accepted state fails with {outcome.code.name}: {outcome.text}"
    elif answer.violations:
        first = answer.violations[0]
        yield f"the view of an accepted state is refused: {first.field} {first.description}"


def _problems_of_moves(
    service: Service, request: rules_pb.ListLegalMovesRequest, moves: Iterable[rules_pb.LegalMove]
) -> Iterator[str]:
    """A listed move can be played."""
    listed = list(moves)
    if any(not entry.words for entry in listed):
        yield "a move has no words"
    if not request.HasField("state") or not listed:
        return
    for entry in (listed[0], listed[-1]):
        apply = rules_pb.ApplyMoveRequest(state=request.state, move=entry.move)
        if request.HasField("seat"):
            apply.seat = request.seat
        outcome = _call(service, "ApplyMove", apply)
        if outcome.code is not grpc.StatusCode.OK:
            yield f"a listed move is refused: {outcome.text}"
            return
        answer: Any = outcome.responses[0]
        yield from _problems_of_state(service, answer.state, answer.status)
