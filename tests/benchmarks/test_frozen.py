"""The tournament against an earlier state."""

from __future__ import annotations

from pathlib import Path

import pytest

from adamas_tournament.config import load_config
from benchmarks.frozen import configuration


@pytest.mark.parametrize("seats", [2, 4])
def test_one_seat_is_ours_and_all_others_are_the_earlier_ones(tmp_path: Path, seats: int) -> None:
    path = tmp_path / "frozen.toml"
    text = configuration("diams", seats, "localhost:50052", {"time": 0.1}, 7)
    path.write_text(text, encoding="utf-8")
    config, _ = load_config(path)
    assert (config.game.id, config.game.seats, config.tournament.deals) == ("diams", seats, 7)
    assert [str(entrant.kind) for entrant in config.entrants] == [
        "service",
        *["endpoint"] * (seats - 1),
    ]
    assert text.count("time = 0.1") == seats
