"""Learn what a round of Diam's will bring: `make learn`. Writes engines/diams/data/outlook.json.

In a first pass the playout policy plays itself, many games of two, three and four seats; the
weights of engines/diams/outlook.py are fitted to the points that each seat made from the beginning
of every turn to the end of its round, by least squares with a ridge. In a second pass the search
plays itself, and by what its games differ is fitted on top. The deals are those of no match. Learn
anew after a change of the rules or of the policy.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import lsqr

from engines.contract import GAME_OVER
from engines.diams import GAME
from engines.diams.outlook import (
    DATA,
    KIND_CELLS,
    KNOTS,
    MOST_CELLS,
    OTHER_CELLS,
    WEIGHTS_OF_A_KIND,
    list_cells,
)
from engines.diams.rules.scoring import collection_points
from engines.diams.rules.state import DRAW, OVER, STATE
from engines.diams.rules.tables import KINDS
from engines.events import NO_LOG, new_log
from engines.jit import Record, Row
from engines.registry import options_message
from engines.rng import generator
from search import Search

FIRST_SEED = 1 << 30
SEATS = (2, 2, 3, 4)
"""Tables of these sizes in turn."""
POLICY_RIDGE, SEARCH_RIDGE = 3.0, 12.0
GAMES_A_JOB = 10
WEIGHTS_AT_A_KNOT = WEIGHTS_OF_A_KIND * KIND_CELLS + OTHER_CELLS

Floats = NDArray[np.float64]
Chooser = Callable[[Row, int], int]
"""(state, seed) -> the move of the seat to move."""


@dataclass
class Notes:
    """What is known of the seats at the beginning of every turn, a row each."""

    columns: list[NDArray[np.int64]] = field(default_factory=list)
    """Of the weights that count at a knot."""
    factors: list[Floats] = field(default_factory=list)
    """How much each counts."""
    cards: list[int] = field(default_factory=list)
    """In the pile."""
    table: list[int] = field(default_factory=list)
    """How many seats there are; their rows follow one another."""
    points: list[float] = field(default_factory=list)
    """Made from then on until the end of the round, bonuses included."""

    def add(self, other: Notes) -> None:
        """Adds the rows of others."""
        for name in ("columns", "factors", "cards", "table", "points"):
            getattr(self, name).extend(getattr(other, name))

    def begin_turn(self, s: Record) -> None:
        """A row for each seat; its points wait for the end of the round."""
        values = s.collection_values[:, 0].astype(float)
        factors = np.stack((np.ones(KINDS), values, np.arange(1.0, KINDS + 1)), axis=1)
        for seat in range(s.seats):
            cells = np.zeros(MOST_CELLS, dtype=np.int64)
            n = list_cells(s, seat, cells)
            of_kinds = WEIGHTS_OF_A_KIND * cells[:KINDS, None] + np.arange(WEIGHTS_OF_A_KIND)
            of_others = WEIGHTS_OF_A_KIND * KIND_CELLS + cells[KINDS:n]
            self.columns.append(np.concatenate((of_kinds.ravel(), of_others)))
            self.factors.append(np.concatenate((factors.ravel(), np.ones(n - KINDS))))
            self.cards.append(int(s.deck_size))
            self.table.append(int(s.seats))
            self.points.append(-float(collection_points(s, seat)))

    def end_round(self, points: Sequence[int], first: int) -> None:
        """The round that began with row ``first`` is over with these points of the seats."""
        for row in range(first, len(self.points)):
            self.points[row] += float(points[(row - first) % len(points)])


def play(number: int, choose: Chooser, notes: Notes) -> None:
    """Plays a game to its end."""
    seed = FIRST_SEED + number
    seats = SEATS[number % len(SEATS)]
    row = GAME.codec.new_game(options_message(GAME.game_id), seats, seed, new_log())
    s = row.view(STATE)[0]
    first, round_number = len(notes.points), 1
    for ply in range(GAME.max_game_moves):
        if s.phase == OVER or s.round_number != round_number:
            notes.end_round(s.points[round_number - 1, :seats].tolist(), first)
            first, round_number = len(notes.points), int(s.round_number)
        if GAME.kernels.seat_to_move(row) == GAME_OVER:
            return
        if s.phase == DRAW:
            notes.begin_turn(s)
        GAME.kernels.apply_move(row, choose(row, seed * 10_007 + ply), NO_LOG)


def policy_choice(row: Row, seed: int) -> int:
    """The playout policy's move."""
    return int(GAME.kernels.policy_move(row, generator(seed)))


def search_choice(row: Row, seed: int, iterations: int) -> int:
    """The search's move."""
    moves = GAME.legal_moves(row)
    if len(moves) == 1:
        return moves[0]
    view = GAME.new_view()
    GAME.kernels.project(row, int(GAME.kernels.seat_to_move(row)), view)
    search = Search(GAME, view, seed=seed, trees=1)
    search.run(iterations)
    return search.best_move()


