"""The blocking client."""

import time
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import grpc

from adamas.access import Tls, channel_credentials, token_metadata
from adamas.analysis import Analysis
from adamas.batch import Batch, Queries
from adamas.channels import channel_options
from adamas.envelopes import GameMessage
from adamas.errors import ClientClosed, DeadlineExceeded, Unavailable, Violation, from_rpc_error
from adamas.families import MoveT, OptionsOf, PositionOf, StateOf, StateT, ViewOf, ViewT
from adamas.games import Game, GameSummary, LegalMove, Position
from adamas.limits import Limit
from adamas.operations import RECOMMEND_BATCH, Operation, Operations
from adamas.queries import Detail, Priority, Query
from adamas.search import Advice, BuiltinPlayer
from adamas.table import Table
from adamas.v1 import advisor_service_pb2 as advisor
from adamas.window import Window
from adamas.worlds import Worlds

__all__ = ["Analysis", "Batch", "Client", "Table"]

ResultT = TypeVar("ResultT")


class Client:
    """A connection to an Adamas server, for any number of calls and threads.

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
        """Set up the client; nothing is sent yet.

        Args:
            target: Where the server is, "host:port".
            language: Language of names and words, "en" or "zh-TW".
            grace: Seconds that a call may take on top of its search time before it fails with
                DeadlineExceeded. Every call has a deadline.
            token: What the server knows this client by; None: the one in the environment variable
                ADAMAS_CLIENT_TOKEN, if there is one.
            tls: True: TLS with a server that this machine trusts; `Tls(...)`: with the files named
                there; None: with those in ADAMAS_CLIENT_TLS_ROOT, ADAMAS_CLIENT_TLS_CERT and
                ADAMAS_CLIENT_TLS_KEY, or no TLS if none is set.
            plaintext_token: Whether the token may be sent to other machines without TLS.
            credentials: gRPC's own credentials, in place of `tls`.
            metadata: Sent along with every call.
            options: gRPC channel options, laid over this package's own.

        Raises:
            ValueError: If the token would be sent to another machine without TLS.
            OSError: If a file of `tls` can't be read.
        """
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
        arguments = channel_options(target, options)
        self._channel = (
            grpc.insecure_channel(target, arguments)
            if credentials is None
            else grpc.secure_channel(target, credentials, arguments)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Client of {self._target}{', closed' if self._closed else ''}>"

    def close(self) -> None:
        """End the connection and whatever still runs over it."""
        self._closed = True
        self._channel.close()

    def wait_ready(self, timeout: float = 30.0) -> None:
        """Wait until the server answers, for one that is still starting.

        Args:
            timeout: Seconds to wait at most.

        Raises:
            Unavailable: If it has not answered by then.
        """
        operation = self._operations.games(language=None)
        end = time.monotonic() + timeout
        while True:
            try:
                self._run(operation, max(end - time.monotonic(), 0.01), wait=True)
            except DeadlineExceeded as error:
                raise Unavailable(
                    f"no server at {self._target} became ready within {timeout:g} s"
                ) from error
            except Unavailable:
                if time.monotonic() >= end:
                    raise
                time.sleep(0.05)
            else:
                return

    # ------------------------------------------------------------------------------------ advice

    def recommend(
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
        timeout: float | None = None,
    ) -> Advice[MoveT]:
        """Search a position and rank the legal moves of the seat whose view it is.

        Args:
            position: What the seat knows, as the game's view message or a PlayerView. A full state
                does too, together with `seat`; the server reduces it to the seat's view first.
            limit: When the search ends; None: after one second.
            seat: With a full state: the seat to advise, 0-based.
            candidates: How many ranked moves to return at most; None: 5.
            seed: Seed of every random choice; None: a random one, told in the answer. Together
                with an iteration limit it fixes the answer.
            trees: How many independent trees to grow; None: the server's setting.
            player: Who chooses the move; None: the search.
            level: How strongly the search plays, 1 to 10; None: full strength, which is level 10.
                What each level is rated in a game: `Game.levels`.
            target_rating: How strongly the search plays, as a rating; give this or `level`.
            detail: What candidates come with; None: everything.
            only: The moves to consider; None: all legal ones.
            without: Moves to leave out of those.
            compare: A move to compare with the best; `Advice.compared` tells how it does.
            priority: Who goes first when the server has too much to do; None: interactive.
            language: Language of the words; None: the client's.
            request_id: Any text of up to 128 characters, echoed back.
            timeout: Seconds after which the call fails; None: the search time and the client's
                grace. The server answers before it, with less search if need be.

        Raises:
            InvalidRequest: If the position can't be searched; says which field is wrong.
            AdamasError: If anything else goes wrong.
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
        return self._run(self._operations.recommend(query, timeout))

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
    ) -> Analysis[MoveT]:
        """Search a position and watch the answer grow.

            with client.analyze(view, Limit(time=5)) as analysis:
                for update in analysis:
                    print(update.best)

        Args:
            position: As for `recommend`, and so are the other arguments.
            limit: When the search ends.
            seat: With a full state: the seat to advise.
            candidates: How many ranked moves to return at most.
            seed: Seed of every random choice.
            trees: How many independent trees to grow.
            player: Who chooses the move.
            level: How strongly the search plays.
            target_rating: How strongly the search plays, as a rating.
            detail: What candidates come with.
            only: The moves to consider.
            without: Moves to leave out of those.
            compare: A move to compare with the best.
            priority: Who goes first when the server has too much to do.
            language: Language of the words.
            update_interval: Seconds between two updates; None: 0.2.
            request_id: Any text, echoed back.
            timeout: Seconds after which the call fails.

        Returns:
            The running analysis. Errors of the call come from iterating it or waiting for it.
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
        return Analysis(call, operation, self._target)

    def recommend_batch(
        self,
        queries: Queries[MoveT],
        limit: Limit | None = None,
        *,
        window: int = 16,
        retries: int = 5,
        timeout: float | None = None,
    ) -> Batch[MoveT]:
        """Search many positions over one stream, and get the results as they come.

            with client.recommend_batch(views, Limit(iterations=1000)) as batch:
                for result in batch:
                    print(result.request_id, result.get().best)

        Args:
            queries: Positions, as for `recommend`, or queries that say how to search one. They are
                taken as there is room in the window, in another thread, so the source may wait
                for results.
            limit: When the search of a query without a limit of its own ends; None: after a second.
            window: How many queries may have been taken without their result having been. For
                searches that are limited by time: about as many as the server has cores, which
                they share. The server's own bound is 32, unless it is set otherwise.
            retries: How often something is sent again that found no server or one with too much to
                do: a search, or all that has no result when the stream breaks.
            timeout: Seconds after which the whole batch fails; None: never, as long as the server
                gives a sign of life within the time of a search and the client's grace.

        Returns:
            The running batch. A search that fails is a result with an error. What ends the batch
            comes from iterating it: a stream that breaks for good, or an error of the source.

        Raises:
            ValueError: If `window` or `retries` makes no sense.
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
        return Batch(self._open_batch, queries, bookkeeping)

    def sample_worlds(
        self,
        position: PositionOf[Any],
        *,
        seat: int | None = None,
        samples: int | None = None,
        states: int = 0,
        seed: int | None = None,
        language: str | None = None,
    ) -> Worlds:
        """Say where the search holds which hidden card possible.

        Args:
            position: What a seat knows, or a full state together with `seat`. It need not be the
                seat's move.
            seat: With a full state: the seat that looks at it.
            samples: How many determinizations to count; None: 1000.
            states: How many of them to return as full states, at most 100.
            seed: Seed of the samples; None: a random one, told in the answer.
            language: Language of the words; None: the client's.
        """
        return self._run(
            self._operations.sample_worlds(
                position, seat=seat, samples=samples, states=states, seed=seed, language=language
            )
        )

    # ------------------------------------------------------------------------------------- rules

    def games(self, *, language: str | None = None) -> tuple[GameSummary, ...]:
        """List the games of the server.

        Args:
            language: Language of the names; None: the client's.
        """
        return self._run(self._operations.games(language=language))

    def server_version(self) -> str:
        """The version of the server; empty if it is too old to tell."""
        return self._run(self._operations.server_version())

    def game(self, game_id: str, *, seats: int | None = None, language: str | None = None) -> Game:
        """Describe one game: its variants and options.

        Args:
            game_id: The id of one of `games()`.
            seats: Number of seats for which to give defaults; None: the smallest number.
            language: Language of names and descriptions; None: the client's.
        """
        return self._run(self._operations.game(game_id, seats=seats, language=language))

    def start(
        self, options: OptionsOf[StateT], seats: int, *, seed: int | None = None
    ) -> Position[StateT]:
        """Deal a new game.

        Args:
            options: The game's options message, such as `DaoOptions()`, or a GameOptions.
            seats: Number of seats.
            seed: Seed of the deal and of every later chance event; None: a random one.
        """
        return self._run(self._operations.start(options, seats, seed=seed))

    def view(self, state: StateOf[Any, ViewT, Any], seat: int) -> ViewT:
        """Reduce a full state to what one seat knows: the game's view message."""
        return self._run(self._operations.view(state, seat))

    def legal_moves(
        self, position: PositionOf[MoveT], *, seat: int | None = None, language: str | None = None
    ) -> tuple[LegalMove[MoveT], ...]:
        """List the legal moves, empty if the seat is not to move.

        Args:
            position: A seat's view, or a full state.
            seat: With a full state: whose moves; None: those of the first seat to move.
            language: Language of the words; None: the client's.
        """
        return self._run(self._operations.legal_moves(position, seat=seat, language=language))

    def apply(
        self,
        state: StateOf[StateT, Any, Any],
        move: GameMessage,
        *,
        seat: int | None = None,
        language: str | None = None,
    ) -> Position[StateT]:
        """Play a move.

        Args:
            state: The full state; stays as it is.
            move: The game's move message, or a Move.
            seat: Who plays it; None: the first seat to move.
            language: Language of the events' words; None: the client's.

        Raises:
            InvalidRequest: If the move is not legal.
        """
        return self._run(self._operations.apply(state, move, seat=seat, language=language))

    def position(self, state: StateOf[StateT, Any, Any]) -> Position[StateT]:
        """Say who is to move in a full state and how the seats stand."""
        return self._run(self._operations.position(state))

    def validate(self, view: ViewOf[Any]) -> tuple[Violation, ...]:
        """Say what is wrong with a view, field by field; empty if it can be searched."""
        return self._run(self._operations.validate(view))

    def table(
        self,
        options: OptionsOf[StateT],
        seats: int,
        *,
        seed: int | None = None,
        language: str | None = None,
    ) -> Table[StateT]:
        """Deal a new game and host it.

        Args:
            options: As for `start`, and so are the other arguments.
            seats: Number of seats.
            seed: Seed of the deal and of every later chance event.
            language: Language of the words at this table; None: the client's.
        """
        return Table(self, self.start(options, seats, seed=seed), language)

    def resume(
        self, state: StateOf[StateT, Any, Any], *, language: str | None = None
    ) -> Table[StateT]:
        """Host a game that has begun already, from its full state."""
        return Table(self, self.position(state), language)

    # --------------------------------------------------------------------------------------------

    def _check_open(self) -> None:
        if self._closed:
            raise ClientClosed("this client has been closed")

    def _open_batch(self, requests: Iterator[Any], timeout: float | None) -> Any:
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

    def _run(
        self, operation: Operation[ResultT], timeout: float | None = None, *, wait: bool = False
    ) -> ResultT:
        timeout = operation.timeout if timeout is None else timeout
        method = self._method(operation)
        try:
            answer = method(
                operation.request, timeout=timeout, metadata=self._metadata, wait_for_ready=wait
            )
        except grpc.RpcError as error:
            raise from_rpc_error(error, self._target, timeout) from None
        return operation.read(answer)
