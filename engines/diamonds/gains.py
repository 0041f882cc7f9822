"""What a round is worth: measured figures for judging a sample that ends before the game does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.contract import MAX_SEATS

_FILE = Path(__file__).with_name("data") / "round_gain.json"


def _load() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    shape = (2, 2, MAX_SEATS + 1)
    mean, sd = np.zeros(shape), np.ones(shape)
    sides: list[dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))["sides"]
    for side in sides:
        place = int(side["perfect"]), int(side["teams"]), side["seats"]
        mean[place], sd[place] = side["mean"], side["sd"]
    return mean, sd


MEAN, SD = _load()
"""Gain of one side (a seat or a team) in one round in points, indexed by perfect, teams, seats.
The gains of two sides differ with a standard deviation of SD * sqrt(2)."""
