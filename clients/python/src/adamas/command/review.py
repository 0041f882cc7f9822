"""`adamas review`: a whole game, where the odds turned, and what would have been better."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adamas.client import Client
from adamas.command.connection import add_server_arguments, connect
from adamas.command.files import read_record
from adamas.command.output import print_json, result_words
from adamas.command.searching import add_limit_arguments, limit_of
from adamas.command.trouble import Trouble
from adamas.command.words import Words, words_in
from adamas.errors import InvalidRequest
from adamas.figures import percent
from adamas.games import SeatResult
from adamas.limits import Limit
from adamas.queries import Query
from adamas.records import Record
from adamas.review import (
    ITERATIONS,
    MISTAKE,
    MOST_CANDIDATES,
    Decision,
    Turn,
    decisions_of,
    deeper,
    mistakes_of,
    turns_of,
)
from adamas.search import Advice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command line."""
    parser.add_argument(
        "record", metavar="RECORD", help='a game that was kept, as by `play --record`, or "-"'
    )
    parser.add_argument("--game", metavar="NAME", help="which game, where RECORD has several")
    parser.add_argument("--seat", type=int, help="only the decisions of this seat")
    parser.add_argument(
        "--mistake",
        type=float,
        default=MISTAKE,
        metavar="POINTS",
        help="call it a mistake to lose so many percentage points [%(default)g]",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the searches [%(default)s]")
    add_limit_arguments(parser)
    add_server_arguments(parser)


@dataclass(frozen=True, slots=True)
class Review:
    """What there is to say about a game.

    Attributes:
        decisions: Every decision with more than one move that was looked at.
        mistakes: Those that lost much.
        turns: Where odds changed most, in order.
        results: How the game ended, or stands.
        over: Whether it ended.
    """

    decisions: tuple[Decision, ...]
    mistakes: tuple[Decision, ...]
    turns: tuple[Turn, ...]
    results: tuple[SeatResult, ...]
    over: bool


def main(arguments: argparse.Namespace) -> int:
    """Carries the command out."""
    record = read_record(arguments.record, arguments.game)
    limit = limit_of(arguments) or Limit(iterations=ITERATIONS)
    with connect(arguments) as client:
        views, results, over = _replay(client, record, arguments.seat)
        found = _search(client, views, limit, arguments.seed)
        doubtful = mistakes_of(decisions_of(record.moves, found), arguments.mistake)
        again = {each.ply: views[each.ply] for each in doubtful}
        found |= _search(client, again, deeper(limit), arguments.seed)
    decisions = decisions_of(record.moves, found)
    review = Review(
        decisions, mistakes_of(decisions, arguments.mistake), turns_of(decisions), results, over
    )
    if arguments.json:
        print_json(review)
    else:
        print("\n".join(_lines(review, words_in(arguments.language))))
    return 0


def _replay(
    client: Client, record: Record, seat: int | None
) -> tuple[dict[int, Any], tuple[SeatResult, ...], bool]:
    """What each mover knew, by ply; and how the game ended."""
    table = client.table(record.options, record.seats, seed=record.seed)
    views = {}
    for ply, played in enumerate(record.moves):
        try:
            if seat is None or played.seat == seat:
                views[ply] = table.view(played.seat)
            table.play(played.move, played.seat)
        except InvalidRequest as error:
            raise Trouble(f"ply {ply} of the record can't be played: {error}") from None
    return views, table.results, table.over


def _search(client: Client, views: dict[int, Any], limit: Limit, seed: int) -> dict[int, Advice]:
    """Ranks all moves of each view, by ply."""
    queries = (
        Query(view, limit, candidates=MOST_CANDIDATES, seed=seed, request_id=str(ply))
        for ply, view in views.items()
    )
    with client.recommend_batch(queries, window=4) as batch:
        return {int(result.request_id): result.get() for result in batch}


def _lines(review: Review, words: Words) -> Iterator[str]:
    for result in review.results:
        own = [each for each in review.decisions if each.seat == result.seat]
        yield words["review_seat"].format(
            result=result_words(result, words),
            decisions=len(own),
            best=sum(not each.loss for each in own),
            lost=100 * sum(each.loss for each in own),
        )
    if not review.over:
        yield words["record_ends"]
    yield ""
    yield words["turned" if review.turns else "never_turned"]
    for turn in review.turns:
        yield words["turn"].format(
            first=turn.first,
            then=turn.then,
            seat=turn.seat,
            before=percent(turn.before, 0),
            after=percent(turn.after, 0),
        )
    yield ""
    yield words["mistakes" if review.mistakes else "no_mistakes"]
    for each in review.mistakes:
        yield words["mistake"].format(ply=each.ply, seat=each.seat, words=each.played.words)
        yield words["mistake_loss"].format(
            win=percent(each.played.win_probability),
            visits=each.played.visits,
            loss=100 * each.loss,
        )
        yield words["better"].format(words=each.best.words, visits=each.best.visits)
        if each.best.reason:
            yield f"      {each.best.reason}"
