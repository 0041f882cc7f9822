"""Tables for the terminal."""

import re

from rich.console import Console

from adamas_tournament.statistics.pairwise import interval
from adamas_tournament.statistics.ratings import Rating
from adamas_tournament.statistics.summary import EntrantSummary, Summary
from adamas_tournament.tables import standings_table


def entrant(name: str, shares: list[float]) -> EntrantSummary:
    return EntrantSummary(
        name=name,
        rating=Rating(-120.0, -260.0, 20.0),
        games=2 * len(shares),
        win_share=interval(shares, bounds=(0.0, 1.0)),
        score=interval([-3.0, -2.0]),
        forfeits={},
        seconds_a_move=None,
    )


def test_the_interval_of_a_share_stays_between_0_and_100() -> None:
    summary = Summary((entrant("never", [0.0] * 6), entrant("always", [1.0] * 6)), (), 6, 12)
    console = Console(width=120)
    with console.capture() as capture:
        console.print(standings_table(summary))
    never, always = (
        next(line for line in capture.get().splitlines() if name in line)
        for name in ("never", "always")
    )
    assert re.search(r" 0\.0% +0\.0 to [1-9]", never)
    assert " to 100.0" in always
    assert "±" not in never + always
    assert re.search("−120 +−260 to 20", never)
    assert "−2.50" in never
