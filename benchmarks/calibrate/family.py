"""A family of strengths with one parameter, from near random play to full strength."""

from __future__ import annotations

from dataclasses import dataclass

from search.levels import between
from search.strength import Strength

WEAKEST_BLUR = 1.0
"""At this blur even the best move of all is chosen little more often than the worst."""
FARTHEST_REACH = 64
"""More moves than any tree of the iterations used here looks ahead."""
_WEAKEST_ITERATIONS = 12


@dataclass(frozen=True)
class Family:
    """Strengths by a parameter from 0 to 1.

    Everything grows together: iterations, known worlds and reach by equal factors. The blur fades
    by the cube, since it matters most where it is small.
    """

    iterations: int
    """What full strength is measured with."""

    def at(self, parameter: float) -> Strength:
        """The strength of a parameter."""
        weakest = Strength(iterations=_WEAKEST_ITERATIONS, worlds=1, reach=1, blur=WEAKEST_BLUR)
        strongest = Strength(
            iterations=self.iterations, worlds=self.iterations, reach=FARTHEST_REACH, blur=0.0
        )
        counts = between(weakest, strongest, parameter)
        return Strength(
            iterations=counts.iterations,
            worlds=counts.worlds,
            reach=counts.reach,
            blur=round(WEAKEST_BLUR * (1 - parameter) ** 3, 4),
        )
