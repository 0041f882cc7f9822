"""What is kept of a game."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class GameKey(NamedTuple):
    """Names a game of a tournament: which deal, and which of the deal's seatings.

    Attributes:
        deal: Number of the deal, from 0.
        seating: Number of the game among those of the deal, from 0.
    """

    deal: int
    seating: int

    def __str__(self) -> str:
        return f"{self.deal}.{self.seating}"

    @classmethod
    def parse(cls, text: str) -> "GameKey":
        """The key that is written as `text`, such as "12.3".

        Raises:
            ValueError: If it is none.
        """
        deal, dot, seating = text.partition(".")
        if not (dot and deal.isdecimal() and seating.isdecimal()):
            raise ValueError(f"{text!r} is no game; use DEAL.SEATING, such as 0.1")
        return cls(int(deal), int(seating))


class Offence(StrEnum):
    """Why an entrant lost a game by forfeit."""

    ILLEGAL = "illegal move"
    CRASH = "crash"
    HANG = "hang"
    TIME = "lost on time"


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A side that lost by rule.

    Attributes:
        side: Which side.
        seat: The seat that was to move.
        ply: The move at which it happened, from 0.
        offence: What it did.
        detail: What exactly, for people.
    """

    side: int
    seat: int
    ply: int
    offence: Offence
    detail: str


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One move.

    Attributes:
        ply: Its number, from 0.
        seat: Who moved.
        move: The `Move` message as JSON.
        seconds: What it took on the referee's clock; 0 for a stand-in.
        events: What happened, in words.
        scores: Score of each seat after it.
        win_probability: What the player itself expected, in [0, 1]; None if it did not say.
        iterations: Iterations that it searched; None if it did not say.
        stand_in: Whether a stand-in moved, because the side had forfeited the game before.
        reason: Why the player chose it, in its own words; empty if it did not say.
    """

    ply: int
    seat: int
    move: str
    seconds: float
    events: tuple[str, ...]
    scores: tuple[float, ...]
    win_probability: float | None = None
    iterations: int | None = None
    stand_in: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SideRecord:
    """How one side ended.

    Attributes:
        entrant: The entrant's name.
        seats: The seats that it held.
        place: Its place, 1 for the best; sides that tie share the best of their places.
        win_share: Its share of the victory in [0, 1].
        score: Its score by the game's rules, in the game's points.
        seconds: What all its moves took.
        moves: How many moves it made.
    """

    entrant: str
    seats: tuple[int, ...]
    place: int
    win_share: float
    score: float
    seconds: float
    moves: int


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game, with all that is needed to play it again.

    Attributes:
        key: Which game of the tournament.
        seed: Seed of the deal and of every later chance event.
        sides: One a side.
        moves: In the order in which they were played.
        forfeits: In the order in which they happened.
        started: When, as ISO 8601 in UTC.
        seconds: How long it took.
        digest: SHA-256 of the final state, in hexadecimal.
        host: The machine that played it.
    """

    key: GameKey
    seed: int
    sides: tuple[SideRecord, ...]
    moves: tuple[MoveRecord, ...]
    forfeits: tuple[Forfeit, ...]
    started: str
    seconds: float
    digest: str
    host: str
