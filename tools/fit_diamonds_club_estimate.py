"""Fit what a table of Diamonds Club is worth at the end of a round.

Plays whole games of the informed playout policy against itself. What each seat has at the end of
every round is fitted, by least squares, to the score it ends with; the scale of the shares of the
victory, by maximum likelihood, to the winners. Prints the figures beside those in use in
engines/diamonds_club/estimate.py, with standard errors that take the tables as unrelated, so they
are a little too small. Run it again, as `python -m tools.fit_diamonds_club_estimate`, after a
change of that policy.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adamas.v1 import diamonds_club_pb2 as pb
from engines.contract import INFORMED, MAX_SEATS, RESULT_ROWS, SCORE, WIN_SHARE
from engines.diamonds_club import GAME
from engines.diamonds_club.rules import estimate
from engines.diamonds_club.rules.scoring import park_value
from engines.diamonds_club.rules.state import (
    DIAMOND,
    FOREST_TRACK,
    HORIZON,
    MONEY_TRACK,
    TECHNOLOGY_TRACK,
)
from engines.diamonds_club.rules.worth import rounds_to_come
from engines.events import new_log
from engines.rng import generator

Floats = NDArray[np.float64]
FEATURES: dict[str, Callable[[Any, int], float]] = {
    "POINTS_AT_ONCE": lambda s, seat: 1.0,
    "POINT": park_value,
    "GEM": lambda s, seat: s.gems[seat][:DIAMOND].sum(),
    "DIAMOND_GEM": lambda s, seat: s.gems[seat][DIAMOND],
    "TILE": lambda s, seat: s.tiles[seat].sum(),
    "OPEN_PICTURE": estimate.open_pictures,
    "TECHNOLOGY_LEVEL": lambda s, seat: s.levels[seat][TECHNOLOGY_TRACK],
    "MONEY_LEVEL": lambda s, seat: s.levels[seat][MONEY_TRACK],
    "FOREST_LEVEL": lambda s, seat: s.levels[seat][FOREST_TRACK],
    "ODD_ANIMAL": estimate.odd_animals,
    "COVERED_SPACE": lambda s, seat: s.light_tiles[seat],
}
"""What the estimate counts, by the name of its coefficients there."""
BUCKETS = len(estimate.POINT)
"""Numbers of rounds to come that are told apart; the last stands for all higher ones."""
SCALES = np.arange(1.0, 15.01, 0.25)


@dataclass(frozen=True)
class Table:
    """One table at the end of a round."""

    features: Floats
    """(seats, features)."""
    scores: Floats
    """The final scores."""
    shares: Floats
    """The final shares of the victory."""


def evaluated(row: NDArray[np.uint8]) -> Floats:
    """What the engine makes of a row."""
    results = np.zeros((RESULT_ROWS, MAX_SEATS))
    GAME.kernels.evaluate(row, results)
    return results


def tables_of(seats: int, seed: int) -> list[tuple[int, Table]]:
    """The tables of one game at the end of each round but the last, with the rounds to come."""
    dealt = GAME.codec.new_game(pb.DiamondsClubOptions(), seats, seed, new_log())
    ended = dealt.copy()
    GAME.kernels.playout(ended, generator(seed, 1), INFORMED)
    results = evaluated(ended)[:, :seats]
    tables = []
    for last in range(1, int(ended.view(GAME.state)[0].round_number)):
        row = dealt.copy()
        s = row.view(GAME.state)[0]
        s.horizon = last
        GAME.kernels.playout(row, generator(seed, 1), INFORMED)
        if s.phase != HORIZON:
            break
        features = [[float(of(s, seat)) for of in FEATURES.values()] for seat in range(seats)]
        table = Table(np.array(features), results[SCORE], results[WIN_SHARE])
        bucket = min(int(rounds_to_come(s)), BUCKETS - 1)
        check_features(row, bucket, table.features)
        tables.append((bucket, table))
    return tables


def check_features(row: NDArray[np.uint8], bucket: int, features: Floats) -> None:
    """Fails if the engine's estimate counts anything else than these features."""
    expected = evaluated(row)[SCORE, : len(features)]
    if not np.allclose(features @ in_use()[:, bucket], expected):
        raise SystemExit("engines/diamonds_club/estimate.py counts other things: adapt FEATURES")


def in_use() -> Floats:
    """The coefficients in use: (features, buckets)."""
    return np.array([getattr(estimate, name) for name in FEATURES])


def fit(tables: list[Table]) -> tuple[Floats, Floats, float]:
    """Coefficients, their standard errors, and the standard deviation of what is left."""
    features = np.concatenate([table.features for table in tables])
    scores = np.concatenate([table.scores for table in tables])
    coefficients, *_ = np.linalg.lstsq(features, scores, rcond=None)
    left = scores - features @ coefficients
    variance = left @ left / (len(scores) - len(FEATURES))
    errors = np.sqrt(variance * np.diag(np.linalg.pinv(features.T @ features)))
    return coefficients, errors, float(np.sqrt(variance))


def surprise(tables: list[Table], coefficients: Floats, scale: float) -> float:
    """Mean surprise, in nats, about the winners if shares follow this softmax."""
    total = 0.0
    for table in tables:
        expected = table.features @ coefficients / scale
        expected -= expected.max()
        total -= table.shares @ (expected - np.log(np.exp(expected).sum()))
    return total / len(tables)


def best_scale(tables: list[Table], coefficients: Floats) -> float:
    """The scale that is surprised least."""
    return float(min(SCALES, key=lambda scale: surprise(tables, coefficients, scale)))


def main() -> None:
    """Plays, fits and prints."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.fit_diamonds_club_estimate", description=__doc__
    )
    parser.add_argument("--games", type=int, default=1_000, help="of each number of seats")
    games = parser.parse_args().games
    tables: list[list[Table]] = [[] for _ in range(BUCKETS)]
    for seats in range(GAME.min_seats, GAME.max_seats + 1):
        for seed in range(games):
            for bucket, table in tables_of(seats, seed):
                tables[bucket].append(table)
    for bucket, found in enumerate(tables):
        used = in_use()[:, bucket]
        coefficients, errors, left = fit(found)
        print(f"{bucket} rounds to come, {len(found)} tables; fitted (standard error), in use:")
        for name, fitted, error, old in zip(FEATURES, coefficients, errors, used, strict=True):
            print(f"  {name:18}{fitted:8.2f} ({error:.2f}){old:8.2f}")
        scale, old_scale = best_scale(found, coefficients), float(estimate.SHARE_SCALE[bucket])
        print(f"  {'SHARE_SCALE':18}{scale:8.2f}       {old_scale:8.2f}")
        print(
            f"  left over: {left:.1f} points; surprise about the winner: fitted "
            f"{surprise(found, coefficients, scale):.3f}, in use "
            f"{surprise(found, used, old_scale):.3f}, even shares "
            f"{np.mean([np.log(len(table.scores)) for table in found]):.3f}"
        )


if __name__ == "__main__":
    main()
