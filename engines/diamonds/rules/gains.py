"""What a round is worth: measured figures for judging a sample that ends before the game does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.contract import MAX_SEATS

_FILE = Path(__file__).parents[1] / "data" / "round_gain.json"


def _load() -> list[NDArray[np.float64]]:
    figures = [np.ones((2, 2, MAX_SEATS + 1)) for _ in range(3)]
    sides: list[dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))["sides"]
    for side in sides:
        place = int(side["perfect"]), int(side["teams"]), side["seats"]
        for figure, name in zip(figures, ("mean", "kept", "sd"), strict=True):
            figure[place] = side[name]
    return figures


MEAN, KEPT, SD = _load()
"""What one round does to the scores of the sides (seats, or teams), indexed by perfect, teams and
seats: every side gains MEAN points; of a lead over the others KEPT is left, as everybody takes from
whoever is ahead; chance adds to each score with standard deviation SD."""
