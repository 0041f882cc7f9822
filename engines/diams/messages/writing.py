"""State and view records of Diam's to messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.diams.messages.cards import write_card, write_diamond
from engines.diams.messages.events import write_history
from engines.diams.messages.reading import told_in_turn
from engines.diams.rules.notes import FOUND, GIVEN_UP, OFFERED, TAKEN
from engines.diams.rules.options import OPTIONS
from engines.diams.rules.state import LIMIT, NAME, OFFER, TAKE
from engines.diams.rules.victory import finished_rounds
from engines.options import write_options


def listed(counts: Any) -> Iterator[int]:
    """Counts by card -> cards."""
    return (card for card, copies in enumerate(counts) for _ in range(int(copies)))


def write_public(source: Any, message: Any) -> None:
    """Options and public fields of a state or view record -> the message's fields."""
    write_options(OPTIONS, source, message.options)
    for name in ("seats", "turn", "starter", "phase"):
        setattr(message, name, int(getattr(source, name)))
    message.round = int(source.round_number)
    if source.closed:
        message.closer = int(source.closer)
    message.market.extend(map(write_diamond, listed(source.market)))
    message.removed.extend(map(write_card, listed(source.removed)))
    for number in range(finished_rounds(source)):
        message.finished_rounds.add(points=map(int, source.points[number, : source.seats]))
    message.history.extend(write_history(source))
    _write_step(source, message)


def _write_step(source: Any, message: Any) -> None:
    phase, last = int(source.phase), None
    if phase == TAKE:
        message.step.placed.CopyFrom(write_diamond(int(source.placed)))
        message.step.missing = int(source.missing)
        last = told_in_turn(source, TAKEN, OFFERED)
    elif phase == LIMIT:
        last = told_in_turn(source, GIVEN_UP, FOUND)
    elif phase in (OFFER, NAME):
        message.step.opponent = int(source.opponent)
        message.step.SetInParent()
    if last is not None:
        message.step.last.CopyFrom(write_card(last))
