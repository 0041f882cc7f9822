"""Tables for the terminal."""

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from adamas.figures import number, percent
from adamas_tournament.progress import Progress
from adamas_tournament.statistics.pairwise import Interval
from adamas_tournament.statistics.sequential import Verdict
from adamas_tournament.statistics.summary import Summary


def standings_table(summary: Summary) -> Table:
    """The entrants, best first."""
    table = _table("Standings")
    for heading in ("", "entrant", "rating", "95%", "win share", "95%", "score", "games",
                    "forfeits", "s/move"):  # fmt: skip
        table.add_column(heading, justify="left" if heading == "entrant" else "right")
    for rank, entrant in enumerate(summary.ranked, 1):
        rating = entrant.rating
        table.add_row(
            str(rank),
            Text(entrant.name, style="bold"),
            number(rating.value, ".0f"),
            f"{number(rating.low, '.0f')} to {number(rating.high, '.0f')}",
            *_share(entrant.win_share),
            "" if entrant.score is None else number(entrant.score.mean, ".2f"),
            str(entrant.games),
            Text(
                ", ".join(f"{count} {offence}" for offence, count in entrant.forfeits.items()),
                style="red",
            ),
            "" if entrant.seconds_a_move is None else f"{entrant.seconds_a_move:.3f}",
        )
    return table


def pairs_table(summary: Summary) -> Table:
    """Every pair, the better one first."""
    table = _table("Pairs")
    for heading in ("", "", "ahead", "95%", "score", "deals", "p"):
        table.add_column(heading, justify="left" if not heading else "right")
    names = [entrant.name for entrant in summary.entrants]
    for pair in summary.pairs:
        swap = pair.ahead.mean < 0.5
        ahead = _mirrored(pair.ahead) if swap else pair.ahead
        first, second = (pair.second, pair.first) if swap else (pair.first, pair.second)
        table.add_row(
            Text(names[first], style="bold" if pair.significant else ""),
            Text(f"against {names[second]}"),
            percent(ahead.mean),
            _range(ahead.low, ahead.high),
            number(-pair.score.mean if swap else pair.score.mean, "+.2f"),
            str(pair.deals),
            p_value(pair.p_value),
        )
    return table


def questions_table(progress: Progress) -> Table:
    """How far the answers are that the stopping rule waits for."""
    table = _table("Stopping rule")
    for heading in ("question", "ahead", "always valid", "deals", "answer"):
        table.add_column(heading, justify="left" if heading in {"question", "answer"} else "right")
    names = progress.config.names
    for (first, second), comparison in progress.rule.comparisons.items():
        low, high = comparison.interval
        table.add_row(
            Text(f"{names[first]} > {names[second]}"),
            percent(comparison.mean),
            _range(low, high),
            str(comparison.deals),
            Text(verdict_words(comparison.verdict), style="bold"),
        )
    return table


def verdict_words(verdict: Verdict) -> str:
    """A verdict in a word."""
    return {Verdict.OPEN: "open", Verdict.FIRST: "yes", Verdict.SECOND: "no, weaker"}[verdict]


def p_value(value: float) -> str:
    """A p-value, without digits that mean nothing."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _share(share: Interval | None) -> tuple[str, str]:
    """A share, if there is one, and its interval."""
    return ("", "") if share is None else (percent(share.mean), _range(share.low, share.high))


def _range(low: float, high: float) -> str:
    """An interval of shares, in per cent. Its ends are told, as its middle is not the mean."""
    return f"{100 * low:.1f} to {100 * high:.1f}"


def _table(title: str) -> Table:
    return Table(
        title=title,
        title_justify="left",
        title_style="bold",
        header_style="dim",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )


def _mirrored(value: Interval) -> Interval:
    return Interval(1 - value.mean, 1 - value.high, 1 - value.low)
