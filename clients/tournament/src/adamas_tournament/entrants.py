"""The players of a tournament. Each is asked with a view and a clock, and answers with a move."""

import random
import time
from dataclasses import dataclass
from typing import Protocol

import grpc
from google.protobuf.duration_pb2 import Duration

from adamas.envelopes import wrap
from adamas.families import ViewOf
from adamas.operations import MAX_TIME
from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import game_pb2
from adamas_tournament.channels import Access, access_of
from adamas_tournament.clock import Allowance
from adamas_tournament.entrant_config import (
    CasualEntrant,
    EndpointEntrant,
    RandomEntrant,
    ServiceEntrant,
)
from adamas_tournament.entrant_config import Entrant as EntrantConfig
from adamas_tournament.records import Offence
from adamas_tournament.referee import Referee

RECOMMEND = "/adamas.v1.AdvisorService/Recommend"
LONGEST_REASON = 1000
"""Characters of a reason that are kept."""
RETRY_PAUSE = 0.1
"""Seconds between two tries to reach a player."""
_UNREACHABLE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED)


@dataclass(frozen=True, slots=True)
class Question:
    """What a player is asked.

    Attributes:
        view: What its seat knows.
        allowance: How much time there is.
        seed: Seed for the choices of this move.
        request_id: Names the move in the player's logs.
        language: Language of words.
    """

    view: ViewOf
    allowance: Allowance
    seed: int
    request_id: str
    language: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a player answers.

    Attributes:
        move: Its move; the referee has yet to judge it.
        win_probability: What it expects of the move, in [0, 1]; None if it does not say.
        iterations: Iterations that it searched; None if it does not say.
        reason: Why it chose the move, in its own words; empty if it does not say.
    """

    move: game_pb2.Move
    win_probability: float | None = None
    iterations: int | None = None
    reason: str = ""


class NoAnswer(Exception):
    """A player did not answer with a move.

    Attributes:
        offence: What that is called.
    """

    def __init__(self, offence: Offence, detail: str) -> None:
        self.offence = offence
        super().__init__(detail)


class Player(Protocol):
    """Chooses moves. One player may sit at several seats of several games at the same time."""

    def choose(self, question: Question) -> Answer:
        """The move to play.

        Raises:
            NoAnswer: If there is none in time.
        """

    def close(self) -> None:
        """Ends its connection; a choice that is being made fails."""


class RandomPlayer:
    """Plays a uniformly random legal move."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee

    def choose(self, question: Question) -> Answer:
        """The move to play."""
        moves = self._referee.legal_moves(question.view)
        move = random.Random(question.seed).choice(moves).move
        return Answer(wrap(game_pb2.Move, move))

    def close(self) -> None:
        """Nothing to end: the connection is the referee's."""


