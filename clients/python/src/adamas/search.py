"""What a search found out, as plain immutable values."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic

from adamas.envelopes import unwrap
from adamas.errors import ServerError
from adamas.families import MoveT_co
from adamas.figures import number, percent
from adamas.v1 import advisor_service_pb2 as pb


class BuiltinPlayer(StrEnum):
    """Who chooses the move at the server."""

    SEARCH = "search"
    """The search: as strong as asked for, within its limits."""
    CASUAL = "casual"
    """A decent casual player: rules of thumb, from the seat's view only. Answers at once."""
    RANDOM = "random"
    """A uniformly random legal move, fixed by the seed. Answers at once."""


class StopReason(StrEnum):
    """What ended a search."""

    RUNNING = "running"
    """Nothing yet: an update of a running analysis."""
    SINGLE_MOVE = "single move"
    """Only one move is legal: answered without a search."""
    TIME = "time"
    """The time limit was reached."""
    ITERATIONS = "iterations"
    """The iteration limit was reached: the one asked for or the level's."""
    DEADLINE = "deadline"
    """The call's deadline was near."""
    SHUTDOWN = "shutdown"
    """The server is shutting down; the answer holds what was searched by then."""
    NO_SEARCH = "no search"
    """The player that was asked for does not search."""
    SOLVED = "solved"
    """The position was an ending that was solved: the figures of all candidates are exact."""
    OTHER = "other"
    """A reason that this client does not know."""


_STOP_REASONS = {
    pb.STOP_REASON_UNSPECIFIED: StopReason.RUNNING,
    pb.STOP_REASON_SINGLE_MOVE: StopReason.SINGLE_MOVE,
    pb.STOP_REASON_TIME: StopReason.TIME,
    pb.STOP_REASON_ITERATIONS: StopReason.ITERATIONS,
    pb.STOP_REASON_DEADLINE: StopReason.DEADLINE,
    pb.STOP_REASON_SHUTDOWN: StopReason.SHUTDOWN,
    pb.STOP_REASON_NO_SEARCH: StopReason.NO_SEARCH,
    pb.STOP_REASON_SOLVED: StopReason.SOLVED,
}


@dataclass(frozen=True, slots=True)
class LineMove(Generic[MoveT_co]):
    """One move of the line that the search expects.

    Attributes:
        seat: Who moves, 0-based.
        move: The game's move message; None where the advised seat would not see it.
        words: The move in words.
    """

    seat: int
    move: MoveT_co | None
    words: str

    def __str__(self) -> str:
        return f"seat {self.seat} {self.words}"


@dataclass(frozen=True, slots=True)
class Candidate(Generic[MoveT_co]):
    """One ranked move.

    Attributes:
        move: The game's move message.
        words: The move in words.
        reason: Why, in one sentence, from the search's own figures; empty without a search.
        visits: How often the search tried the move.
        win_probability: Expected share of the victory in [0, 1] after this move.
        expected_score: Expected final score of the seat, in the game's points.
        score_standard_error: Standard error of `expected_score`, in points; 0 if fewer than two
            visits.
        principal_variation: The line that the search expects, this move first.
        win_standard_error: Standard error of `win_probability`; 0 if fewer than two visits.
    """

    move: MoveT_co
    words: str
    reason: str
    visits: int
    win_probability: float
    expected_score: float
    score_standard_error: float
    principal_variation: tuple[LineMove[MoveT_co], ...]
    win_standard_error: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.words} (win {percent(self.win_probability)}, "
            f"score {number(self.expected_score, '.2f')} ± {self.score_standard_error:.2f}, "
            f"{self.visits:,} visits)"
        )


@dataclass(frozen=True, slots=True)
class ComparedMove(Generic[MoveT_co]):
    """A move that was asked about, beside the best one.

    Attributes:
        candidate: The move with its figures. Its reason says how it compares with the best move.
        rank: Its rank among the moves considered; 1 is the best.
    """

    candidate: Candidate[MoveT_co]
    rank: int

    def __str__(self) -> str:
        return f"{self.rank}. {self.candidate}"


