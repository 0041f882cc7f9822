"""Positions to search, and what became of those of a batch."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import Generic

from adamas.errors import AdamasError
from adamas.families import MoveT_co, PositionOf
from adamas.limits import Limit
from adamas.search import Advice, BuiltinPlayer


class Detail(StrEnum):
    """What candidates come with."""

    FULL = "full"
    """Their figures, words, reasons and lines."""
    FIGURES = "figures"
    """Their figures only: for bots, which play the move and read nothing."""


class Priority(StrEnum):
    """Who goes first when there is more to search than the server can do at once."""

    INTERACTIVE = "interactive"
    """Somebody is waiting. Overtakes background searches."""
    BACKGROUND = "background"
    """Nobody is waiting. Still gets a share under any load."""


@dataclass(frozen=True, slots=True)
class Query(Generic[MoveT_co]):
    """A position and how to search it.

    Attributes:
        position: What a seat knows, as the game's view message or a PlayerView; or a full state,
            together with `seat`.
        limit: When the search ends; None: the batch's limit, or after one second.
        seat: With a full state: the seat to advise, 0-based.
        candidates: How many ranked moves to return at most; None: 5.
        seed: Seed of every random choice; None: a random one, told in the answer.
        trees: How many independent trees to grow; None: the server's setting.
        language: Language of the words; None: the client's.
        player: Who chooses the move; None: the search.
        level: How strongly the search plays, 1 to 10; None: full strength.
        target_rating: How strongly the search plays, as a rating; give this or `level`.
        detail: What candidates come with; None: everything.
        only: The moves to consider; None: all legal ones.
        without: Moves to leave out of those.
        compare: A move to compare with the best; `Advice.compared` tells how it does.
        priority: Who goes first when the server has too much to do; None: background in a batch,
            else interactive.
        request_id: Any text of up to 128 characters, echoed back. In a batch no other query in
            flight may have it; empty: the query's place there, "0" for the first.
    """

    position: PositionOf[MoveT_co]
    limit: Limit | None = None
    _: KW_ONLY
    seat: int | None = None
    candidates: int | None = None
    seed: int | None = None
    trees: int | None = None
    language: str | None = None
    player: BuiltinPlayer | None = None
    level: int | None = None
    target_rating: float | None = None
    detail: Detail | None = None
    only: Sequence[MoveT_co] | None = None
    without: Sequence[MoveT_co] = ()
    compare: MoveT_co | None = None
    priority: Priority | None = None
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class BatchResult(Generic[MoveT_co]):
    """What became of one query of a batch.

    Attributes:
        request_id: The query's id.
        query: The query.
        outcome: The advice, or the error that `Client.recommend` would have raised.
    """

    request_id: str
    query: Query[MoveT_co]
    outcome: Advice[MoveT_co] | AdamasError

    @property
    def advice(self) -> Advice[MoveT_co] | None:
        """The advice, or None if there is an error."""
        return None if isinstance(self.outcome, AdamasError) else self.outcome

    @property
    def error(self) -> AdamasError | None:
        """Why there is no advice, or None if there is."""
        return self.outcome if isinstance(self.outcome, AdamasError) else None

    def get(self) -> Advice[MoveT_co]:
        """The advice.

        Raises:
            AdamasError: If there is none.
        """
        if isinstance(self.outcome, AdamasError):
            raise self.outcome
        return self.outcome
