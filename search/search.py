"""A search of one player view: several trees, merged at the root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from engines.contract import CandidateFigures, Game
from engines.jit import Row
from engines.rng import generator
from search.lines import LineStep, principal_variation
from search.strength import FULL_STRENGTH, Strength
from search.tree import EXPLORATION, Tree

DEFAULT_TREES: Final = 2
DEFAULT_MEMORY_BYTES: Final = 256 << 20
_SAMPLE_STREAM: Final = 1 << 20
"""Generator stream of the sample for words; trees use the streams from 0 on."""
_CLOSE: Final = 0.05
"""By how much of the victory a move may fall behind the best and still be a contender."""


class NoStateAgrees(Exception):
    """No full state agrees with the view."""


@dataclass(frozen=True)
class RankedMove:
    """A root move with its figures and the line expected after it."""

    figures: CandidateFigures
    line: tuple[LineStep, ...]


@dataclass(frozen=True)
class Result:
    """What a search has found so far, best candidate first."""

    candidates: tuple[RankedMove, ...]
    next_best: CandidateFigures | None
    """The best move that is no candidate, which the last candidates may be compared with; its line
    is not followed. None: there is none."""
    legal_moves: int
    iterations: int
    determinizations: int
    nodes: int
    trees: int
    memory_bound_reached: bool
    widened: bool
    """Whether some position had so many moves that they were tried progressively."""
    contenders: float
    """How many moves compete for the best, about: 1 if one stands out, up to the number of legal
    moves if they look alike."""


class Search:
    """A resumable search: run its trees on any threads, ask for the result at any time.

    Same view, seed, number of trees and iterations of each tree: same result.
    """

    def __init__(
        self,
        game: Game,
        view: Row,
        *,
        seed: int,
        trees: int = DEFAULT_TREES,
        memory_bytes: int = DEFAULT_MEMORY_BYTES,
        exploration: float = EXPLORATION,
        strength: Strength = FULL_STRENGTH,
    ) -> None:
        """Prepares a search for the viewing seat; raises NoStateAgrees for an impossible view.

        ``memory_bytes`` bounds the trees together. Whoever runs the search keeps to the
        strength's iterations; see ``limit``.
        """
        self._game = game
        self._view = view
        self._seed = seed
        self._strength = strength
        self._table = game.new_table()
        if not game.kernels.prepare(view, self._table):
            raise NoStateAgrees("no state agrees with this view")
        self.sample = game.new_row()
        rng = generator(seed, _SAMPLE_STREAM)
        game.kernels.determinize(view, self._table, rng, self.sample)
        self.moves = self._legal_moves()
        self._first_choice = int(game.kernels.policy_move(self.sample, rng)) if self.moves else -1
        self.trees = tuple(
            Tree(
                game,
                view,
                self._table,
                self.moves,
                seed=seed,
                stream=stream,
                memory_bytes=memory_bytes // trees,
                exploration=exploration,
                strength=strength,
            )
            for stream in range(trees if self.moves else 0)
        )

    def _legal_moves(self) -> tuple[int, ...]:
        kernels = self._game.kernels
        if kernels.seat_to_move(self.sample) != self._game.codec.viewing_seat(self._view):
            return ()
        out = np.zeros(self._game.max_moves, dtype=np.int64)
        return tuple(int(move) for move in out[: kernels.legal_moves(self.sample, out)])

    def limit(self, iterations: int | None) -> int | None:
        """The iteration limit that holds: the one asked for or the strength's, if any."""
        asked_and_own = [n for n in (iterations, self._strength.iterations) if n is not None]
        return min(asked_and_own, default=None)

    def share(self, iterations: int) -> tuple[int, ...]:
        """How an iteration limit is divided among the trees."""
        whole, rest = divmod(iterations, len(self.trees))
        return tuple(whole + (stream < rest) for stream in range(len(self.trees)))

    def run(self, iterations: int) -> None:
        """Runs iterations on the calling thread, divided among the trees."""
        for tree, share in zip(self.trees, self.share(iterations), strict=True):
            tree.run(share)

    def result(self, candidates: int, *, lines: bool = True) -> Result:
        """The best candidates so far, by visits; without visits, the playout policy's move first.

        A search that does not see clearly (Strength.blur) ranks by the utilities that it sees.
        Lines can be left out. Meant for moments when no tree is running.
        """
        visits, wins, scores, squares, utilities = self._merged_root()
        order = self._order(visits, utilities)

        def figures(i: int, line: tuple[LineStep, ...] = ()) -> CandidateFigures:
            n = max(1, int(visits[i]))
            mean = scores[i] / n
            variance = max(0.0, squares[i] / n - mean * mean)
            return CandidateFigures(
                move=self.moves[i],
                visits=int(visits[i]),
                win_probability=float(wins[i] / n),
                expected_score=float(mean),
                score_standard_error=float(np.sqrt(variance / (n - 1))) if n > 1 else 0.0,
                line=tuple(step.move for step in line if step.move is not None),
            )

        ranked = []
        table = self._table.copy()  # drawing may change it, and the next result must not see that
        for i in order[:candidates]:
            line = self._line(i, table) if lines else ()
            ranked.append(RankedMove(figures(i, line), line))
        iterations = sum(tree.iterations for tree in self.trees)
        return Result(
            candidates=tuple(ranked),
            next_best=figures(order[candidates]) if candidates < len(order) else None,
            legal_moves=len(self.moves),
            iterations=iterations,
            determinizations=self._determinizations(),
            nodes=sum(tree.nodes for tree in self.trees),
            trees=len(self.trees),
            memory_bound_reached=any(tree.memory_bound_reached for tree in self.trees),
            widened=any(tree.widened for tree in self.trees),
            contenders=_contenders(visits, wins),
        )

    def best_move(self) -> int:
        """The move of the best candidate, without the work of finding its line."""
        visits, _, _, _, utilities = self._merged_root()
        return self.moves[self._order(visits, utilities)[0]]

    def _order(self, visits: np.ndarray, utilities: np.ndarray) -> list[int]:
        """The indices of the moves, best first; the utilities are sums."""
        seen = visits
        if self._strength.blur > 0.0:
            means = utilities / np.maximum(visits, 1)
            seen = np.where(visits > 0, self._strength.blurred(means, self._seed), -np.inf)
        return sorted(
            range(len(self.moves)),
            key=lambda i: (
                -seen[i],
                -utilities[i],
                self.moves[i] != self._first_choice,
                i,
            ),
        )

    def _determinizations(self) -> int:
        """How many determinizations were sampled; those that are known count once."""
        if (worlds := self._strength.worlds) is None:
            return sum(tree.iterations for tree in self.trees)
        return min(worlds, max((tree.iterations for tree in self.trees), default=0))

    def _merged_root(self) -> tuple[np.ndarray, ...]:
        n = len(self.moves)
        visits, wins, scores, squares, utilities = (np.zeros(n) for _ in range(5))
        for tree in self.trees:
            edges = tree.arena.edges[:n]
            visits += edges["visits"]
            utilities += edges["utility"]
            root = tree.arena.root
            wins += root["win"]
            scores += root["score"]
            squares += root["score_squares"]
        return visits, wins, scores, squares, utilities

    def _line(self, root_edge: int, table: Row) -> tuple[LineStep, ...]:
        """The line after a root edge, from the tree that visited it most; draws from ``table``."""
        tree = max(self.trees, key=lambda t: int(t.arena.edges[root_edge].visits))
        return principal_variation(self._game, tree, table, root_edge, self._seed)


def _contenders(visits: np.ndarray, wins: np.ndarray) -> float:
    """The perplexity of a logit choice among the moves that were tried."""
    tried = visits > 0
    if not tried.any():
        return float(max(1, len(visits)))
    means = wins[tried] / visits[tried]
    weights = np.exp((means - means.max()) / _CLOSE)
    shares = weights / weights.sum()
    return float(np.exp(-(shares * np.log(np.maximum(shares, 1e-300))).sum()))
