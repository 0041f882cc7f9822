"""Puts the report together."""

import base64
import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import jinja2
import numpy as np
from markupsafe import Markup

from adamas.figures import number, percent
from adamas_tournament.journal import Journal
from adamas_tournament.progress import Progress
from adamas_tournament.records import GameKey, GameRecord
from adamas_tournament.report.charts import (
    evidence_chart,
    rating_chart,
    score_chart,
    seat_chart,
    time_chart,
)
from adamas_tournament.report.crosstable import crosstable
from adamas_tournament.report.pictures import svg
from adamas_tournament.report.positions import Changes
from adamas_tournament.report.wording import headlines
from adamas_tournament.statistics.outcomes import encounter
from adamas_tournament.statistics.pairwise import Interval, interval
from adamas_tournament.statistics.sequential import Comparison
from adamas_tournament.statistics.summary import Summary, summarize

PALETTE = (
    "#3b6fd4", "#d9822b", "#1f9d7a", "#b455a0", "#c9413b",
    "#7a8a12", "#6f5bd0", "#8a6d3b", "#2596be", "#a33b63",
)  # fmt: skip


def report_page(
    journal: Journal,
    most_games: int,
    positions: Callable[[GameRecord], list[Changes]] | None = None,
) -> str:
    """The report as HTML.

    Args:
        journal: The journal.
        most_games: How many games can be opened move by move: those with forfeits, then the first.
        positions: Gives the changes of a game's positions, which the viewer then shows too.
    """
    progress = Progress(journal.config, journal.plan)
    for game in journal.games(with_moves=False):
        progress.add(game)
    config = progress.config
    colours = {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(config.names)}
    summary = summarize(progress)
    shown = _shown(progress.games, most_games)
    return _template().render(
        name=config.tournament.name,
        plan=progress.plan,
        created=journal.created,
        over=progress.over,
        stopped=progress.stopped_early,
        summary=summary,
        headlines=headlines(progress, summary) if summary else [],
        charts=_charts(journal, progress, summary, colours) if summary else {},
        crosstable=crosstable(summary) if summary else None,
        colours=colours,
        descriptions={entrant.name: entrant.description for entrant in config.entrants},
        forfeits=[(game, forfeit) for game in progress.games for forfeit in game.forfeits],
        config_text=journal.config_text,
        versions=journal.versions(),
        games=_packed([_game(journal.game(key), colours, positions) for key in shown]),
        shown=len(shown),
    )


def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("adamas_tournament.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    environment.filters["number"] = number
    environment.globals["include_raw"] = lambda name: Markup(  # noqa: S704  (files of ours)
        environment.loader.get_source(environment, name)[0] if environment.loader else ""
    )
    return environment.get_template("page.html.j2")


def _charts(
    journal: Journal, progress: Progress, summary: Summary, colours: dict[str, str]
) -> dict[str, Markup]:
    ranked = [entrant.name for entrant in summary.ranked]
    scores: dict[str, list[float]] = defaultdict(list)
    for game in progress.games:
        for side in game.sides:
            scores[side.entrant].append(side.score)
    seconds = _move_seconds(journal, progress.games)
    charts = {
        "ratings": svg(rating_chart(summary.ranked, colours), "Ratings with 95% intervals"),
        "scores": svg(
            score_chart({name: scores[name] for name in ranked if scores[name]}, colours),
            "Distribution of scores",
        ),
        "seats": svg(seat_chart(*_seat_shares(progress)), "Share of the victory by seat"),
    }
    if any(seconds.values()):
        times = time_chart({name: seconds[name] for name in ranked}, colours)
        charts["times"] = svg(times, "Time a move")
    traces = _traces(progress)
    if traces:
        confidence = progress.config.stop.confidence if progress.config.stop else 0.95
        evidence = evidence_chart(traces, len(traces) / (1 - confidence), PALETTE)
        charts["evidence"] = svg(evidence, "Evidence by deal")
    return charts


def _move_seconds(journal: Journal, games: Sequence[GameRecord]) -> dict[str, list[float]]:
    who = {
        (game.key, seat): side.entrant
        for game in games
        for side in game.sides
        for seat in side.seats
    }
    seconds: dict[str, list[float]] = defaultdict(list)
    for key, seat, taken in journal.move_seconds():
        if (key, seat) in who:
            seconds[who[key, seat]].append(taken)
    return seconds


def _seat_shares(progress: Progress) -> tuple[list[Interval], list[str]]:
    """Mean share of the victory of each side of the table, with the deal as the unit."""
    sides = progress.plan.sides
    shares = [
        interval(
            [float(np.mean([game[side].win_share for game in deal])) for deal in progress.deals],
            bounds=(0.0, 1.0),
        )
        for side in range(len(sides))
    ]
    teams = any(len(side) > 1 for side in sides)
    labels = [
        f"{'seats' if teams else 'seat'} {' and '.join(str(seat) for seat in side)}"
        for side in sides
    ]
    return shares, labels


def _traces(progress: Progress) -> dict[str, list[float]]:
    """How the evidence for each question of the stopping rule grew."""
    config = progress.config
    questions = config.questions()
    if config.stop is None:
        return {}
    alpha = (1 - config.stop.confidence) / len(questions)
    traces = {}
    for first, second in questions:
        comparison, trace = Comparison(alpha), []
        for deal in progress.deals:
            met = encounter(deal, config.names.index(first), config.names.index(second))
            if met is not None:
                comparison.add(met.ahead)
                trace.append(comparison.evidence)
        if trace:
            traces[f"{first} > {second}"] = trace
    return traces


def _shown(games: Sequence[GameRecord], most: int) -> list[GameKey]:
    first = sorted(games, key=lambda game: (not game.forfeits, game.key))[:most]
    return sorted(game.key for game in first)


def _game(
    game: GameRecord,
    colours: dict[str, str],
    positions: Callable[[GameRecord], list[Changes]] | None,
) -> dict[str, Any]:
    """A game for the viewer; short names, since there are many of them."""
    return {
        "positions": positions(game) if positions is not None else None,
        "key": str(game.key),
        "seed": str(game.seed),
        "sides": [
            {
                "name": side.entrant,
                "colour": colours[side.entrant],
                "seats": side.seats,
                "place": side.place,
                "share": round(side.win_share, 4),
                "score": side.score,
            }
            for side in game.sides
        ],
        "moves": [
            {
                "seat": move.seat,
                "s": round(move.seconds, 4),
                "e": move.events,
                "p": move.scores,
                "w": None if move.win_probability is None else round(move.win_probability, 4),
                "i": move.iterations,
                "x": move.stand_in,
                "m": move.move,
                "r": move.reason,
            }
            for move in game.moves
        ],
        "forfeits": [
            {
                "side": forfeit.side,
                "ply": forfeit.ply,
                "what": forfeit.offence.value,
                "detail": forfeit.detail,
            }
            for forfeit in game.forfeits
        ],
    }


def _packed(values: object) -> str:
    """JSON for a script element: compressed, since that makes it ten times shorter, as base64."""
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
