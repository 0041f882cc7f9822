"""Whether each level beats the one below it, on fresh deals, until that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from benchmarks.calibrate.hall import Hall, Pairing
from benchmarks.intervals import Share, share_of_deals
from benchmarks.matches import Player

LOOKS = 5
"""How often a match is looked at, each time after twice as many games as before."""
Z_OF_A_LOOK = NormalDist().inv_cdf(1 - 0.05 / LOOKS / 2)
"""Standard errors on each side of an interval. Whoever stops at the first good look is fooled more
often than once in twenty times; with a fifth of the error for each look they are not (Bonferroni).
"""


@dataclass(frozen=True)
class Step:
    """A level's match against the level below."""

    share: Share
    deals: np.ndarray

    @property
    def known(self) -> bool:
        """Whether the level is known to win, at 95 % over all looks."""
        return bool(self.share.low > 0.5)


def validate(
    hall: Hall, players: Sequence[Player], first_deal: int, most_games: int
) -> tuple[Step, ...]:
    """The match of each player but the first against the one before it."""
    pairings: list[Pairing] = [(above, above - 1) for above in range(1, len(players))]
    deals = {pairing: np.zeros(0) for pairing in pairings}
    steps: dict[Pairing, Step] = {}
    played = 0
    for look in range(LOOKS):
        wanted = max(2, most_games // 2 >> (LOOKS - 1 - look))
        batch = range(first_deal + played, first_deal + wanted)
        undecided = [pairing for pairing in pairings if not _is_known(steps.get(pairing))]
        for pairing, shares in hall.play(players, undecided, batch).items():
            deals[pairing] = np.concatenate((deals[pairing], shares))
            steps[pairing] = Step(
                share_of_deals(deals[pairing].tolist(), Z_OF_A_LOOK), deals[pairing]
            )
        played = wanted
    return tuple(steps[pairing] for pairing in pairings)


def _is_known(step: Step | None) -> bool:
    return step is not None and step.known
