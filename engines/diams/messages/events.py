"""The public events of Diam's: from the log and the notes to messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from adamas.v1 import diams_pb2 as pb
from engines.diams.messages.cards import write_card, write_diamond, write_special
from engines.diams.rules.notes import (
    CLOSING,
    DEPOSITED,
    DREW,
    DRILL_STARTED,
    FOUND,
    GIVEN_UP,
    MISSED,
    NOTHING_PLAYED,
    OFFERED,
    PLACED,
    ROUND_SCORED,
    ROUND_STARTED,
    SALE_STARTED,
    SHOPLIFTED,
    SOLD,
    SPECIAL_DEPOSITED,
    STORED,
    TAKEN,
    TURN_OF,
    TURNED,
)
from engines.diams.rules.options import QUICK
from engines.diams.rules.state import MAX_SEATS, X1
from engines.diams.rules.victory import chips_of_round
from engines.events import entries
from engines.jit import Log

_CARD_EVENTS = (
    (PLACED, TAKEN, "card_placed", pb.DiamsCardPlaced),
    (TAKEN, OFFERED, "card_taken", pb.DiamsCardTaken),
    (OFFERED, SOLD, "card_offered", pb.DiamsCardOffered),
    (SOLD, STORED, "card_sold", pb.DiamsCardSold),
)
"""Notes about one diamond: first, one past the last, field and message."""


def _note_event(seat: int, note: int) -> pb.DiamsEvent:
    """A note about a seat -> event. STORED notes are written with the deposit they belong to."""
    for first, end, name, message in _CARD_EVENTS:
        if first <= note < end:
            event = pb.DiamsEvent()
            body = message(seat=seat, diamond=write_diamond(note - first))
            getattr(event, name).CopyFrom(body)
            return event
    if note == DREW:
        return pb.DiamsEvent(card_drawn=pb.DiamsCardDrawn(seat=seat))
    if GIVEN_UP <= note < FOUND:
        given_up = pb.DiamsCardGivenUp(seat=seat, card=write_card(note - GIVEN_UP))
        return pb.DiamsEvent(card_given_up=given_up)
    if FOUND <= note < DEPOSITED:
        found = note < MISSED
        card = note - (FOUND if found else MISSED)
        return pb.DiamsEvent(
            drill_named=pb.DiamsDrillNamed(seat=seat, diamond=write_diamond(card), found=found)
        )
    if DEPOSITED <= note < SPECIAL_DEPOSITED:
        return pb.DiamsEvent(deposited=pb.DiamsDeposited(seat=seat, count=note - DEPOSITED))
    if SPECIAL_DEPOSITED <= note < SALE_STARTED:
        return pb.DiamsEvent(
            special_deposited=pb.DiamsSpecialDeposited(seat=seat, count=note - SPECIAL_DEPOSITED)
        )
    if SALE_STARTED <= note < DRILL_STARTED:
        special, opponent = divmod(note - SALE_STARTED, MAX_SEATS)
        return pb.DiamsEvent(
            sale_started=pb.DiamsSaleStarted(
                seat=seat, special=write_special(X1 + special), opponent=opponent
            )
        )
    if DRILL_STARTED <= note < SHOPLIFTED:
        return pb.DiamsEvent(
            drill_started=pb.DiamsDrillStarted(seat=seat, opponent=note - DRILL_STARTED)
        )
    if note == SHOPLIFTED:
        return pb.DiamsEvent(shoplifted=pb.DiamsShoplifted(seat=seat))
    bits = note - NOTHING_PLAYED
    return pb.DiamsEvent(
        nothing_played=pb.DiamsNothingPlayed(
            seat=seat, market_empty=bool(bits & 2), other_safes_empty=bool(bits & 1)
        )
    )


def _write_notes(notes: Iterable[tuple[int, int]]) -> Iterator[pb.DiamsEvent]:
    """Notes with their seats -> events; the cards of a deposit join its event."""
    last: pb.DiamsEvent | None = None
    for seat, note in notes:
        if STORED <= note < GIVEN_UP and last is not None:
            deposit = getattr(last, str(last.WhichOneof("event")))
            deposit.diamonds.append(write_diamond(note - STORED))
            continue
        if last is not None:
            yield last
        last = _note_event(seat, note)
    if last is not None:
        yield last


def seated_notes(record: Any) -> Iterator[tuple[int, int]]:
    """The notes of a record with their seats, turns apart."""
    actor = victim = 0
    for note in map(int, record.notes[: record.notes_size]):
        if note < DREW:
            actor = note - TURN_OF
            continue
        if SALE_STARTED <= note < DRILL_STARTED:
            victim = (note - SALE_STARTED) % MAX_SEATS
        yield (victim if SOLD <= note < STORED else actor), note


def write_history(record: Any) -> Iterator[pb.DiamsEvent]:
    """The notes of a state or view record -> events."""
    return _write_notes(seated_notes(record))


def _write_round_scored(after: Any, seat: int, number: int) -> pb.DiamsEvent:
    results = [
        pb.DiamsRoundResult(
            points=int(after.points[number - 1, p]),
            chips=0 if after.rounds == QUICK else int(chips_of_round(after, number - 1, p)),
        )
        for p in range(after.seats)
    ]
    return pb.DiamsEvent(round_scored=pb.DiamsRoundScored(round=number, results=results))


_LOG_WRITERS: dict[int, Callable[[Any, int, int], pb.DiamsEvent]] = {
    TURNED: lambda _, seat, card: pb.DiamsEvent(
        card_turned=pb.DiamsCardTurned(seat=seat, card=write_card(card))
    ),
    CLOSING: lambda _, seat, a: pb.DiamsEvent(closing=pb.DiamsClosing(seat=seat)),
    ROUND_STARTED: lambda _, seat, number: pb.DiamsEvent(
        round_started=pb.DiamsRoundStarted(round=number, starter=seat)
    ),
    ROUND_SCORED: _write_round_scored,
}


def write_events(after: Any, log: Log) -> Sequence[pb.DiamsEvent]:
    """The log of one move -> events."""
    events: list[pb.DiamsEvent] = []
    notes: list[tuple[int, int]] = []
    for kind, seat, a, _ in entries(log):
        if kind in _LOG_WRITERS:
            events += _write_notes(notes)
            notes = []
            events.append(_LOG_WRITERS[kind](after, seat, a))
        else:
            notes.append((seat, kind))
    events += _write_notes(notes)
    return events
