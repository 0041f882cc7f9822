"""The rules also run as plain Python, for debuggers and for coverage."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from engines.registry import game_ids

PROGRAM = """
import sys
from engines.jit import JIT_ENABLED
from engines.registry import game
from search import Search
from tests.contract.play import Setting, plies, position_after, view_of
assert not JIT_ENABLED
g = game(sys.argv[1])
digest = []
for seats in range(g.min_seats, g.max_seats + 1):
    setting = Setting(g, seats, "standard")
    digest.append([int(move) for _, move in plies(setting, seats)])
row = position_after(setting, 1, 8)
search = Search(g, view_of(g, row, int(g.kernels.seat_to_move(row))), seed=3, trees=1)
search.run(20)
digest.append([c.figures.move for c in search.result(5).candidates])
print(digest)
"""


@pytest.mark.parametrize("game_id", game_ids())
def test_plain_python_plays_the_very_same_games(game_id: str) -> None:
    plain = subprocess.run(
        [sys.executable, "-c", PROGRAM, game_id],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    compiled = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("assert not", "assert"), game_id],
        capture_output=True,
        text=True,
        check=False,
    )
    assert compiled.returncode == 0, compiled.stderr
    assert plain.stdout == compiled.stdout
