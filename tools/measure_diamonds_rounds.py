"""Measure what a round of Diamonds is worth: writes engines/diamonds/data/round_gain.json.

Plays whole games of the informed playout policy against itself. Run it again, as
`python -m tools.measure_diamonds_rounds`, after a change of that policy.
"""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adamas.v1 import diamonds_pb2 as pb
from engines.contract import INFORMED, MAX_SEATS
from engines.diamonds import GAME
from engines.diamonds.rules.options import PERFECT_SEATS, TEAM_SEATS
from engines.diamonds.rules.state import rounds
from engines.events import new_log
from engines.rng import generator

OUTPUT = Path(__file__).parent.parent / "engines" / "diamonds" / "data" / "round_gain.json"
GAMES = 4_000
ABOUT = (
    "What one round does to the scores of the sides (seats, or teams). mean: points that each side "
    "gains. kept: the part of a side's lead over the average that is left after the round. sd: "
    "standard deviation of what chance adds to the score of each side, independently."
)


def scores_by_round(options: pb.DiamondsOptions, seats: int) -> NDArray[np.float64]:
    """Scores after 0, 1, 2, ... rounds of many games: an array (games, rounds + 1, sides)."""
    start = GAME.codec.new_game(options, seats, 1, new_log()).view(GAME.state)[0]
    last, sides = int(rounds(start)), int(start.sides)
    scores = np.full((GAMES, last + 1, sides), float(start.showrooms[0]))
    for game in range(GAMES):
        dealt = GAME.codec.new_game(options, seats, game, new_log())
        for played in range(1, last + 1):
            row = dealt.copy()
            state = row.view(GAME.state)[0]
            state.horizon = played
            GAME.kernels.playout(row, generator(game, 1), INFORMED)
            scores[game, played] = 2.0 * state.vaults[:sides] + state.showrooms[:sides]
    return scores


def measure(seats: int, *, perfect: bool, teams: bool) -> dict[str, object]:
    """The figures for one way to play."""
    scores = scores_by_round(pb.DiamondsOptions(perfect=perfect, teams=teams), seats)
    leads = scores - scores.mean(axis=2, keepdims=True)
    before, after = leads[:, :-1].ravel(), leads[:, 1:].ravel()
    kept = float(before @ after / (before @ before))
    # Leads are measured against an average that the side's own luck is part of.
    own_part = 1 - 1 / scores.shape[2]
    sd = float(np.sqrt(np.mean((after - kept * before) ** 2) / own_part))
    return {
        "seats": seats,
        "perfect": perfect,
        "teams": teams,
        "mean": round(float(np.diff(scores, axis=1).mean()), 2),
        "kept": round(kept, 3),
        "sd": round(sd, 2),
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
        "against itself for each line"
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
