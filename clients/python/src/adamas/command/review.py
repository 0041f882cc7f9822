"""`adamas review`: a whole game, where the odds turned, and what would have been better."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from adamas.client import Client
from adamas.command.connection import add_server_arguments, connect
from adamas.command.output import print_json, result_words
from adamas.command.records import Record
from adamas.command.searching import add_limit_arguments, limit_of
from adamas.command.trouble import Trouble
from adamas.command.words import Words, words_in
from adamas.envelopes import unwrap
from adamas.errors import InvalidRequest
from adamas.figures import percent
from adamas.games import SeatResult
from adamas.limits import Limit
from adamas.queries import Query
from adamas.search import Advice, Candidate

ITERATIONS = 2000
DEEPER = 8
"""How many times as long a mistake is searched, before it is called one."""
MOST_CANDIDATES = 1000
TURN = 0.1
"""By how much a seat's odds have to change between two of its decisions to be told."""
MOST_TURNS = 5


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
        default=5.0,
        metavar="POINTS",
        help="call it a mistake to lose so many percentage points [%(default)g]",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the searches [%(default)s]")
    add_limit_arguments(parser)
    add_server_arguments(parser)


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a game, and what a search says about it.

    Attributes:
        ply: The move's number, from 0.
        seat: Who decided.
        played: The move as the search ranks it.
        best: The best move.
        loss: By how much the best one is likelier to win, in [0, 1].
    """

    ply: int
    seat: int
    played: Candidate[Any]
    best: Candidate[Any]
    loss: float


@dataclass(frozen=True, slots=True)
class Turn:
    """A change of a seat's odds between two of its decisions.

    Attributes:
        seat: Whose odds.
        first: The ply of the first decision.
        then: The ply of the next one.
        before: How likely the seat was to win, in [0, 1], had it played the best move.
        after: And then.
    """

    seat: int
    first: int
    then: int
    before: float
    after: float


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
    record = Record.read(arguments.record, arguments.game)
    limit = limit_of(arguments) or Limit(iterations=ITERATIONS)
    deeper = Limit(
        limit.time and DEEPER * limit.time, limit.iterations and DEEPER * limit.iterations
    )
    with connect(arguments) as client:
        views, results, over = _replay(client, record, arguments.seat)
        found = _search(client, views, limit, arguments.seed)
        # A bad move has been tried a few times only, so what it costs is not known well yet.
        doubtful = [each.ply for each in _mistakes(_decisions(record, found), arguments.mistake)]
        found |= _search(client, {ply: views[ply] for ply in doubtful}, deeper, arguments.seed)
    decisions = tuple(_decisions(record, found))
    review = Review(
        decisions,
        tuple(_mistakes(decisions, arguments.mistake)),
        tuple(_turns(decisions)),
        results,
        over,
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


def _mistakes(decisions: Iterable[Decision], least: float) -> Iterator[Decision]:
    """Those that lose at least so many percentage points."""
    return (decision for decision in decisions if 100 * decision.loss >= least)


def _decisions(record: Record, found: dict[int, Advice[Any]]) -> Iterator[Decision]:
    for ply, advice in sorted(found.items()):
        if advice.legal_moves < 2:
            continue
        played = record.moves[ply]
        move = unwrap(played.move)
        ranked = next((each for each in advice.candidates if each.move == move), None)
        if ranked is None or not ranked.visits:
            continue  # so many moves that the search never tried this one
        best = max(advice.best, ranked, key=lambda each: each.win_probability)
        loss = best.win_probability - ranked.win_probability
        yield Decision(ply, played.seat, ranked, best, loss)


def _turns(decisions: Sequence[Decision]) -> Iterator[Turn]:
    """The greatest changes, in the order of the game."""
    turns = []
    for seat in {decision.seat for decision in decisions}:
        for first, then in pairwise(each for each in decisions if each.seat == seat):
            before, after = first.best.win_probability, then.best.win_probability
            if abs(after - before) >= TURN:
                turns.append(Turn(seat, first.ply, then.ply, before, after))
    turns.sort(key=lambda turn: -abs(turn.after - turn.before))
    yield from sorted(turns[:MOST_TURNS], key=lambda turn: (turn.first, turn.seat))


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
