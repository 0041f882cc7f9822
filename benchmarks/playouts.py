"""Random playout moves per second and core, beside the same rules in C++."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from benchmarks.pairs import Comparison, compare
from engines.contract import RANDOM, Game
from engines.events import new_log
from engines.jit import RNG, ROW, Int, Rng, Row, entry
from engines.registry import game, options_message
from engines.rng import generator
from search.pointers import POINTERS, pointers, rules_at

DEALS = 64
GAMES_A_CALL = 200
SOURCE = Path(__file__).parent / "playout_cpp" / "diamonds_playout.cpp"
PROGRAM = Path("build/diamonds_playout")


@entry(types.int64(types.Array(types.uint8, 2, "C"), ROW, RNG, types.int64, POINTERS))
def play_games(deals: Any, row: Row, rng: Rng, games: Int, functions: Any) -> Int:
    """Plays random games from the deals in turn; returns the number of moves."""
    playout = rules_at(functions).playout
    moves = 0
    for i in range(games):
        row[:] = deals[i % len(deals)]
        moves += playout(row, rng, RANDOM)
    return moves


def rate_of(found: Game, seats: int) -> Callable[[float], float]:
    """A function of seconds that measures moves per second of random games with these seats."""
    options = options_message(found.game_id)
    deals = np.array(
        [found.codec.new_game(options, seats, seed, new_log()) for seed in range(DEALS)]
    )
    functions = pointers(found)
    row = found.new_row()
    rng = generator(1)

    def measure(seconds: float) -> float:
        start = time.perf_counter()
        moves = 0
        while (elapsed := time.perf_counter() - start) < seconds:
            moves += int(play_games(deals, row, rng, GAMES_A_CALL, functions))
        return moves / elapsed

    return measure


def playout_rate(found: Game, seats: int, seconds: float) -> float:
    """Moves per second of random games."""
    measure = rate_of(found, seats)
    measure(seconds / 10)
    return measure(seconds)


def build_cpp() -> Path:
    """Compiles the C++ program; raises RuntimeError without a C++ compiler."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise RuntimeError("no C++ compiler found; install g++ or clang++")
    PROGRAM.parent.mkdir(exist_ok=True)
    flags = ["-O3", "-march=native", "-std=c++20"]
    subprocess.run([compiler, *flags, str(SOURCE), "-o", str(PROGRAM)], check=True)
    return PROGRAM.resolve()


def cpp_rate(program: Path, seconds: float) -> float:
    """Moves per second of the C++ program."""
    done = subprocess.run(
        [str(program), "1", str(seconds)], capture_output=True, text=True, check=True
    )
    figures = json.loads(done.stdout)
    return float(figures["moves"] / figures["seconds"])


def against_cpp(seconds: float = 1.0) -> Comparison:
    """Random games of Diamonds with four seats: compiled Python against C++."""
    program = build_cpp()
    measure = rate_of(game("diamonds"), 4)
    return compare(lambda: measure(seconds), lambda: cpp_rate(program, seconds))
