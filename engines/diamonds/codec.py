"""Protobuf messages of Diamonds to records and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from adamas.v1 import diamonds_pb2 as pb
from engines.diamonds.hidden.view import VIEW
from engines.diamonds.messages import events, hands
from engines.diamonds.messages.cards import (
    captured_counts,
    card_name,
    read_card,
    read_suit,
    write_card,
    write_cards,
    write_suit,
)
from engines.diamonds.messages.reading import read_option_values
from engines.diamonds.messages.writing import write_public
from engines.diamonds.rules import kernels
from engines.diamonds.rules.state import (
    BONUS,
    MAX_PASS,
    MIN_PASS,
    PASS,
    PASS_COUNT,
    PERFECT_RANKS,
    PLAY,
    RANKS,
    STATE,
    VICTIM,
)
from engines.jit import Log, Row
from engines.options import copy_options
from engines.rng import generator
from engines.violations import Report

_MOVE_FIELDS = {
    int(PASS_COUNT): "pass_count",
    int(PASS): "pass",
    int(PLAY): "play",
    int(VICTIM): "victim",
    int(BONUS): "bonus",
}
"""The field of DiamondsMove that each phase asks for."""


class DiamondsCodec:
    """The codec of Diamonds; see engines.contract.Codec."""

    def read_options(
        self, options: pb.DiamondsOptions, seats: int, path: str, report: Report
    ) -> None:
        """Checks the options message for this number of seats."""
        read_option_values(options, seats, path, report)

    def new_game(self, options: pb.DiamondsOptions, seats: int, seed: int, log: Log) -> Row:
        """Draws the dealer and deals the first round (section 2)."""
        row = np.zeros(STATE.itemsize, dtype=np.uint8)
        s = row.view(STATE)[0]
        copy_options(read_option_values(options, seats, "", Report()), s)
        s.seats = seats
        s.random_state[:] = generator(seed)
        kernels.start_game(row, log)
        return row

    def write_state(self, row: Row) -> pb.DiamondsState:
        """Record -> state message."""
        s = row.view(STATE)[0]
        state = pb.DiamondsState(turn=int(s.turn), random_state=int(s.random_state[0]))
        write_public(s, state)
        for seat in range(int(s.seats)):
            state.hands.add(cards=write_cards(s.hands[seat]))
            if s.phase != PASS_COUNT:
                state.passed.add(cards=write_cards(s.passed[seat]))
        return state

    def read_state(self, state: pb.DiamondsState, path: str, report: Report) -> Row:
        """State message -> record."""
        return hands.read_state(state, path, report)

    def write_view(self, view: Row) -> pb.DiamondsView:
        """View record -> view message."""
        v = view.view(VIEW)[0]
        message = pb.DiamondsView(
            seat=int(v.seat),
            turn=int(v.turn),
            hand=write_cards(v.hand),
            passed=write_cards(v.given),
            received=write_cards(v.received),
        )
        write_public(v, message)
        if v.expose_captured:
            message.captured.extend(pb.DiamondsCaptured(**c) for c in captured_counts(v))
        return message

    def read_view(self, view: pb.DiamondsView, path: str, report: Report) -> Row:
        """View message -> view record."""
        return hands.read_view(view, path, report)

    def viewing_seat(self, view: Row) -> int:
        """The seat whose view it is."""
        return int(view.view(VIEW)[0].seat)

    def seats(self, row: Row) -> int:
        """Number of seats."""
        return int(row.view(STATE)[0].seats)

    def read_move(self, row: Row, move: pb.DiamondsMove, path: str, report: Report) -> int:
        """Move message -> move."""
        s = row.view(STATE)[0]
        kind: str | None = move.WhichOneof("move")
        wanted = _MOVE_FIELDS.get(int(s.phase))
        if kind is None or kind != wanted:
            asked = f"this phase asks for {wanted}" if wanted else "the game is over"
            report.add(path, f"has {kind or 'nothing'} set; {asked}")
            return 0
        path = f"{path}.{kind}"
        if kind == "pass":
            return _read_pass(s, getattr(move, kind).cards, path, report)
        if kind == "play":
            return read_card(move.play, _ranks(s), path, report) or 0
        if kind == "bonus":
            return read_suit(move.bonus, path, report) or 0
        least, most = (MIN_PASS, MAX_PASS) if kind == "pass_count" else (0, int(s.sides) - 1)
        number: int = getattr(move, kind)
        report.check(least <= number <= most, path, f"is {number}; use {least} to {most}")
        return max(number, 0)

    def write_move(self, row: Row, move: int) -> pb.DiamondsMove:
        """Move -> move message."""
        phase = int(row.view(STATE)[0].phase)
        message = pb.DiamondsMove()
        if phase == PASS:
            getattr(message, "pass").cards.extend(write_cards(move))
        elif phase == PLAY:
            message.play.CopyFrom(write_card(move))
        elif phase == BONUS:
            message.bonus = write_suit(move)
        else:
            setattr(message, _MOVE_FIELDS[phase], move)
        return message

    def write_events(self, before: Row, after: Row, log: Log) -> Sequence[pb.DiamondsEvent]:
        """Log -> event messages."""
        return events.write_events(before, after, log)


def _ranks(record: Any) -> int:
    """The highest rank of the deck."""
    return PERFECT_RANKS[int(record.seats)] if record.perfect else RANKS


def _read_pass(record: Any, cards: Sequence[pb.DiamondsCard], path: str, report: Report) -> int:
    """The cards to pass -> set."""
    count = int(record.pass_count)
    if not report.check(
        len(cards) == count, f"{path}.cards", f"has {len(cards)} cards; {count} are passed"
    ):
        return 0
    chosen = 0
    for i, card in enumerate(cards):
        number = read_card(card, _ranks(record), f"{path}.cards[{i}]", report)
        if number is not None:
            report.check(
                not chosen >> number & 1,
                f"{path}.cards[{i}]",
                f"is {card_name(number)} a second time; pass different cards",
            )
            chosen |= 1 << number
    return chosen