def notes_of(job: tuple[range, int]) -> Notes:
    """The notes of some games, by the search with so many iterations a move; 0: by the policy."""
    games, iterations = job
    notes = Notes()
    for number in games:
        if iterations:
            play(number, lambda row, seed: search_choice(row, seed, iterations), notes)
        else:
            play(number, policy_choice, notes)
    return notes


def all_notes(games: range, iterations: int, processes: int) -> Notes:
    """The notes of all games."""
    jobs = [
        (games[start : start + GAMES_A_JOB], iterations)
        for start in range(0, len(games), GAMES_A_JOB)
    ]
    notes = Notes()
    with ProcessPoolExecutor(processes) as pool:
        for done, found in enumerate(pool.map(notes_of, jobs), 1):
            notes.add(found)
            print(f"\r{done}/{len(jobs)} jobs", end="", file=sys.stderr)
    print(file=sys.stderr)
    return notes


def matrix(notes: Notes) -> sparse.csr_matrix:
    """How much each weight counts in each row; those of a knot stand side by side."""
    cards = np.array(notes.cards, dtype=float)
    knots = np.clip(np.searchsorted(KNOTS, cards, side="right") - 1, 0, len(KNOTS) - 2)
    ways = np.clip((cards - KNOTS[knots]) / np.diff(KNOTS)[knots], 0.0, 1.0)
    counts = [len(columns) for columns in notes.columns]
    rows, knot, way = (np.repeat(x, counts) for x in (np.arange(len(counts)), knots, ways))
    columns = knot * WEIGHTS_AT_A_KNOT + np.concatenate(notes.columns)
    factors = np.concatenate(notes.factors)
    both = (np.concatenate((rows, rows)), np.concatenate((columns, columns + WEIGHTS_AT_A_KNOT)))
    return sparse.csr_matrix(
        (np.concatenate((factors * (1.0 - way), factors * way)), both),
        shape=(len(counts), len(KNOTS) * WEIGHTS_AT_A_KNOT),
    )


def deviations(notes: Notes, errors: Floats) -> list[float]:
    """How far the margins of two seats are off at each knot; in between, squares are straight."""
    first = np.flatnonzero(np.array(notes.table) == 2)[::2]
    squares = (errors[first] - errors[first + 1]) ** 2
    cards = np.array(notes.cards)[first]
    hats = np.array([np.interp(cards, KNOTS, unit) for unit in np.eye(len(KNOTS))]).T
    found = np.linalg.lstsq(hats, squares, rcond=None)[0]
    return [round(float(value), 2) for value in np.sqrt(np.maximum(found, 1.0))]


def as_tables(weights: Floats) -> dict[str, list[float]]:
    """The weights as engines/diams/outlook.py lays them out."""
    by_knot = np.round(weights, 3).reshape(len(KNOTS), WEIGHTS_AT_A_KNOT)
    kinds = by_knot[:, :-OTHER_CELLS].reshape(len(KNOTS), KIND_CELLS, WEIGHTS_OF_A_KIND)
    others = by_knot[:, -OTHER_CELLS:]
    return {"kinds": kinds.swapaxes(0, 1).ravel().tolist(), "others": others.T.ravel().tolist()}


def main() -> None:
    """Learns in two passes; keeps the weights with what they come from."""
    parser = argparse.ArgumentParser(
        prog="make learn", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--policy-games", type=int, default=3000, help="[%(default)s]")
    parser.add_argument("--search-games", type=int, default=0, help="[%(default)s]")
    parser.add_argument("--iterations", type=int, default=200, help="a move [%(default)s]")
    parser.add_argument("--processes", type=int, default=1, help="[%(default)s]")
    arguments = parser.parse_args()
    games = range(arguments.policy_games)
    notes = all_notes(games, 0, arguments.processes)
    table, points = matrix(notes), np.array(notes.points)
    weights = lsqr(table, points, damp=POLICY_RIDGE, iter_lim=60)[0]
    if arguments.search_games:
        games = range(games.stop, games.stop + arguments.search_games)
        notes = all_notes(games, arguments.iterations, arguments.processes)
        table, points = matrix(notes), np.array(notes.points)
        rest = points - table @ weights
        weights = weights + lsqr(table, rest, damp=SEARCH_RIDGE, iter_lim=60)[0]
    errors = points - table @ weights
    explained = 1.0 - errors.var() / points.var()
    print(f"{len(points):,} positions of the last pass, {100 * explained:.1f} % explained")
    kept = {
        "provenance": {
            "command": " ".join(("python -m tools.learn_diams", *sys.argv[1:])),
            "date": dt.datetime.now(dt.UTC).date().isoformat(),
            "first_seed": FIRST_SEED,
            "explained": round(float(explained), 3),
        },
        "deviations": deviations(notes, errors),
        **as_tables(weights),
    }
    DATA.write_text(json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
