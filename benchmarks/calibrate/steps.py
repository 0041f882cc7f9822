"""Chooses parameters whose ratings are evenly spaced."""

from __future__ import annotations

import numpy as np
from scipy.optimize import isotonic_regression


def even_steps(
    parameters: np.ndarray, ratings: np.ndarray, lowest: float, count: int
) -> np.ndarray:
    """Parameters with evenly spaced ratings, ascending; the last is the last one given.

    The first has the rating ``lowest``, or the first one's if that is higher already. The curve is
    made monotone first: what falls is noise of the measurement.
    """
    curve = isotonic_regression(ratings).x
    # Where the curve is flat, any parameter would do: a slope too small to matter picks one.
    curve = curve + 1e-6 * np.arange(len(curve))
    targets = np.linspace(max(lowest, curve[0]), curve[-1], count)
    return np.asarray(np.interp(targets, curve, parameters))
