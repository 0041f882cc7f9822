"""A search of one player view: several trees, merged at the root."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from engines.contract import CandidateFigures, Game
from engines.jit import Row
from engines.rng import generator
from search.arena import EMPTY
from search.choice import ALL_MOVES, Choice
from search.lines import LineStep, principal_variation
from search.solver import ExactMove, Solver, solver_of
from search.strength import FULL_STRENGTH, Strength
from search.tree import Tree

DEFAULT_TREES: Final = 2
DEFAULT_MEMORY_BYTES: Final = 256 << 20
_SAMPLE_STREAM: Final = 1 << 20
"""Generator stream of the sample for words; trees use the streams from 0 on."""
_SOLVER_SHARE: Final = 4
"""Which part of the memory a solver may take, if there is one."""
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
class ComparedMove:
    """The move that was to be compared with the best."""

    move: RankedMove
    rank: int
    """Among the moves considered; 1 is the best."""


@dataclass(frozen=True)
class Result:
    """What a search has found so far, best candidate first."""

    candidates: tuple[RankedMove, ...]
    compared: ComparedMove | None
    """None: no move was to be compared."""
    next_best: CandidateFigures | None
    """The best move that is no candidate, which the last candidates may be compared with; its line
    is not followed. None: there is none."""
    legal_moves: int
    """How many there are, considered or not."""
    iterations: int
    determinizations: int
    nodes: int
    trees: int
    memory_bound_reached: bool
    widened: bool
    """Whether some position had so many moves that they were tried progressively."""
    solved: bool
    """Whether win probabilities and scores are exact: the position is an ending and was solved."""
    contenders: float
    """How many moves compete for the best, about: 1 if one stands out, up to the number of legal
    moves if they look alike."""


class RootFigures(NamedTuple):
    """Sums over the visits of each root move, over all trees."""

    visits: np.ndarray
    utilities: np.ndarray
    wins: np.ndarray
    win_squares: np.ndarray
    scores: np.ndarray
    score_squares: np.ndarray

    def figures(self, i: int, move: int, line: tuple[LineStep, ...]) -> CandidateFigures:
        """What the trees found out about one move."""
        visits = int(self.visits[i])
        n = max(1, visits)
        return CandidateFigures(
            move=move,
            visits=visits,
            win_probability=float(self.wins[i] / n),
            expected_score=float(self.scores[i] / n),
            score_standard_error=_standard_error(self.scores[i], self.score_squares[i], visits),
            line=tuple(step.move for step in line if step.move is not None),
            win_standard_error=_standard_error(self.wins[i], self.win_squares[i], visits),
        )

    def tried_means(self) -> np.ndarray:
        """The shares of the victory of the moves that were tried; equal ones if none was."""
        tried = self.visits > 0
        return self.wins[tried] / self.visits[tried] if tried.any() else np.zeros(len(tried))


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
        exploration: float | None = None,
        strength: Strength = FULL_STRENGTH,
        choice: Choice = ALL_MOVES,
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
        self._legal = self._legal_moves()
        self.moves = choice.among(self._legal)
        self._compared = EMPTY if choice.compared is None else self.moves.index(choice.compared)
        self._first_choice = int(game.kernels.policy_move(self.sample, rng)) if self.moves else -1
        self._solver: Solver | None = None
        if len(self._legal) > 1 and not strength.limited:
            share = memory_bytes // _SOLVER_SHARE
            self._solver = solver_of(game, self.sample, len(self._legal), share)
        if self._solver is not None:
            memory_bytes -= memory_bytes // _SOLVER_SHARE
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
                solver=self._solver,
                first=self._compared,
            )
            for stream in range(trees if self.moves else 0)
        )

    def _legal_moves(self) -> tuple[int, ...]:
        game = self._game
        if game.kernels.seat_to_move(self.sample) != game.codec.viewing_seat(self._view):
            return ()
        return tuple(game.legal_moves(self.sample))

    @property
    def forced(self) -> bool:
        """Whether one move only is legal, so that there is nothing to find out."""
        return len(self._legal) == 1

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

    @property
    def solved(self) -> bool:
        """Whether the position is solved: more iterations would tell nothing."""
        return self._solver is not None and self._solver.solved

    def result(self, candidates: int, *, lines: bool = True) -> Result:
        """The best candidates so far, by visits; without visits, the playout policy's move first.

        A search that does not see clearly (Strength.blur) ranks by the utilities that it sees. A
        solved position is ranked by its exact values: the victory first, then the margin.
        Lines can be left out. Meant for moments when no tree is running.
        """
        merged = self._merged_root()
        exact = self._exact()
        order = self._order(merged, exact)

        def figures(i: int, line: tuple[LineStep, ...] = ()) -> CandidateFigures:
            found = merged.figures(i, self.moves[i], line)
            return found if exact is None else _as_solved(found, exact[i])

        table = self._table.copy()  # drawing may change it, and the next result must not see that

        def ranked(i: int) -> RankedMove:
            line = self._line(i, table) if lines else ()
            return RankedMove(figures(i, line), line)

        best = tuple(ranked(i) for i in order[:candidates])
        compared = None
        if self._compared != EMPTY:
            place = order.index(self._compared)
            move = best[place] if place < candidates else ranked(self._compared)
            compared = ComparedMove(move, place + 1)
        iterations = sum(tree.iterations for tree in self.trees)
        return Result(
            candidates=best,
            compared=compared,
            next_best=figures(order[candidates]) if candidates < len(order) else None,
            legal_moves=len(self._legal),
            iterations=iterations,
            determinizations=self._determinizations(),
            nodes=sum(tree.nodes for tree in self.trees),
            trees=len(self.trees),
            memory_bound_reached=any(tree.memory_bound_reached for tree in self.trees),
            widened=any(tree.widened for tree in self.trees),
            solved=exact is not None,
            contenders=_contenders(merged.tried_means() if exact is None else _shares(exact)),
        )

    def best_move(self) -> int:
        """The move of the best candidate, without the work of finding its line."""
        return self.moves[self._order(self._merged_root(), self._exact())[0]]

    def _exact(self) -> list[ExactMove] | None:
        """What each move to consider is worth, if the position is solved."""
        if self._solver is None or not self.solved:
            return None
        worth = dict(zip(self._legal, self._solver.values(), strict=True))
        return [worth[move] for move in self.moves]

    def _order(self, merged: RootFigures, exact: list[ExactMove] | None) -> list[int]:
        """The indices of the moves, best first."""
        indices = range(len(self.moves))
        if exact is not None:
            return sorted(indices, key=lambda i: (*_descending(exact[i]), -merged.visits[i], i))
        seen = merged.visits
        if self._strength.blur > 0.0:
            means = merged.utilities / np.maximum(merged.visits, 1)
            blurred = self._strength.blurred(means, self._seed)
            seen = np.where(merged.visits > 0, blurred, -np.inf)
        return sorted(
            indices,
            key=lambda i: (
                -seen[i],
                -merged.utilities[i],
                self.moves[i] != self._first_choice,
                i,
            ),
        )

    def _determinizations(self) -> int:
        """How many determinizations were sampled; those that are known count once."""
        if (worlds := self._strength.worlds) is None:
            return sum(tree.iterations for tree in self.trees)
        return min(worlds, max((tree.iterations for tree in self.trees), default=0))

    def _merged_root(self) -> RootFigures:
        merged = RootFigures(*np.zeros((len(RootFigures._fields), len(self.moves))))
        for tree in self.trees:
            edges, root = tree.arena.edges[: len(self.moves)], tree.arena.root
            merged.visits[:] += edges["visits"]
            merged.utilities[:] += edges["utility"]
            merged.wins[:] += root["win"]
            merged.win_squares[:] += root["win_squares"]
            merged.scores[:] += root["score"]
            merged.score_squares[:] += root["score_squares"]
        return merged

    def _line(self, root_edge: int, table: Row) -> tuple[LineStep, ...]:
        """The line after a root edge, from the tree that visited it most; draws from ``table``."""
        tree = max(self.trees, key=lambda t: int(t.arena.edges[root_edge].visits))
        return principal_variation(self._game, tree, table, root_edge, self._seed)


def _descending(move: ExactMove) -> tuple[float, float]:
    """Sorts solved moves, best first; what differs by rounding only is equal."""
    return -round(move.win_share, 9), -round(move.margin, 6)


def _as_solved(figures: CandidateFigures, exact: ExactMove) -> CandidateFigures:
    return replace(
        figures,
        win_probability=exact.win_share,
        expected_score=exact.score,
        win_standard_error=0.0,
        score_standard_error=0.0,
    )


def _shares(exact: list[ExactMove]) -> np.ndarray:
    return np.array([move.win_share for move in exact])


def _standard_error(total: float, squares: float, n: int) -> float:
    """Of the mean of ``n`` values with a sum and a sum of squares; 0 for fewer than two."""
    if n < 2:
        return 0.0
    variance = max(0.0, squares / n - (total / n) ** 2)
    return float(np.sqrt(variance / (n - 1)))


def _contenders(means: np.ndarray) -> float:
    """The perplexity of a logit choice among moves by their shares of the victory."""
    weights = np.exp((means - means.max()) / _CLOSE)
    shares = weights / weights.sum()
    return float(np.exp(-(shares * np.log(np.maximum(shares, 1e-300))).sum()))
