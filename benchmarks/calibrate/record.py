"""A finished calibration, and the file that keeps it: engines/<game>/levels.json."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from benchmarks.calibrate.validate import Step
from engines.kernel_cache import identity
from search.levels import BadLevels, levels, levels_file
from search.strength import Strength


@dataclass(frozen=True)
class Calibration:
    """What was measured; one entry a level in each sequence, weakest first."""

    game_id: str
    date: str
    iterations: int
    """A move, for full strength."""
    games: int
    seconds: int
    strengths: tuple[Strength, ...]
    steps: tuple[Step, ...]
    ratings: np.ndarray
    low: np.ndarray
    high: np.ndarray


def write(calibration: Calibration) -> None:
    """Keeps a calibration. One whose ratings do not rise from level to level raises BadLevels and
    leaves the file as it was."""
    path = levels_file(calibration.game_id)
    before = path.read_bytes() if path.exists() else None
    path.write_text(json.dumps(as_json(calibration), indent=2) + "\n", encoding="utf-8")
    levels.cache_clear()
    try:
        levels(calibration.game_id)
    except BadLevels:
        if before is None:
            path.unlink()
        else:
            path.write_bytes(before)
        raise


def as_json(calibration: Calibration) -> dict[str, Any]:
    """What the file holds."""
    return {
        "provenance": {
            "command": " ".join(("python -m benchmarks.calibrate", *sys.argv[1:])),
            "date": calibration.date,
            "seats": 2,
            "options": "default",
            "full_strength_iterations": calibration.iterations,
            "games": calibration.games,
            "seconds": calibration.seconds,
            "versions": {
                "adamas-server": version("adamas-server"),
                "kernels": identity(calibration.game_id),
                "python": platform.python_version(),
                "numba": version("numba"),
            },
        },
        "levels": [
            {
                "level": number + 1,
                "rating": round(float(calibration.ratings[number]), 1),
                "low": round(float(calibration.low[number]), 1),
                "high": round(float(calibration.high[number]), 1),
                "iterations": strength.iterations,
                "worlds": strength.worlds,
                "reach": strength.reach,
                "blur": strength.blur,
                "against_the_level_below": _step_as_json(calibration.steps[number]),
            }
            for number, strength in enumerate(calibration.strengths)
        ],
    }


def _step_as_json(step: Step) -> dict[str, Any]:
    return {
        "games": step.share.games,
        "share": round(step.share.share, 4),
        "low": round(step.share.low, 4),
        "high": round(step.share.high, 4),
        "known": step.known,
    }
