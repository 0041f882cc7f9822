"""Who gets which place in a game, forfeits included."""

from collections.abc import Sequence
from dataclasses import dataclass

from adamas.games import SeatResult


@dataclass(frozen=True, slots=True)
class Standing:
    """How a side ended.

    Attributes:
        place: From 1; sides that tie share the best of their places.
        win_share: Share of the victory in [0, 1]; the shares of a game sum to 1.
        score: Score by the game's rules, in the game's points.
    """

    place: int
    win_share: float
    score: float


def standings(
    sides: Sequence[Sequence[int]], results: Sequence[SeatResult], forfeited: Sequence[int] = ()
) -> tuple[Standing, ...]:
    """Ranks the sides of a game.

    Sides that played to the end are ranked by share of the victory, then by score. Those that
    forfeited come after them, whoever forfeited first last of all. If somebody forfeited, the
    victory goes to the best of the others, in equal shares if they tie.

    Args:
        sides: The seats of each side.
        results: The referee's result of each seat, in seat order.
        forfeited: The sides that forfeited, in the order in which they did.

    Returns:
        One standing a side.
    """
    scores = [results[seats[0]].score for seats in sides]
    shares = [results[seats[0]].win_share for seats in sides]
    keys = [
        (0, 0.0, float(forfeited.index(side)))
        if side in forfeited
        else (1, shares[side], scores[side])
        for side in range(len(sides))
    ]
    best = max(keys)
    winners = [side for side, key in enumerate(keys) if key == best]
    if forfeited:
        shares = [1 / len(winners) if side in winners else 0.0 for side in range(len(sides))]
    total = sum(shares)
    return tuple(
        Standing(
            place=1 + sum(other > key for other in keys),
            win_share=share / total,
            score=score,
        )
        for key, share, score in zip(keys, shares, scores, strict=True)
    )
