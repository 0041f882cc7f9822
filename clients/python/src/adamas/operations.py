"""Every call as a value: what is sent, how the answer is read, how long it may take.

The blocking and the asyncio client differ only in how they carry these out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from adamas.envelopes import GameMessage, holds, unwrap, wrap
from adamas.errors import Violation
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
from adamas.queries import Priority, Query
from adamas.search import Advice, BuiltinPlayer, read_advice
from adamas.v1 import advisor_service_pb2 as advisor
from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as rules

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

    def recommend(
        self,
        position: Message,
        limit: Limit | None,
        *,
        seat: int | None,
        candidates: int | None,
        seed: int | None,
        trees: int | None,
        player: BuiltinPlayer | None,
        level: int | None,
        target_rating: float | None,
        priority: Priority | None,
        language: str | None,
        request_id: str,
        timeout: float | None,
    ) -> Operation[Advice]:
        """One search, one answer."""
        limit = limit or Limit()
        return Operation(
            "adamas.v1.AdvisorService/Recommend",
            advisor.RecommendRequest(
                query=self._query(
                    position,
                    limit,
                    seat,
                    candidates,
                    seed,
                    trees,
                    player,
                    level,
                    target_rating,
                    priority,
                    language,
                ),
                request_id=request_id,
            ),
            advisor.RecommendResponse,
            lambda answer: read_advice(answer.advice, request_id=answer.request_id),
            self._search_timeout(limit, timeout),
        )

    def analyze(
        self,
        position: Message,
        limit: Limit | None,
        *,
        seat: int | None,
        candidates: int | None,
        seed: int | None,
        trees: int | None,
        player: BuiltinPlayer | None,
        level: int | None,
        target_rating: float | None,
        priority: Priority | None,
        language: str | None,
        update_interval: float | None,
        request_id: str,
        timeout: float | None,
    ) -> Operation[Advice]:
        """One search, growing answers."""
        limit = limit or Limit()
        return Operation(
            "adamas.v1.AdvisorService/Analyze",
            advisor.AnalyzeRequest(
                query=self._query(
                    position,
                    limit,
                    seat,
                    candidates,
                    seed,
                    trees,
                    player,
                    level,
                    target_rating,
                    priority,
                    language,
                ),
                request_id=request_id,
                update_interval=_duration(update_interval),
            ),
            advisor.AnalyzeResponse,
            lambda answer: read_advice(
                answer.advice, final=answer.final, request_id=answer.request_id
            ),
            self._search_timeout(limit, timeout),
            streams=True,
        )

    def recommend_in_batch(
        self, query: Query, limit: Limit | None, request_id: str
    ) -> Operation[Advice]:
        """One search of a batch: one message of its stream, answered by one."""
        limit = query.limit or limit or Limit()
        asked = self._query(
            query.position,
            limit,
            query.seat,
            query.candidates,
            query.seed,
            query.trees,
            query.player,
            query.level,
            query.target_rating,
            query.priority,
            query.language,
        )
        return Operation(
            RECOMMEND_BATCH,
            advisor.RecommendBatchRequest(
                recommend=advisor.RecommendRequest(query=asked, request_id=request_id)
            ),
            advisor.RecommendBatchResponse,
            lambda answer: read_advice(answer.advice, request_id=answer.request_id),
            self._search_timeout(limit, None),
        )

    def _query(
        self,
        position: Message,
        limit: Limit,
        seat: int | None,
        candidates: int | None,
        seed: int | None,
        trees: int | None,
        player: BuiltinPlayer | None,
        level: int | None,
        target_rating: float | None,
        priority: Priority | None,
        language: str | None,
    ) -> advisor.SearchQuery:
        query = advisor.SearchQuery(
            limits=advisor.SearchLimits(
                time=_duration(limit.time), iterations=limit.iterations or 0
            ),
            candidates=candidates or 0,
            seed=seed,
            trees=trees or 0,
            player=_PLAYERS[player],
            level=level or 0,
            target_rating=target_rating,
            priority=_PRIORITIES[priority],
            language=self._language(language),
        )
        if holds(game_pb2.GameState, position):
            if seat is None:
                raise TypeError("a full state needs `seat`: the seat to advise")
            query.state.state.CopyFrom(wrap(game_pb2.GameState, position))
            query.state.seat = seat
        else:
            if seat is not None:
                raise TypeError("`seat` goes with a full state; a view has its own seat")
            query.view.CopyFrom(wrap(game_pb2.PlayerView, position))
        return query

    def _search_timeout(self, limit: Limit, timeout: float | None) -> float:
        if timeout is not None:
            return timeout
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

    def start(self, options: Message, seats: int, *, seed: int | None) -> Operation[Position]:
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

    def view(self, state: Message, seat: int) -> Operation[GameMessage]:
        """What one seat knows."""
        return Operation(
            "adamas.v1.RulesService/GetPlayerView",
            rules.GetPlayerViewRequest(state=wrap(game_pb2.GameState, state), seat=seat),
            rules.GetPlayerViewResponse,
            lambda answer: unwrap(answer.view),
            self.grace,
        )

    def legal_moves(
        self, position: Message, *, seat: int | None, language: str | None
    ) -> Operation[tuple[LegalMove, ...]]:
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
        self, state: Message, move: Message, *, seat: int | None, language: str | None
    ) -> Operation[Position]:
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

    def position(self, state: Message) -> Operation[Position]:
        """How a table stands."""
        envelope = wrap(game_pb2.GameState, state)
        return Operation(
            "adamas.v1.RulesService/GetTableStatus",
            rules.GetTableStatusRequest(state=envelope),
            rules.GetTableStatusResponse,
            lambda answer: read_position(envelope, (), (), answer.status),
            self.grace,
        )

    def validate(self, view: Message) -> Operation[tuple[Violation, ...]]:
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


def _duration(seconds: float | None) -> Duration | None:
    if seconds is None:
        return None
    duration = Duration()
    duration.FromNanoseconds(round(seconds * 1e9))
    return duration
