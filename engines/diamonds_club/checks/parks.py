"""Parks: how many tiles can have been built, and when the game ends (sections 3.3 and 4)."""

from __future__ import annotations

from engines.diamonds_club.checks.position import Position
from engines.diamonds_club.rules.options import ANYTIME
from engines.diamonds_club.rules.state import (
    ALL_PRINTED,
    ANIMAL,
    BUILDINGS,
    FOREST,
    JOKER,
    KINDS,
    OVER,
    PRINTED,
)
from engines.violations import Report


def check_purchases(position: Position, seat: int, player: str, report: Report) -> None:
    """Each chart sells a seat one tile a round, and the joker chart one of any kind."""
    charts, tiles = position.charts[seat], position.landscape[seat]
    ended = position.round_number - (position.phase != OVER)
    own = [ended + (charts >> kind & 1) for kind in range(KINDS)]
    jokers = ended + (charts >> JOKER & 1)
    beyond = sum(max(0, number - most) for number, most in zip(tiles, own, strict=True))
    report.check(
        beyond <= jokers,
        f"{player}.buildings" if tiles[FOREST] <= own[FOREST] + jokers else f"{player}.forests",
        f"are more than {ended} building phases "
        + ("and the markers in the charts " if charts else "")
        + "allow: each chart sells a seat one tile a round",
    )
    for kind in range(KINDS):
        report.check(
            tiles[kind] > 0 or not charts >> kind & 1,
            f"{player}.charts",
            f"has chart {kind + 1}, but there is no tile of what it sells in the park",
        )
    report.check(
        sum(tiles) >= charts.bit_count(),
        f"{player}.charts",
        f"has {charts.bit_count()} charts; {sum(tiles)} tiles have been built",
    )


def check_spaces(position: Position, seat: int, player: str, report: Report) -> None:
    """A building covers its picture if that is open, and dark spaces come last (section 1.2)."""
    buildings, printed = position.landscape[seat][:BUILDINGS], position.printed[seat]
    shown = [kind for space, kind in enumerate(printed) if position.covered[seat] >> space & 1]
    if position.printed_any_building:
        wanted = min(sum(buildings), PRINTED)
    else:
        wanted = sum(min(buildings[kind], printed.count(kind)) for kind in set(printed))
    report.check(
        len(shown) >= wanted,
        f"{player}.printed_covered",
        f"covers {len(shown)} spaces; the park has buildings for {wanted}, and a building goes to "
        "its picture first",
    )
    report.check(
        position.dark_tiles[seat] == 0
        or (
            position.lights_free(seat) == 0
            and (position.dark_spaces == ANYTIME or position.covered[seat] == ALL_PRINTED)
        ),
        f"{player}.dark_tiles",
        f"is {position.dark_tiles[seat]}, but light spaces are free; those are covered first",
    )


def check_end(position: Position, table: str, report: Report) -> None:
    """The game ends with the round in which a park gets full, or with the last one (section 4)."""
    seats = range(position.seats)
    full = [seat for seat in seats if position.is_full(seat)]
    if position.phase == OVER:
        report.check(
            bool(full) or position.round_number == position.max_rounds,
            f"{table}.phase",
            f"is OVER, but no park is full, and there are {position.max_rounds} rounds",
        )
        return
    before = [seat for seat in full if position.charts[seat] == 0]
    report.check(
        len(before) <= position.symbols.count(ANIMAL),
        f"{table}.phase",
        f"is not OVER, but the park of seat {', '.join(map(str, before))} was full before",
    )
