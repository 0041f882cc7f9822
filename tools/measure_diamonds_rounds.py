"""Measure what a round of Diamonds is worth: writes engines/diamonds/data/round_gain.json.

Plays whole games of the informed playout policy against itself. Run it again, as
`python -m tools.measure_diamonds_rounds`, after a change of that policy.
"""

import json
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adamas.v1 import diamonds_pb2 as pb
from engines.contract import INFORMED, MAX_SEATS, RESULT_ROWS, SCORE
from engines.diamonds import GAME, rules
from engines.diamonds.options import PERFECT_SEATS, TEAM_SEATS
from engines.events import new_log
from engines.rng import generator

OUTPUT = Path(__file__).parent.parent / "engines" / "diamonds" / "data" / "round_gain.json"
GAMES = 10_000
ABOUT = (
    "Gain of one side (a seat, or a team) in one round, in points. sd: the gains of two sides "
    "differ with standard deviation sd * sqrt(2)."
)


def final_scores(options: pb.DiamondsOptions, seats: int) -> tuple[NDArray[np.float64], int, int]:
    """Scores at the end of many games, one column a side; the rounds of each; a side's first
    crystals."""
    start = GAME.codec.new_game(options, seats, 1, new_log())
    state = start.view(GAME.state)[0]
    scores = np.zeros((GAMES, int(state.sides)))
    results = np.zeros((RESULT_ROWS, MAX_SEATS))
    for game in range(GAMES):
        row = GAME.codec.new_game(options, seats, game, new_log())
        GAME.kernels.playout(row, generator(game, 1), INFORMED)
        GAME.kernels.evaluate(row, results)
        scores[game] = results[SCORE, : scores.shape[1]]
    return scores, int(rules.rounds(state)), int(state.showrooms[0])


def measure(seats: int, *, perfect: bool, teams: bool) -> dict[str, object]:
    """Mean and spread of a round's gain for one way to play."""
    options = pb.DiamondsOptions(perfect=perfect, teams=teams)
    scores, rounds, first = final_scores(options, seats)
    differences = (scores[:, 0] - scores[:, 1]) / math.sqrt(2 * rounds)
    return {
        "seats": seats,
        "perfect": perfect,
        "teams": teams,
        "mean": round(float((scores.mean() - first) / rounds), 2),
        "sd": round(float(differences.std()), 2),
    }


def main() -> None:
    """Measure every number of seats, with and without Perfect Diamonds and teams."""
    sides = [
        measure(seats, perfect=perfect, teams=teams)
        for teams in (False, True)
        for perfect in (False, True)
        for seats in (TEAM_SEATS if teams else range(2, MAX_SEATS + 1))
        if not perfect or seats in PERFECT_SEATS
    ]
    how = (
        f"python -m tools.measure_diamonds_rounds: {GAMES} games of the informed playout policy "
        "against itself for each line, over all their rounds"
    )
    lines = ",\n".join(f"    {json.dumps(side)}" for side in sides)
    OUTPUT.write_text(
        f'{{\n  "about": {json.dumps(ABOUT)},\n  "measured": {json.dumps(how)},\n'
        f'  "sides": [\n{lines}\n  ]\n}}\n',
        encoding="utf-8",
    )
    print(OUTPUT.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
