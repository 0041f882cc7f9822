"""The table of everybody against everybody."""

from dataclasses import dataclass

from adamas.figures import number, percent
from adamas_tournament.statistics.pairwise import PairResult
from adamas_tournament.statistics.summary import Summary
from adamas_tournament.tables import p_value


@dataclass(frozen=True, slots=True)
class Cell:
    """One entrant against another.

    Attributes:
        ahead: How often the one of the row was placed ahead, in [0, 1].
        told: All figures, shown when the cell is pointed at.
        significant: Whether the difference is beyond luck.
        tint: How strongly the cell is coloured, in [-1, 1]; above 0 for the row's entrant.
    """

    ahead: float
    told: str
    significant: bool
    tint: float


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Everybody against everybody, best first.

    Attributes:
        names: The entrants.
        rows: The cells, in the order of the names both ways; None where two did not meet.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[Cell | None, ...], ...]


def crosstable(summary: Summary) -> Crosstable:
    """The crosstable of a summary."""
    numbers = {entrant.name: number for number, entrant in enumerate(summary.entrants)}
    names = tuple(entrant.name for entrant in summary.ranked)
    pairs = {(pair.first, pair.second): pair for pair in summary.pairs}
    rows = tuple(
        tuple(_cell(pairs, numbers[row], numbers[column]) for column in names) for row in names
    )
    return Crosstable(names, rows)


def _cell(pairs: dict[tuple[int, int], PairResult], row: int, column: int) -> Cell | None:
    pair = pairs.get((min(row, column), max(row, column)))
    if pair is None or row == column:
        return None
    swap = row > column
    mean = 1 - pair.ahead.mean if swap else pair.ahead.mean
    low = 1 - pair.ahead.high if swap else pair.ahead.low
    high = 1 - pair.ahead.low if swap else pair.ahead.high
    sign = -1 if swap else 1
    told = (
        f"ahead in {percent(mean)} ({100 * low:.1f} to {100 * high:.1f}); "
        f"score {number(sign * pair.score.mean, '+.2f')}; share of the victory "
        f"{number(sign * 100 * pair.win_share.mean, '+.1f')} percentage points; "
        f"{pair.deals} deals, {pair.games} games; "
        f"p {p_value(pair.p_value)}"
    )
    return Cell(mean, told, pair.significant, 2 * mean - 1)
