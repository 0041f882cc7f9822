"""Every call as a value: what is sent, how the answer is read, how long it may take.

The blocking and the asyncio client differ only in how they carry these out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from adamas.envelopes import GameMessage, holds, unwrap, wrap
from adamas.errors import Violation
from adamas.families import MoveT, OptionsOf, PositionOf, StateOf, StateT, ViewOf, ViewT
from adamas.games import (
    Game,
    GameSummary,
    LegalMove,
    Position,
    read_game,
    read_legal_move,
    read_position,
    read_summary,
)
from adamas.limits import Limit
from adamas.queries import Detail, Priority, Query
from adamas.search import Advice, BuiltinPlayer, read_advice
from adamas.v1 import advisor_service_pb2 as advisor
from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as rules
from adamas.worlds import Worlds, read_worlds

DEFAULT_TIME = 1.0
"""Seconds that the server thinks if no limit is given."""
MAX_TIME = 60.0
"""Seconds that the server thinks at most, unless it is set otherwise."""
_PLAYERS = {
    None: advisor.PLAYER_UNSPECIFIED,
    BuiltinPlayer.SEARCH: advisor.PLAYER_SEARCH,
    BuiltinPlayer.CASUAL: advisor.PLAYER_CASUAL,
    BuiltinPlayer.RANDOM: advisor.PLAYER_RANDOM,
}

_DETAILS = {
    None: advisor.DETAIL_UNSPECIFIED,
    Detail.FULL: advisor.DETAIL_FULL,
    Detail.FIGURES: advisor.DETAIL_FIGURES,
}

RECOMMEND_BATCH = "adamas.v1.AdvisorService/RecommendBatch"
_PRIORITIES = {
    None: advisor.PRIORITY_UNSPECIFIED,
    Priority.INTERACTIVE: advisor.PRIORITY_INTERACTIVE,
    Priority.BACKGROUND: advisor.PRIORITY_BACKGROUND,
}

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Operation(Generic[ResultT]):
    """One call, ready to be made.

    Attributes:
        method: The full method name, "package.Service/Method".
        request: The request message.
        answer: The type of the response message.
        read: Makes the result from a response message.
        timeout: The deadline to set, in seconds.
        streams: Whether the server answers with a stream of responses.
    """

    method: str
    request: Message
    answer: type[Message]
    read: Callable[[Any], ResultT]
    timeout: float
    streams: bool = False


@dataclass(frozen=True, slots=True)
class Operations:
    """Makes operations, with the defaults of one client.

    Attributes:
        language: Language of names and words.
        grace: Seconds that a call may take on top of its search time.
    """

    language: str
    grace: float

    # ------------------------------------------------------------------------------------ advice

    def recommend(self, query: Query[MoveT], timeout: float | None) -> Operation[Advice[MoveT]]:
        """One search, one answer."""
        return Operation(
            "adamas.v1.AdvisorService/Recommend",
            advisor.RecommendRequest(query=self._query(query), request_id=query.request_id),
            advisor.RecommendResponse,
            lambda answer: read_advice(answer.advice, request_id=answer.request_id),
            self._search_timeout(query) if timeout is None else timeout,
        )

    def analyze(
        self, query: Query[MoveT], update_interval: float | None, timeout: float | None
    ) -> Operation[Advice[MoveT]]:
        """One search, growing answers."""
        return Operation(
            "adamas.v1.AdvisorService/Analyze",
            advisor.AnalyzeRequest(
                query=self._query(query),
                request_id=query.request_id,
                update_interval=_duration(update_interval),
            ),
            advisor.AnalyzeResponse,
            lambda answer: read_advice(
                answer.advice, final=answer.final, request_id=answer.request_id
            ),
            self._search_timeout(query) if timeout is None else timeout,
            streams=True,
        )

    def recommend_in_batch(self, query: Query[MoveT]) -> Operation[Advice[MoveT]]:
        """One search of a batch: one message of its stream, answered by one."""
        request = advisor.RecommendRequest(query=self._query(query), request_id=query.request_id)
        return Operation(
            RECOMMEND_BATCH,
            advisor.RecommendBatchRequest(recommend=request),
            advisor.RecommendBatchResponse,
            lambda answer: read_advice(answer.advice, request_id=answer.request_id),
            self._search_timeout(query),
        )

    def sample_worlds(
        self,
        position: PositionOf[Any],
        *,
        seat: int | None,
        samples: int | None,
        states: int,
        seed: int | None,
        language: str | None,
    ) -> Operation[Worlds]:
        """Determinizations, counted."""
        request = advisor.SampleWorldsRequest(
            samples=samples or 0, worlds=states, seed=seed, language=self._language(language)
        )
        _set_position(request, position, seat)
        return Operation(
            "adamas.v1.AdvisorService/SampleWorlds",
            request,
            advisor.SampleWorldsResponse,
            read_worlds,
            self.grace,
        )

    def _query(self, query: Query[Any]) -> advisor.SearchQuery:
        limit = query.limit or Limit()
        message = advisor.SearchQuery(
            limits=advisor.SearchLimits(
                time=_duration(limit.time), iterations=limit.iterations or 0
            ),
            candidates=query.candidates or 0,
            seed=query.seed,
            trees=query.trees or 0,
            player=_PLAYERS[query.player],
            level=query.level or 0,
            target_rating=query.target_rating,
            detail=_DETAILS[query.detail],
            only=_only(query.only),
            without=[wrap(game_pb2.Move, move) for move in query.without],
            compare=None if query.compare is None else wrap(game_pb2.Move, query.compare),
            priority=_PRIORITIES[query.priority],
            language=self._language(query.language),
        )
        _set_position(message, query.position, query.seat)
        return message

    def _search_timeout(self, query: Query[Any]) -> float:
        limit = query.limit or Limit()
        if limit.time is not None:
            return limit.time + self.grace
        return (DEFAULT_TIME if limit.iterations is None else MAX_TIME) + self.grace

    # ------------------------------------------------------------------------------------- rules

    def games(self, *, language: str | None) -> Operation[tuple[GameSummary, ...]]:
        """The games of the server."""
        return Operation(
            "adamas.v1.RulesService/ListGames",
            rules.ListGamesRequest(language=self._language(language)),
            rules.ListGamesResponse,
            lambda answer: tuple(read_summary(game) for game in answer.games),
            self.grace,
        )

    def server_version(self) -> Operation[str]:
        """The version of the server."""
        return Operation(
            "adamas.v1.RulesService/ListGames",
            rules.ListGamesRequest(),
            rules.ListGamesResponse,
            lambda answer: answer.server_version,
            self.grace,
        )

    def game(self, game_id: str, *, seats: int | None, language: str | None) -> Operation[Game]:
        """One game's description."""
        return Operation(
            "adamas.v1.RulesService/GetGame",
            rules.GetGameRequest(
                game_id=game_id, seats=seats or 0, language=self._language(language)
            ),
            rules.GetGameResponse,
            read_game,
            self.grace,
        )

    def start(
        self, options: OptionsOf[StateT], seats: int, *, seed: int | None
    ) -> Operation[Position[StateT]]:
        """A new game."""
        return Operation(
            "adamas.v1.RulesService/StartGame",
            rules.StartGameRequest(
                options=wrap(game_pb2.GameOptions, options), seats=seats, seed=seed
            ),
            rules.StartGameResponse,
            lambda answer: read_position(answer.state, answer.events, (), answer.status),
            self.grace,
        )

    def view(self, state: StateOf[Any, ViewT, Any], seat: int) -> Operation[ViewT]:
        """What one seat knows."""
        return Operation(
            "adamas.v1.RulesService/GetPlayerView",
            rules.GetPlayerViewRequest(state=wrap(game_pb2.GameState, state), seat=seat),
            rules.GetPlayerViewResponse,
            lambda answer: unwrap(answer.view),
            self.grace,
        )

    def legal_moves(
        self, position: PositionOf[MoveT], *, seat: int | None, language: str | None
    ) -> Operation[tuple[LegalMove[MoveT], ...]]:
        """The legal moves."""
        request = rules.ListLegalMovesRequest(language=self._language(language), seat=seat)
        if holds(game_pb2.GameState, position):
            request.state.CopyFrom(wrap(game_pb2.GameState, position))
        else:
            request.view.CopyFrom(wrap(game_pb2.PlayerView, position))
        return Operation(
            "adamas.v1.RulesService/ListLegalMoves",
            request,
            rules.ListLegalMovesResponse,
            lambda answer: tuple(read_legal_move(move) for move in answer.moves),
            self.grace,
        )

    def apply(
        self,
        state: StateOf[StateT, Any, Any],
        move: GameMessage,
        *,
        seat: int | None,
        language: str | None,
    ) -> Operation[Position[StateT]]:
        """One move played."""
        return Operation(
            "adamas.v1.RulesService/ApplyMove",
            rules.ApplyMoveRequest(
                state=wrap(game_pb2.GameState, state),
                move=wrap(game_pb2.Move, move),
                seat=seat,
                language=self._language(language),
            ),
            rules.ApplyMoveResponse,
            lambda answer: read_position(
                answer.state, answer.events, answer.event_words, answer.status
            ),
            self.grace,
        )

    def position(self, state: StateOf[StateT, Any, Any]) -> Operation[Position[StateT]]:
        """How a table stands."""
        envelope = wrap(game_pb2.GameState, state)
        return Operation(
            "adamas.v1.RulesService/GetTableStatus",
            rules.GetTableStatusRequest(state=envelope),
            rules.GetTableStatusResponse,
            lambda answer: read_position(envelope, (), (), answer.status),
            self.grace,
        )

    def validate(self, view: ViewOf[Any]) -> Operation[tuple[Violation, ...]]:
        """What is wrong with a view."""
        return Operation(
            "adamas.v1.RulesService/ValidateView",
            rules.ValidateViewRequest(view=wrap(game_pb2.PlayerView, view)),
            rules.ValidateViewResponse,
            lambda answer: tuple(
                Violation(violation.field, violation.description) for violation in answer.violations
            ),
            self.grace,
        )

    def _language(self, language: str | None) -> str:
        return self.language if language is None else language


def _only(moves: Sequence[GameMessage] | None) -> list[game_pb2.Move]:
    if moves is None:
        return []
    if not moves:  # would be sent as all moves
        raise ValueError("there is no move in `only`; None considers all legal ones")
    return [wrap(game_pb2.Move, move) for move in moves]


def _set_position(
    message: advisor.SearchQuery | advisor.SampleWorldsRequest,
    position: PositionOf[Any],
    seat: int | None,
) -> None:
    if holds(game_pb2.GameState, position):
        if seat is None:
            raise TypeError("a full state needs `seat`: the seat to advise")
        message.state.state.CopyFrom(wrap(game_pb2.GameState, position))
        message.state.seat = seat
    else:
        if seat is not None:
            raise TypeError("`seat` goes with a full state; a view has its own seat")
        message.view.CopyFrom(wrap(game_pb2.PlayerView, position))


def _duration(seconds: float | None) -> Duration | None:
    if seconds is None:
        return None
    duration = Duration()
    duration.FromNanoseconds(round(seconds * 1e9))
    return duration
