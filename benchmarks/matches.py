"""Games between players at the engine, for measuring strength.

A player sees views only, like any client. Deals are shared: each deal is played once for every
rotation of the players over the seats.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from google.protobuf.message import Message

from engines.contract import GAME_OVER, INFORMED, MAX_SEATS, RESULT_ROWS, WIN_SHARE, Game
from engines.events import NO_LOG, new_log
from engines.jit import Row
from engines.rng import below, generator
from search import Search
from search.tree import EXPLORATION

Player = Callable[[Game, Row, int], int]
"""(game, view, seed) -> a legal move."""
_SLICE_ITERATIONS = 200


def random_player(game: Game, view: Row, seed: int) -> int:
    """A uniformly random legal move."""
    moves = Search(game, view, seed=seed, trees=1).moves
    return moves[below(generator(seed), len(moves))]


def policy_player(game: Game, view: Row, seed: int) -> int:
    """The informed playout policy."""
    row = Search(game, view, seed=seed, trees=1).sample
    return int(game.kernels.policy_move(row, generator(seed)))


@dataclass(frozen=True)
class SearchPlayer:
    """The search on one core, limited by time (seconds) or iterations."""

    seconds: float = math.inf
    iterations: int = 1 << 40
    exploration: float = EXPLORATION
    policy: int = INFORMED

    def __call__(self, game: Game, view: Row, seed: int) -> int:
        """The best move."""
        end = time.perf_counter() + self.seconds
        search = Search(
            game, view, seed=seed, trees=1, exploration=self.exploration, policy=self.policy
        )
        if len(search.moves) == 1:
            return search.moves[0]
        left = self.iterations
        while left > 0 and time.perf_counter() < end:
            share = min(left, _SLICE_ITERATIONS)
            search.run(share)
            left -= share
        return search.result(1).candidates[0].figures.move


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


def play_pairs(
    game: Game, options: Message, players: tuple[Player, Player], seeds: Sequence[int]
) -> list[float]:
    """Win shares of the first player in two-seat games: each deal twice, seats swapped."""
    shares = []
    for seed in seeds:
        deal = game.codec.new_game(options, 2, seed, new_log())
        for first in (0, 1):
            order = [players[(seat - first) % 2] for seat in range(2)]
            shares.append(float(play_game(game, deal, order, seed)[first]))
    return shares


def wilson_interval(share: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95 % confidence interval of a proportion."""
    centre = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = (
        z
        * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
        / (1 + z * z / games)
    )
    return max(0.0, centre - half), min(1.0, centre + half)