class AdvisorPlayer:
    """Asks a server's AdvisorService/Recommend.

    Args:
        access: Where it is, and how it is reached.
        level: How strongly to play, 1 to 10; None: at full strength.
        target_rating: How strongly to play, as a rating; this or `level`.
        iterations: Iterations a move; None: no such limit.
        time: Thinking time a move in seconds; None: what the clock gives.
        trees: Search trees; None: the player's own choice.
        player: Which of the service's players is meant.
        longest: The longest thinking time in seconds that the clock may ask for; None: any.
        patience: Seconds for which a server that can't be reached is tried again.
    """

    def __init__(
        self,
        access: Access,
        *,
        level: int | None = None,
        target_rating: float | None = None,
        iterations: int | None = None,
        time: float | None = None,
        trees: int | None = None,
        player: pb.Player.ValueType = pb.PLAYER_UNSPECIFIED,
        longest: float | None = None,
        patience: float = 0.0,
    ) -> None:
        self._address = access.address
        self._metadata = access.metadata
        self._level = level
        self._target_rating = target_rating
        self._iterations = iterations
        self._time = time
        self._trees = trees
        self._player = player
        self._longest = longest
        self._patience = patience
        self._channel = access.open()
        self._recommend = self._channel.unary_unary(
            RECOMMEND,
            request_serializer=pb.RecommendRequest.SerializeToString,
            response_deserializer=pb.RecommendResponse.FromString,
        )

    def choose(self, question: Question) -> Answer:
        """The move to play."""
        begin = time.monotonic()
        end = begin + question.allowance.wait
        request = self._request(question)
        metadata = (*self._metadata, *_clock_metadata(question.allowance))
        while True:
            try:
                response = self._recommend(
                    request, timeout=max(end - time.monotonic(), 0.001), metadata=metadata
                )
            except grpc.RpcError as error:
                self._judge(error, question.allowance, time.monotonic() - begin)
                time.sleep(RETRY_PAUSE)
            else:
                return _read(response)

    def close(self) -> None:
        """Ends the connection."""
        self._channel.close()

    def _request(self, question: Question) -> pb.RecommendRequest:
        think = question.allowance.think
        if self._time is not None:
            think = self._time if think is None else min(think, self._time)
        elif think is not None and self._longest is not None:
            think = min(think, self._longest)
        limits = pb.SearchLimits(iterations=self._iterations or 0)
        if think is not None:
            limits.time.CopyFrom(_duration(think))
        return pb.RecommendRequest(
            query=pb.SearchQuery(
                view=wrap(game_pb2.PlayerView, question.view),
                limits=limits,
                candidates=1,
                seed=question.seed,
                language=question.language,
                trees=self._trees or 0,
                priority=pb.PRIORITY_BACKGROUND,
                player=self._player,
                level=self._level or 0,
                target_rating=self._target_rating,
            ),
            request_id=question.request_id,
        )

    def _judge(self, error: grpc.RpcError, allowance: Allowance, waited: float) -> None:
        """Returns if the call may be tried again.

        Raises:
            NoAnswer: If not.
        """
        call: grpc.Call = error  # type: ignore[assignment]  # every error of a call is one
        code, details = call.code(), call.details() or "no reason given"
        if code is grpc.StatusCode.DEADLINE_EXCEEDED or waited >= allowance.wait:
            raise NoAnswer(
                allowance.offence, f"no answer from {self._address} within {allowance.wait:.3g} s"
            ) from None
        if code in _UNREACHABLE and waited < self._patience:
            return
        raise NoAnswer(Offence.CRASH, f"{self._address} failed: {code.name}: {details}") from None


def make_player(config: EntrantConfig, referee: Referee, here: str, patience: float) -> Player:
    """The player that a configuration describes; `here` is where one without an address is.

    Raises:
        ValueError: If its server can't be reached as the environment says.
        OSError: Likewise.
    """
    access = access_of(config, here)
    if isinstance(config, RandomEntrant) or access is None:
        return RandomPlayer(referee)
    match config:
        case CasualEntrant():
            return AdvisorPlayer(access, player=pb.PLAYER_CASUAL, patience=patience)
        case ServiceEntrant():
            return AdvisorPlayer(
                access,
                level=config.level,
                target_rating=config.target_rating,
                iterations=config.iterations,
                time=config.time,
                trees=config.trees,
                player=pb.PLAYER_SEARCH,
                longest=MAX_TIME,
                patience=patience,
            )
        case EndpointEntrant():
            return AdvisorPlayer(
                access,
                level=config.level,
                target_rating=config.target_rating,
                iterations=config.iterations,
                time=config.time,
                trees=config.trees,
                patience=patience,
            )


def _clock_metadata(allowance: Allowance) -> tuple[tuple[str, str], ...]:
    """The budget for the game, which `SearchLimits` has no room for."""
    if allowance.remaining is None:
        return ()
    return (
        ("adamas-clock-remaining-ms", str(round(1000 * allowance.remaining))),
        ("adamas-clock-increment-ms", str(round(1000 * allowance.increment))),
    )


def _read(response: pb.RecommendResponse) -> Answer:
    advice = response.advice
    best = advice.candidates[0] if advice.candidates else None
    expects = best.win_probability if best is not None and best.visits else None
    return Answer(
        move=advice.best_move,
        win_probability=expects if expects is not None and 0 <= expects <= 1 else None,
        iterations=advice.search.iterations if advice.HasField("search") else None,
        reason=best.reason[:LONGEST_REASON] if best is not None else "",
    )


def _duration(seconds: float) -> Duration:
    duration = Duration()
    duration.FromNanoseconds(max(round(seconds * 1e9), 1_000_000))
    return duration
