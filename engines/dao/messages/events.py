"""Log entries of DAO -> event messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adamas.v1 import dao_pb2 as pb
from engines.dao import rules
from engines.dao.messages.cards import write_card
from engines.dao.messages.writing import first_results
from engines.dao.rules import STATE
from engines.events import entries
from engines.jit import Log, Row


def _write_round_scored(after: Row, seat: int, round_: int, _: int) -> pb.DaoEvent:
    s = after.view(STATE)[0]
    results = first_results(s)
    if s.round_number == round_:
        results = [
            pb.DaoRoundResult(
                score=int(rules.pile_score(s.piles[p])), cards=int(rules.pile_cards(s.piles[p]))
            )
            for p in range(s.seats)
        ]
    return pb.DaoEvent(round_scored=pb.DaoRoundScored(round=round_, results=results))


def _unpack_cards(packed: int) -> list[pb.DaoCard]:
    """Cards packed in base 32, each plus one -> messages."""
    cards = []
    while packed > 0:
        cards.append(write_card(packed % 32 - 1))
        packed //= 32
    return cards


_EVENT_WRITERS: dict[int, Callable[[Row, int, int, int], pb.DaoEvent]] = {
    rules.CARD_TAKEN: lambda _, seat, a, b: pb.DaoEvent(
        card_taken=pb.DaoCardTaken(seat=seat, card=write_card(a))
    ),
    rules.CARD_REVEALED: lambda _, seat, a, b: pb.DaoEvent(
        card_revealed=pb.DaoCardRevealed(seat=seat, card=write_card(a), row_total=b)
    ),
    rules.BUST: lambda _, seat, a, b: pb.DaoEvent(bust=pb.DaoBust(seat=seat, cards=a)),
    rules.EXCEPTION_HELD: lambda _, seat, a, b: pb.DaoEvent(
        exception_held=pb.DaoExceptionHeld(seat=seat, row_total=a)
    ),
    rules.ROW_REFILLED: lambda _, seat, a, b: pb.DaoEvent(
        row_refilled=pb.DaoRowRefilled(cards=_unpack_cards(a))
    ),
    rules.LEFTOVER_TAKEN: lambda _, seat, a, b: pb.DaoEvent(
        leftover_taken=pb.DaoLeftoverTaken(seat=seat, cards=a)
    ),
    rules.ROUND_SCORED: _write_round_scored,
    rules.ROUND_STARTED: lambda _, seat, a, b: pb.DaoEvent(
        round_started=pb.DaoRoundStarted(round=a, starter=seat, row=_unpack_cards(b))
    ),
}


def write_events(after: Row, log: Log) -> Sequence[pb.DaoEvent]:
    """Log of one move -> event messages."""
    return [_EVENT_WRITERS[kind](after, seat, a, b) for kind, seat, a, b in entries(log)]
