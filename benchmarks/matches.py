"""Games between players at the engine, for measuring strength.

A player sees views only, like any client. Deals are shared: each deal is played once from either
seat.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract import GAME_OVER, MAX_SEATS, RESULT_ROWS, WIN_SHARE, Game
from engines.events import NO_LOG, new_log
from engines.jit import Row
from engines.registry import game, options_message
from engines.rng import below, generator
from search import Search
from search.strength import FULL_STRENGTH, Strength

Player = Callable[[Game, Row, int], int]
"""(game, view, seed) -> a legal move."""
_SLICE_ITERATIONS = 50
_DEALS_A_JOB = 2


def sample_of(game: Game, view: Row, seed: int) -> Row:
    """A state that agrees with the view."""
    table, sample = game.new_table(), game.new_row()
    game.kernels.prepare(view, table)
    game.kernels.determinize(view, table, generator(seed), sample)
    return sample


def random_player(game: Game, view: Row, seed: int) -> int:
    """A uniformly random legal move."""
    moves = game.legal_moves(sample_of(game, view, seed))
    return moves[below(generator(seed), len(moves))]


def casual_player(game: Game, view: Row, seed: int) -> int:
    """The game's casual player."""
    return game.casual(view, game.legal_moves(sample_of(game, view, seed)))


def policy_player(game: Game, view: Row, seed: int) -> int:
    """The informed playout policy."""
    return int(game.kernels.policy_move(sample_of(game, view, seed), generator(seed)))


@dataclass(frozen=True)
class SearchPlayer:
    """The search on one core, limited by time (seconds of the clock) or iterations."""

    seconds: float = math.inf
    iterations: int = 1 << 40
    exploration: float | None = None
    strength: Strength = FULL_STRENGTH
    trees: int = 1
    clock: Callable[[], float] = time.perf_counter
    model: Game | None = None
    """What is searched, if not the very game that is played."""

    def __call__(self, game: Game, view: Row, seed: int) -> int:
        """The best move."""
        end = self.clock() + self.seconds
        search = Search(
            self.model or game,
            view,
            seed=seed,
            trees=self.trees,
            exploration=self.exploration,
            strength=self.strength,
        )
        if len(search.moves) == 1:
            return search.moves[0]
        left = search.limit(self.iterations) or 0
        while left > 0 and self.clock() < end and not search.solved:
            share = min(left, _SLICE_ITERATIONS * self.trees)
            search.run(share)
            left -= share
        return search.best_move()


def play_game(game: Game, deal: Row, players: Sequence[Player], seed: int) -> np.ndarray:
    """The win shares of the seats after one game."""
    row = deal.copy()
    kernels = game.kernels
    for ply in range(game.max_game_moves):
        seat = int(kernels.seat_to_move(row))
        if seat == GAME_OVER:
            break
        view = game.new_view()
        kernels.project(row, seat, view)
        kernels.apply_move(row, players[seat](game, view, seed * 10_007 + ply), NO_LOG)
    results = np.zeros((RESULT_ROWS, MAX_SEATS))
    kernels.evaluate(row, results)
    return results[WIN_SHARE, : len(players)]


def play_deal(game: Game, players: tuple[Player, Player], seed: int) -> tuple[float, float]:
    """Win shares of the first player in two games of one deal, from seat 0 and from seat 1."""
    deal = game.codec.new_game(options_message(game.game_id), 2, seed, new_log())
    ahead = play_game(game, deal, players, seed)
    behind = play_game(game, deal, players[::-1], seed)
    return float(ahead[0]), float(behind[1])


PlayerMaker = Callable[[Any], tuple[Player, Player]]
"""Makes the two players of a match in the process that plays it."""


def play_batch(job: tuple[str, PlayerMaker, Any, Sequence[int]]) -> list[tuple[float, float]]:
    """What ``play_deal`` gives for each seed of (game id, maker, setting, seeds)."""
    game_id, make, setting, seeds = job
    players = make(setting)
    return [play_deal(game(game_id), players, seed) for seed in seeds]


def play_deals(
    game_id: str, make: PlayerMaker, setting: Any, deals: int, processes: int
) -> list[tuple[float, float]]:
    """Plays deals 0, 1, 2, ... in several processes; shows how far it is."""
    jobs = [(game_id, make, setting, batch) for batch in _batches(deals)]
    pairs: list[tuple[float, float]] = []
    with ProcessPoolExecutor(processes) as pool:
        for done in pool.map(play_batch, jobs):
            pairs += done
            print(f"\r{game_id}: {len(pairs)}/{deals} deals", end="", file=sys.stderr)
    print(file=sys.stderr)
    return pairs


def _batches(deals: int) -> Iterator[range]:
    for start in range(0, deals, _DEALS_A_JOB):
        yield range(start, min(deals, start + _DEALS_A_JOB))
