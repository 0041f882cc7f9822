"""The search against an earlier state of this project, which a tournament of ours has as endpoint.

The earlier state is served from a checkout of its own, `python -m server --port 50051`. At a table
of two each deal is played from either seat; at larger ones the earlier state has all other seats.
One game is played at a time, so one search has the machine for itself.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from rich.console import Console

from adamas_tournament.session import begin
from adamas_tournament.statistics.summary import summarize
from benchmarks.intervals import Share

_NOW, _THEN = "now", "then"


def configuration(
    game_id: str, seats: int, address: str, limits: dict[str, float], deals: int
) -> str:
    """The tournament as a file; ``limits`` hold for a move of everybody."""
    lines = [
        "[tournament]",
        f'name = "{game_id}: {_NOW} and {_THEN}"',
        f"deals = {deals}",
        "[game]",
        f'id = "{game_id}"',
        f"seats = {seats}",
    ]
    for seat in range(seats):
        lines += ["[[entrants]]", f'name = "{_THEN} {seat}"' if seat else f'name = "{_NOW}"']
        lines += ['kind = "endpoint"', f"address = {json.dumps(address)}"] if seat else []
        lines += [] if seat else ['kind = "service"']
        lines += [f"{name} = {value}" for name, value in limits.items()]
    return "\n".join(lines) + "\n"


def against_frozen(
    game_id: str, seats: int, address: str, limits: dict[str, float], games: int
) -> Share:
    """The share of the victories of the search as it is, at a table with the earlier one."""
    deals = max(2, games // seats)
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "frozen.toml"
        text = configuration(game_id, seats, address, limits, deals)
        config.write_text(text, encoding="utf-8")
        journal = config.with_suffix(".journal")
        summary = summarize(begin(config, journal, Console(stderr=True), None))
    if summary is None or summary.entrants[0].win_share is None:
        raise RuntimeError(f"no game of {game_id} counted")
    share = summary.entrants[0].win_share
    return Share(summary.games, share.mean, share.low, share.high)
