"""Search iterations per second and core, beside OpenSpiel's C++ ISMCTS bot on Hearts."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from typing import Any

from benchmarks.pairs import Comparison, compare
from engines.contract import GAME_OVER, RANDOM, Game
from engines.events import NO_LOG, new_log
from engines.jit import Row
from engines.registry import game, options_message
from engines.rng import generator
from search import Search
from search.tree import Tree

SLICE = 500
"""Iterations between two looks at the clock."""
HEARTS_PLIES = 52


@dataclass(frozen=True)
class Position:
    """A view to search, and how many moves a random game from it has on average."""

    game: Game
    view: Row
    moves_per_playout: float


def first_real_decision(game_id: str, seats: int, seed: int = 1) -> Position:
    """A new game played on until nothing simultaneous or preparatory is left to decide.

    That is the first position, after some moves, whose mover has several open choices; for a
    trick-taking game the first lead.
    """
    found = game(game_id)
    row = found.codec.new_game(options_message(game_id), seats, seed, new_log())
    kernels = found.kernels
    rng = generator(seed, 1)
    while _hides_its_moves(found, row) or _is_preparation(found, row):
        kernels.apply_move(row, kernels.policy_move(row, rng), NO_LOG)
    seat = int(kernels.seat_to_move(row))
    view = found.new_view()
    kernels.project(row, seat, view)
    return Position(found, view, _mean_playout(found, view))


def position_with_one_move(game_id: str, seats: int) -> Row | None:
    """What a seat knows that has a single legal move; None if that does not happen in a game."""
    found = game(game_id)
    kernels = found.kernels
    row = found.codec.new_game(options_message(game_id), seats, 1, new_log())
    rng = generator(1, 1)
    while (seat := int(kernels.seat_to_move(row))) != GAME_OVER:
        if len(found.legal_moves(row)) == 1:
            view = found.new_view()
            kernels.project(row, seat, view)
            return view
        kernels.apply_move(row, kernels.policy_move(row, rng), NO_LOG)
    return None


def _hides_its_moves(found: Game, row: Row) -> bool:
    mover = int(found.kernels.seat_to_move(row))
    other = (mover + 1) % found.codec.seats(row)
    move = found.legal_moves(row)[0]
    return bool(found.kernels.move_key(row, move, other) != move)


def _is_preparation(found: Game, row: Row) -> bool:
    """Whether the move after this one is hidden: choosing how many cards to pass, say."""
    after = row.copy()
    found.kernels.apply_move(after, found.legal_moves(row)[0], NO_LOG)
    return found.kernels.seat_to_move(after) >= 0 and _hides_its_moves(found, after)


def _mean_playout(found: Game, view: Row, samples: int = 200) -> float:
    table = found.new_table()
    found.kernels.prepare(view, table)
    rng = generator(5)
    moves = 0
    for _ in range(samples):
        row = found.new_row()
        found.kernels.determinize(view, table, rng, row)
        moves += found.kernels.playout(row, rng, RANDOM)
    return moves / samples


def run_for(tree: Tree, seconds: float) -> float:
    """Iterations per second of one tree."""
    start = time.perf_counter()
    before = tree.iterations
    while time.perf_counter() - start < seconds:
        tree.run(SLICE)
    return (tree.iterations - before) / (time.perf_counter() - start)


def search_rate(position: Position, seconds: float) -> float:
    """Iterations per second of a new search on one core."""
    return run_for(Search(position.game, position.view, seed=1, trees=1).trees[0], seconds)


def two_core_rate(position: Position, seconds: float) -> float:
    """Iterations per second of two trees on two threads together."""
    trees = Search(position.game, position.view, seed=1, trees=2).trees
    rates = [0.0, 0.0]

    def run(i: int) -> None:
        rates[i] = run_for(trees[i], seconds)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(rates)


def scaling(position: Position, seconds: float = 1.0) -> Comparison:
    """Two cores against one."""
    return compare(lambda: two_core_rate(position, seconds), lambda: search_rate(position, seconds))


class HeartsBot:
    """OpenSpiel's C++ ISMCTS bot at the first lead of a Hearts deal, with random rollouts."""

    def __init__(self, simulations: int = 20_000) -> None:
        import pyspiel

        self._pyspiel: Any = pyspiel
        self._simulations = simulations
        self._state = self._first_lead(random.Random(1))
        self.moves_per_playout = HEARTS_PLIES

    def _first_lead(self, rng: random.Random) -> Any:
        state = self._pyspiel.load_game("hearts(pass_cards=False)").new_initial_state()
        while state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, weights)[0])
        while len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        return state

    def rate(self) -> float:
        """Simulations per second of one decision."""
        bot = self._pyspiel.ISMCTSBot(
            seed=1,
            evaluator=self._pyspiel.RandomRolloutEvaluator(1, 1),
            uct_c=1.0,
            max_simulations=self._simulations,
            max_world_samples=-1,
        )
        start = time.perf_counter()
        bot.step(self._state.clone())
        return self._simulations / (time.perf_counter() - start)


def against_openspiel(position: Position, seconds: float = 1.0) -> Comparison:
    """Moves simulated per second: iterations times the moves of a game from the position."""
    hearts = HeartsBot()
    return compare(
        lambda: search_rate(position, seconds) * position.moves_per_playout,
        lambda: hearts.rate() * hearts.moves_per_playout,
    )
