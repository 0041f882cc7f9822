"""Players in this process that behave as badly as a test wants, behind real gRPC servers."""

import time
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager

import grpc

from adamas import Client, Limit
from adamas.envelopes import wrap
from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as rules
from adamas.v1.dao_pb2 import DAO_ACTION_TAKE, DaoMove
from adamas.v1.diams_pb2 import DiamsMove

Behaviour = Callable[[pb.RecommendRequest, grpc.ServicerContext], pb.RecommendResponse]


@contextmanager
def bot(behaviour: Behaviour, port: int = 0) -> Iterator[str]:
    """Runs a player while the block runs, at a free port for 0; gives its address."""
    handler = grpc.unary_unary_rpc_method_handler(
        behaviour,
        request_deserializer=pb.RecommendRequest.FromString,
        response_serializer=pb.RecommendResponse.SerializeToString,
    )
    service = grpc.method_handlers_generic_handler(
        "adamas.v1.AdvisorService", {"Recommend": handler}
    )
    with _serving(service, port) as address:
        yield address


@contextmanager
def without_levels() -> Iterator[str]:
    """Runs a server that knows every game, and of none of them a level; gives its address."""
    handler = grpc.unary_unary_rpc_method_handler(
        lambda request, context: rules.GetGameResponse(),
        request_deserializer=rules.GetGameRequest.FromString,
        response_serializer=rules.GetGameResponse.SerializeToString,
    )
    service = grpc.method_handlers_generic_handler("adamas.v1.RulesService", {"GetGame": handler})
    with _serving(service) as address:
        yield address


@contextmanager
def _serving(service: grpc.GenericRpcHandler, port: int = 0) -> Iterator[str]:
    server = grpc.server(futures.ThreadPoolExecutor(8))
    server.add_generic_rpc_handlers([service])
    port = server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(0)


def first_move(target: str) -> Behaviour:
    """Plays the first legal move; sends nothing but `best_move`."""
    client = Client(target)

    def play(request: pb.RecommendRequest, context: grpc.ServicerContext) -> pb.RecommendResponse:
        move = client.legal_moves(request.query.view)[0].move
        return answer(wrap(game_pb2.Move, move))

    return play


def thinker(target: str, iterations: int) -> Behaviour:
    """Passes the question on to the service, as somebody's own program may."""
    client = Client(target)

    def play(request: pb.RecommendRequest, context: grpc.ServicerContext) -> pb.RecommendResponse:
        advice = client.recommend(
            request.query.view, Limit(iterations=iterations), seed=request.query.seed, trees=1
        )
        return answer(wrap(game_pb2.Move, advice.best_move))

    return play


def noting(
    questions: list[pb.SearchQuery],
    good: Behaviour,
    shown: list[dict[str, str | bytes]] | None = None,
) -> Behaviour:
    """Behaves well, and keeps what it was asked and with which metadata."""

    def play(request: pb.RecommendRequest, context: grpc.ServicerContext) -> pb.RecommendResponse:
        questions.append(request.query)
        if shown is not None:
            shown.append(dict(context.invocation_metadata()))
        return good(request, context)

    return play


def after(moves: int, bad: Behaviour, good: Behaviour) -> Behaviour:
    """Behaves well for some moves, then badly."""
    made = 0

    def play(request: pb.RecommendRequest, context: grpc.ServicerContext) -> pb.RecommendResponse:
        nonlocal made
        made += 1
        return good(request, context) if made <= moves else bad(request, context)

    return play


def illegal(request: pb.RecommendRequest, context: grpc.ServicerContext) -> pb.RecommendResponse:
    """Sends a move without an action."""
    return answer(game_pb2.Move(dao=DaoMove()))


def of_another_game(
    request: pb.RecommendRequest, context: grpc.ServicerContext
) -> pb.RecommendResponse:
    """Sends a move of a game that is not being played."""
    return answer(game_pb2.Move(diams=DiamsMove()))


def silent(request: pb.RecommendRequest, context: grpc.ServicerContext) -> pb.RecommendResponse:
    """Sends an answer without a move."""
    return pb.RecommendResponse()


def failing(request: pb.RecommendRequest, context: grpc.ServicerContext) -> pb.RecommendResponse:
    """Raises."""
    raise RuntimeError("no idea what to play")


def hanging(request: pb.RecommendRequest, context: grpc.ServicerContext) -> pb.RecommendResponse:
    """Answers far too late."""
    while context.is_active():
        time.sleep(0.02)
    return answer(game_pb2.Move(dao=DaoMove(action=DAO_ACTION_TAKE)))


def answer(move: game_pb2.Move) -> pb.RecommendResponse:
    """The shortest answer there is."""
    return pb.RecommendResponse(advice=pb.Advice(best_move=move))
