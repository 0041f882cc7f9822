"""Games as numbers. The deal is the unit: its games share cards and chance, so they go together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from adamas_tournament.records import GameRecord


@dataclass(frozen=True, slots=True)
class SideOutcome:
    """How one side of a game ended.

    Attributes:
        entrant: The entrant's number.
        place: From 1; ties share the best place.
        win_share: Share of the victory in [0, 1].
        score: In the game's points.
    """

    entrant: int
    place: int
    win_share: float
    score: float


GameOutcome = tuple[SideOutcome, ...]
DealOutcome = tuple[GameOutcome, ...]


def game_outcome(game: GameRecord, names: Sequence[str]) -> GameOutcome:
    """The outcome of a game."""
    return tuple(
        SideOutcome(names.index(side.entrant), side.place, side.win_share, side.score)
        for side in game.sides
    )


@dataclass(frozen=True, slots=True)
class Encounter:
    """What two entrants did in the games of one deal in which both sat; means over their sides.

    Attributes:
        ahead: How often the first was placed before the second, ties as one half, in [0, 1].
        win_share: Difference of their shares of the victory, in [-1, 1].
        score: Difference of their scores, in the game's points.
        games: In how many games they met.
    """

    ahead: float
    win_share: float
    score: float
    games: int


def encounter(deal: DealOutcome, first: int, second: int) -> Encounter | None:
    """The encounter of two entrants in a deal; None if they did not meet in it."""
    pairs = list(_meetings(deal, first, second))
    if not pairs:
        return None
    count = len(pairs)
    return Encounter(
        ahead=sum((a.place < b.place) + 0.5 * (a.place == b.place) for a, b in pairs) / count,
        win_share=sum(a.win_share - b.win_share for a, b in pairs) / count,
        score=sum(a.score - b.score for a, b in pairs) / count,
        games=sum({first, second} <= {side.entrant for side in game} for game in deal),
    )


def _meetings(
    deal: DealOutcome, first: int, second: int
) -> Iterator[tuple[SideOutcome, SideOutcome]]:
    for game in deal:
        yield from product(
            [side for side in game if side.entrant == first],
            [side for side in game if side.entrant == second],
        )