@dataclass(frozen=True, slots=True)
class SearchFigures:
    """What a search did.

    Attributes:
        iterations: Iterations over all trees.
        determinizations: Determinizations sampled over all trees; the few that a weak level knows
            count once each.
        nodes: Tree nodes over all trees.
        trees: Trees grown.
        elapsed: Seconds from the start of the call's handling to the answer.
        stop_reason: What ended the search.
        seed: The seed that was used.
        memory_bound_reached: True if the trees stopped growing at the memory bound while the
            search went on refining them.
        widened: True if a position had so many moves that the search tried them progressively, the
            most promising first. Moves not tried yet have no visits.
        solved: True if the position was solved: the win probability and the expected score of every
            candidate are exact.
    """

    iterations: int
    determinizations: int
    nodes: int
    trees: int
    elapsed: float
    stop_reason: StopReason
    seed: int
    memory_bound_reached: bool
    widened: bool
    solved: bool = False

    @property
    def iterations_per_second(self) -> float:
        """Iterations a second; 0 if no time was measured."""
        return self.iterations / self.elapsed if self.elapsed > 0 else 0.0

    def __str__(self) -> str:
        return (
            f"{self.iterations:,} iterations in {self.elapsed:.3f} s "
            f"({self.nodes:,} nodes, stopped by: {self.stop_reason})"
        )


@dataclass(frozen=True, slots=True)
class Advice(Generic[MoveT_co]):
    """Ranked moves for one position.

    Attributes:
        best_move: The best move, always legal, as the game's own move message.
        candidates: The ranked moves, best first; never empty.
        legal_moves: How many legal moves there are, listed or not, considered or not.
        search: What the search did.
        suggested_delay: How many seconds longer to wait before the move is played, so that it comes
            at a natural pace; 0 if the answer took longer than that anyway.
        compared: The move that was to be compared with the best; None: there was none.
        final: False for an update of a running analysis.
        request_id: The request's id.
    """

    best_move: MoveT_co
    candidates: tuple[Candidate[MoveT_co], ...]
    legal_moves: int
    search: SearchFigures
    suggested_delay: float = 0.0
    compared: ComparedMove[MoveT_co] | None = None
    final: bool = True
    request_id: str = ""

    @property
    def best(self) -> Candidate[MoveT_co]:
        """The first candidate."""
        return self.candidates[0]

    def __str__(self) -> str:
        ranked = [f"{rank}. {candidate}" for rank, candidate in enumerate(self.candidates, 1)]
        return "\n".join([*ranked, str(self.search)])


def read_advice(message: pb.Advice, *, final: bool = True, request_id: str = "") -> Advice[Any]:
    """The value of an `Advice` message.

    Raises:
        ServerError: If it ranks no move.
    """
    if not message.candidates:
        raise ServerError("the server sent advice without any move")
    return Advice(
        best_move=unwrap(message.best_move),
        candidates=tuple(_read_candidate(candidate) for candidate in message.candidates),
        legal_moves=message.legal_moves,
        search=_read_figures(message.search),
        suggested_delay=message.suggested_delay.ToNanoseconds() / 1e9,
        compared=_read_compared(message.compared) if message.HasField("compared") else None,
        final=final,
        request_id=request_id,
    )


def _read_candidate(message: pb.Candidate) -> Candidate[Any]:
    return Candidate(
        move=unwrap(message.move),
        words=message.words,
        reason=message.reason,
        visits=message.visits,
        win_probability=message.win_probability,
        expected_score=message.expected_score,
        score_standard_error=message.score_standard_error,
        win_standard_error=message.win_standard_error,
        principal_variation=_read_line(message.principal_variation),
    )


def _read_compared(message: pb.ComparedMove) -> ComparedMove[Any]:
    return ComparedMove(_read_candidate(message.candidate), message.rank)


def _read_line(messages: Sequence[pb.LineMove]) -> tuple[LineMove[Any], ...]:
    return tuple(
        LineMove(
            seat=message.seat,
            move=unwrap(message.move) if message.HasField("move") else None,
            words=message.words,
        )
        for message in messages
    )


def _read_figures(message: pb.SearchFigures) -> SearchFigures:
    return SearchFigures(
        iterations=message.iterations,
        determinizations=message.determinizations,
        nodes=message.nodes,
        trees=message.trees,
        elapsed=message.elapsed.ToNanoseconds() / 1e9,
        stop_reason=_STOP_REASONS.get(message.stop_reason, StopReason.OTHER),
        seed=message.seed,
        memory_bound_reached=message.memory_bound_reached,
        widened=message.widened,
        solved=message.solved,
    )
