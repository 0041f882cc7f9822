"""How strongly a search plays, below full strength.

A weak search errs as a weak player does: it imagines few of the deals that are possible, looks few
moves ahead, thinks of little, and does not tell apart moves that are nearly as good. It never
throws in a bad move on purpose: the worse a move looks to it, the less likely it is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from engines.contract import INFORMED
from engines.jit import Rng
from engines.rng import generator, uniform

_WORLD_STREAM: Final = (1 << 20) + 1
_BLUR_STREAM: Final = (1 << 20) + 2
"""Generator streams beside those of trees and of the sample for words."""


@dataclass(frozen=True)
class Strength:
    """What a search may use. None means without a limit; the default is full strength.

    Raises ValueError for a limit below 1 or a negative blur.
    """

    iterations: int | None = None
    """Over all trees together."""
    worlds: int | None = None
    """How many determinizations it knows; it takes these in turn, again and again."""
    reach: int | None = None
    """How many moves ahead it looks; what follows is judged by playouts."""
    policy: int = INFORMED
    """The playout policy by which it judges."""
    blur: float = 0.0
    """How much better a move must be to be seen as better, in utility: the scale of the noise with
    which it compares moves. Choices follow a logit quantal response (McKelvey and Palfrey 1995,
    "Quantal response equilibria for normal form games")."""

    def __post_init__(self) -> None:
        for name in ("iterations", "worlds", "reach"):
            limit = getattr(self, name)
            if limit is not None and limit < 1:
                raise ValueError(f"{name} is {limit}; use at least 1, or None for no limit")
        if not self.blur >= 0.0:
            raise ValueError(f"blur is {self.blur}; use 0 or more")

    @property
    def trees(self) -> int | None:
        """How many trees to grow; None for any number.

        Limited iterations all go into one tree, so that they are worth the same everywhere.
        """
        return None if self.iterations is None else 1

    @property
    def limited(self) -> bool:
        """Whether the search is to err: then it must not solve what it can't play."""
        return self.blur > 0.0 or any(
            limit is not None for limit in (self.iterations, self.worlds, self.reach)
        )

    def world_rng(self, seed: int) -> Rng:
        """The generator of the known determinizations: the same for all trees of a seed."""
        return generator(seed, _WORLD_STREAM)

    def blurred(self, utilities: np.ndarray, seed: int) -> np.ndarray:
        """Mean utilities as the search sees them; the same for the same seed."""
        if self.blur == 0.0:
            return utilities
        rng = generator(seed, _BLUR_STREAM)
        draws = np.array([uniform(rng) for _ in range(len(utilities))])
        # Gumbel noise: the largest of the sums is a move with its logit probability.
        return utilities - self.blur * np.log(-np.log(draws.clip(1e-300, 1 - 1e-16)))


FULL_STRENGTH: Final = Strength()
