"""The client for asyncio: the twin of `adamas.client`, method by method."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import grpc
import grpc.aio

from adamas.access import Tls, channel_credentials, token_metadata
from adamas.analysis import AsyncAnalysis
from adamas.batch import AsyncBatch, AsyncQueries, Queries
from adamas.channels import channel_options
from adamas.envelopes import GameMessage
from adamas.errors import (
    Cancelled,
    ClientClosed,
    DeadlineExceeded,
    Unavailable,
    Violation,
    from_rpc_error,
)
from adamas.families import MoveT, OptionsOf, PositionOf, StateOf, StateT, ViewOf, ViewT
from adamas.games import Game, GameSummary, LegalMove, Position
from adamas.limits import Limit
from adamas.operations import RECOMMEND_BATCH, Operation, Operations
from adamas.queries import Detail, Priority, Query
from adamas.search import Advice, BuiltinPlayer
from adamas.table import AsyncTable
from adamas.v1 import advisor_service_pb2 as advisor
from adamas.window import Window
from adamas.worlds import Worlds

__all__ = ["AsyncAnalysis", "AsyncBatch", "AsyncClient", "AsyncTable"]

ResultT = TypeVar("ResultT")


class AsyncClient:
    """A connection to an Adamas server, for any number of calls of one event loop.

    The connection is made by the first call, and made again whenever it breaks.
    """

    def __init__(
        self,
        target: str = "localhost:50051",
        *,
        language: str = "en",
        grace: float = 10.0,
        token: str | None = None,
        tls: Tls | bool | None = None,
        plaintext_token: bool = False,
        credentials: grpc.ChannelCredentials | None = None,
        metadata: Sequence[tuple[str, str]] = (),
        options: Sequence[tuple[str, Any]] = (),
    ) -> None:
        """Set up the client; nothing is sent yet. The arguments are those of `Client`."""
        self._target = target
        credentials = channel_credentials(tls, credentials)
        self._metadata = (
            *token_metadata(
                token, target, encrypted=credentials is not None, plaintext=plaintext_token
            ),
            *metadata,
        )
        self._operations = Operations(language, grace)
        self._closed = False
        self._credentials = credentials
        self._options = channel_options(target, options)
        self._made_channel: grpc.aio.Channel | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<AsyncClient of {self._target}{', closed' if self._closed else ''}>"

    async def close(self) -> None:
        """End the connection and whatever still runs over it."""
        self._closed = True
        if self._made_channel is not None:
            await self._made_channel.close()

    async def wait_ready(self, timeout: float = 30.0) -> None:  # noqa: ASYNC109
        """Wait until the server answers; as `Client.wait_ready`."""
        operation = self._operations.games(language=None)
        end = time.monotonic() + timeout
        while True:
            try:
                await self._run(operation, max(end - time.monotonic(), 0.01), wait=True)
            except DeadlineExceeded as error:
                raise Unavailable(
                    f"no server at {self._target} became ready within {timeout:g} s"
                ) from error
            except Unavailable:
                if time.monotonic() >= end:
                    raise
                await asyncio.sleep(0.05)
            else:
                return

    # ------------------------------------------------------------------------------------ advice

    async def recommend(
        self,
        position: PositionOf[MoveT],
        limit: Limit | None = None,
        *,
        seat: int | None = None,
        candidates: int | None = None,
        seed: int | None = None,
        trees: int | None = None,
        player: BuiltinPlayer | None = None,
        level: int | None = None,
        target_rating: float | None = None,
        detail: Detail | None = None,
        only: Sequence[MoveT] | None = None,
        without: Sequence[MoveT] = (),
        compare: MoveT | None = None,
        priority: Priority | None = None,
        language: str | None = None,
        request_id: str = "",
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> Advice[MoveT]:
        """Search a position and rank the legal moves; as `Client.recommend`."""
        query = Query(
            position,
            limit,
            seat=seat,
            candidates=candidates,
            seed=seed,
            trees=trees,
            language=language,
            player=player,
            level=level,
            target_rating=target_rating,
            detail=detail,
            only=only,
            without=without,
            compare=compare,
            priority=priority,
            request_id=request_id,
        )
        return await self._run(self._operations.recommend(query, timeout))

    def analyze(
        self,
        position: PositionOf[MoveT],
        limit: Limit | None = None,
        *,
        seat: int | None = None,
        candidates: int | None = None,
        seed: int | None = None,
        trees: int | None = None,
        player: BuiltinPlayer | None = None,
        level: int | None = None,
        target_rating: float | None = None,
        detail: Detail | None = None,
        only: Sequence[MoveT] | None = None,
        without: Sequence[MoveT] = (),
        compare: MoveT | None = None,
        priority: Priority | None = None,
        language: str | None = None,
        update_interval: float | None = None,
        request_id: str = "",
        timeout: float | None = None,
    ) -> AsyncAnalysis[MoveT]:
        """Search a position and watch the answer grow; as `Client.analyze`.

            async with client.analyze(view, Limit(time=5)) as analysis:
                async for update in analysis:
                    print(update.best)

        Has to be called where an event loop runs, but needs no `await`.
        """
        query = Query(
            position,
            limit,
            seat=seat,
            candidates=candidates,
            seed=seed,
            trees=trees,
            language=language,
            player=player,
            level=level,
            target_rating=target_rating,
            detail=detail,
            only=only,
            without=without,
            compare=compare,
            priority=priority,
            request_id=request_id,
        )
        operation = self._operations.analyze(query, update_interval, timeout)
        call = self._method(operation)(
            operation.request, timeout=operation.timeout, metadata=self._metadata
        )
        return AsyncAnalysis(call, operation, self._target)

    def recommend_batch(
        self,
        queries: Queries[MoveT] | AsyncQueries[MoveT],
        limit: Limit | None = None,
        *,
        window: int = 16,
        retries: int = 5,
        timeout: float | None = None,
    ) -> AsyncBatch[MoveT]:
        """Search many positions over one stream; as `Client.recommend_batch`.

            async with client.recommend_batch(views, Limit(iterations=1000)) as batch:
                async for result in batch:
                    print(result.request_id, result.get().best)

        A source that is not asynchronous must not block. Has to be called where an event loop runs,
        but needs no `await`.
        """
        self._check_open()
        bookkeeping = Window(
            self._operations,
            self._target,
            limit=limit,
            size=window,
            retries=retries,
            timeout=timeout,
        )
        return AsyncBatch(self._open_batch, queries, bookkeeping)

    async def sample_worlds(
        self,
        position: PositionOf[Any],
        *,
        seat: int | None = None,
        samples: int | None = None,
        states: int = 0,
        seed: int | None = None,
        language: str | None = None,
    ) -> Worlds:
        """Say where the search holds which hidden card possible; as `Client.sample_worlds`."""
        return await self._run(
            self._operations.sample_worlds(
                position, seat=seat, samples=samples, states=states, seed=seed, language=language
            )
        )

    # ------------------------------------------------------------------------------------- rules

    async def games(self, *, language: str | None = None) -> tuple[GameSummary, ...]:
        """List the games of the server; as `Client.games`."""
        return await self._run(self._operations.games(language=language))

    async def server_version(self) -> str:
        """The version of the server; empty if it is too old to tell."""
        return await self._run(self._operations.server_version())

    async def game(
        self, game_id: str, *, seats: int | None = None, language: str | None = None
    ) -> Game:
        """Describe one game; as `Client.game`."""
        return await self._run(self._operations.game(game_id, seats=seats, language=language))

    async def start(
        self, options: OptionsOf[StateT], seats: int, *, seed: int | None = None
    ) -> Position[StateT]:
        """Deal a new game; as `Client.start`."""
        return await self._run(self._operations.start(options, seats, seed=seed))

    async def view(self, state: StateOf[Any, ViewT, Any], seat: int) -> ViewT:
        """Reduce a full state to what one seat knows; as `Client.view`."""
        return await self._run(self._operations.view(state, seat))

    async def legal_moves(
        self, position: PositionOf[MoveT], *, seat: int | None = None, language: str | None = None
    ) -> tuple[LegalMove[MoveT], ...]:
        """List the legal moves; as `Client.legal_moves`."""
        return await self._run(self._operations.legal_moves(position, seat=seat, language=language))

    async def apply(
        self,
        state: StateOf[StateT, Any, Any],
        move: GameMessage,
        *,
        seat: int | None = None,
        language: str | None = None,
    ) -> Position[StateT]:
        """Play a move; as `Client.apply`."""
        return await self._run(self._operations.apply(state, move, seat=seat, language=language))

    async def position(self, state: StateOf[StateT, Any, Any]) -> Position[StateT]:
        """Say who is to move in a full state; as `Client.position`."""
        return await self._run(self._operations.position(state))

    async def validate(self, view: ViewOf[Any]) -> tuple[Violation, ...]:
        """Say what is wrong with a view; as `Client.validate`."""
        return await self._run(self._operations.validate(view))

    async def table(
        self,
        options: OptionsOf[StateT],
        seats: int,
        *,
        seed: int | None = None,
        language: str | None = None,
    ) -> AsyncTable[StateT]:
        """Deal a new game and host it; as `Client.table`."""
        return AsyncTable(self, await self.start(options, seats, seed=seed), language)

    async def resume(
        self, state: StateOf[StateT, Any, Any], *, language: str | None = None
    ) -> AsyncTable[StateT]:
        """Host a game that has begun already; as `Client.resume`."""
        return AsyncTable(self, await self.position(state), language)

    # --------------------------------------------------------------------------------------------

    @property
    def _channel(self) -> grpc.aio.Channel:
        # Made late: a channel belongs to the event loop that runs when it is made.
        if self._made_channel is None:
            self._made_channel = (
                grpc.aio.insecure_channel(self._target, self._options)
                if self._credentials is None
                else grpc.aio.secure_channel(self._target, self._credentials, self._options)
            )
        return self._made_channel

    def _check_open(self) -> None:
        if self._closed:
            raise ClientClosed("this client has been closed")

    def _open_batch(self, requests: AsyncIterator[Any], timeout: float | None) -> Any:
        self._check_open()
        method: Any = self._channel.stream_stream(
            f"/{RECOMMEND_BATCH}",
            request_serializer=advisor.RecommendBatchRequest.SerializeToString,
            response_deserializer=advisor.RecommendBatchResponse.FromString,
        )
        return method(requests, timeout=timeout, metadata=self._metadata)

    def _method(self, operation: Operation[Any]) -> Callable[..., Any]:
        self._check_open()
        make: Callable[..., Callable[..., Any]] = (
            self._channel.unary_stream if operation.streams else self._channel.unary_unary
        )
        return make(
            f"/{operation.method}",
            request_serializer=type(operation.request).SerializeToString,
            response_deserializer=operation.answer.FromString,
        )

    async def _run(
        self,
        operation: Operation[ResultT],
        timeout: float | None = None,  # noqa: ASYNC109
        *,
        wait: bool = False,
    ) -> ResultT:
        timeout = operation.timeout if timeout is None else timeout
        method = self._method(operation)
        try:
            answer = await method(
                operation.request, timeout=timeout, metadata=self._metadata, wait_for_ready=wait
            )
        except grpc.RpcError as error:
            raise from_rpc_error(error, self._target, timeout) from None
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._closed and not (task and task.cancelling()):
                raise Cancelled("the client was closed before the answer had come") from None
            raise
        return operation.read(answer)
