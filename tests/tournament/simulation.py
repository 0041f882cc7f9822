"""Deals between players of known strengths, drawn from the Plackett-Luce model."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from adamas_tournament.schedule import Schedule
from adamas_tournament.statistics.outcomes import DealOutcome, GameOutcome, SideOutcome

Strengths: TypeAlias = Sequence[float] | NDArray[np.float64]


def simulated_deals(
    strengths: Strengths, sides: int, deals: int, seed: int, *, ties: float = 0.0
) -> list[DealOutcome]:
    """Outcomes of a schedule; a game is a tie of all with the probability `ties`."""
    generator = np.random.default_rng(seed)
    schedule = Schedule(len(strengths), sides, deals, seed, balanced=False)
    return [
        tuple(_game(game.entrants, strengths, generator, ties) for game in schedule.games(deal))
        for deal in range(deals)
    ]


def _game(
    entrants: Sequence[int], strengths: Strengths, generator: np.random.Generator, ties: float
) -> GameOutcome:
    if generator.random() < ties:
        share = 1 / len(entrants)
        return tuple(SideOutcome(entrant, 1, share, 0.0) for entrant in entrants)
    # Strength plus Gumbel noise ranks by the Plackett-Luce model.
    values = np.array([strengths[entrant] for entrant in entrants])
    order = np.argsort(-(values + generator.gumbel(size=len(entrants))))
    places = np.empty(len(entrants), dtype=int)
    places[order] = np.arange(1, len(entrants) + 1)
    return tuple(
        SideOutcome(entrant, int(place), float(place == 1), float(-place))
        for entrant, place in zip(entrants, places, strict=True)
    )
