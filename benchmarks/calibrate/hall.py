"""Plays many matches side by side in one pool of processes."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from benchmarks.matches import Player, play_batch

_DEALS_A_JOB = 5

Pairing = tuple[int, int]


class Hall:
    """Where the players of one game meet. Deals are numbered; each is played once from either seat.

    Every match of one call plays the same deals, which takes out part of the luck between them.
    """

    def __init__(self, game_id: str, processes: int) -> None:
        self._game_id = game_id
        self._pool = ProcessPoolExecutor(processes)
        self.games = 0
        """How many have been played."""

    def close(self) -> None:
        """Ends the processes, without the games that have not begun."""
        self._pool.shutdown(cancel_futures=True)

    def play(
        self, players: Sequence[Player], pairings: Sequence[Pairing], deals: range
    ) -> Mapping[Pairing, np.ndarray]:
        """The first player's mean share of each deal's two games, for each pairing."""
        jobs = {
            pairing: [
                self._pool.submit(
                    play_batch,
                    (
                        self._game_id,
                        tuple,
                        (players[pairing[0]], players[pairing[1]]),
                        deals[start : start + _DEALS_A_JOB],
                    ),
                )
                for start in range(0, len(deals), _DEALS_A_JOB)
            ]
            for pairing in pairings
        }
        shares = {}
        for done, (pairing, batches) in enumerate(jobs.items(), 1):
            pairs = [pair for batch in batches for pair in batch.result()]
            shares[pairing] = np.array([(ahead + behind) / 2 for ahead, behind in pairs])
            print(f"\r{self._game_id}: {done}/{len(jobs)} matches", end="", file=sys.stderr)
        print(file=sys.stderr)
        self.games += 2 * len(deals) * len(jobs)
        return shares
