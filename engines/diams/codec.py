"""Protobuf messages of Diam's to records and back. The parts are in ``reading``, ``checks``,
``writing``, ``decisions`` and ``events``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adamas.v1 import diams_pb2 as pb
from engines.diams.checks.positions import (
    check_agreement,
    check_copies,
    check_history,
    check_removed,
    check_sizes,
    check_unseen,
    public_cards,
)
from engines.diams.hidden.view import VIEW
from engines.diams.messages.cards import write_card, write_diamond
from engines.diams.messages.decisions import MOVE_READERS, MOVE_WRITERS
from engines.diams.messages.events import write_events
from engines.diams.messages.reading import (
    read_deck,
    read_hands_and_safes,
    read_own,
    read_public,
    set_options,
)
from engines.diams.messages.writing import listed, write_public
from engines.diams.rules.kernels import start_game
from engines.diams.rules.moves import sort_of
from engines.diams.rules.options import OPTIONS
from engines.diams.rules.state import CLOSING_CARD, DIAMONDS, STATE
from engines.jit import Log, Row
from engines.options import read_options
from engines.rng import generator
from engines.violations import Report


class DiamsCodec:
    """The codec of Diam's; see engines.contract.Codec."""

    def read_options(self, options: pb.DiamsOptions, seats: int, path: str, report: Report) -> None:
        """Checks the options message for this number of seats."""
        read_options(OPTIONS, options, seats, path, report)

    def new_game(self, options: pb.DiamsOptions, seats: int, seed: int, log: Log) -> Row:
        """Shuffles and deals the first round (section 2)."""
        row = np.zeros(STATE.itemsize, dtype=np.uint8)
        s = row.view(STATE)[0]
        set_options(s, read_options(OPTIONS, options, seats, "", Report()))
        s.random_state[0] = generator(seed)[0]
        start_game(row, seats, log)
        return row

    def write_state(self, row: Row) -> pb.DiamsState:
        """Record -> state message."""
        s = row.view(STATE)[0]
        state = pb.DiamsState(random_state=int(s.random_state[0]))
        write_public(s, state)
        for seat in range(s.seats):
            state.hands.add(cards=map(write_card, listed(s.hands[seat])))
            state.safes.add(diamonds=map(write_diamond, listed(s.safes[seat])))
        state.deck.extend(write_card(int(card)) for card in s.deck[: s.deck_size][::-1])
        return state

    def read_state(self, state: pb.DiamsState, path: str, report: Report) -> Row:
        """State message -> record."""
        row = np.zeros(STATE.itemsize, dtype=np.uint8)
        s = row.view(STATE)[0]
        found = len(report.violations)
        read_public(state, s, len(state.deck), path, report)
        if len(report.violations) > found:
            return row
        s.random_state[0] = state.random_state
        read_hands_and_safes(state, s, path, report)
        read_deck(state.deck, s, f"{path}.deck", report)
        if len(report.violations) > found:
            return row
        held = public_cards(s) + s.hands.astype(np.int64).sum(axis=0)
        held[:DIAMONDS] += s.safes.astype(np.int64).sum(axis=0)
        for card in s.deck[: s.deck_size]:
            if card != CLOSING_CARD:
                held[card] += 1
        check_copies(s, held, True, path, report)
        sizes = [int(cards.sum()) for cards in s.hands], [int(cards.sum()) for cards in s.safes]
        check_sizes(s, *sizes, ("hands", "safes"), path, report)
        check_removed(s, path, report)
        if len(report.violations) == found:
            check_agreement(row, path, report)
        return row

    def write_view(self, view: Row) -> pb.DiamsView:
        """View record -> view message."""
        v = view.view(VIEW)[0]
        message = pb.DiamsView(seat=int(v.seat), deck_size=int(v.deck_size))
        write_public(v, message)
        message.hand.extend(map(write_card, listed(v.hand)))
        message.safe.extend(map(write_diamond, listed(v.safes[v.seat])))
        message.hand_sizes.extend(int(size) for size in v.hand_sizes[: v.seats])
        message.safe_sizes.extend(int(size) for size in v.safe_sizes[: v.seats])
        if v.open_safes:
            for seat in range(v.seats):
                message.safes.add(diamonds=map(write_diamond, listed(v.safes[seat])))
        return message

    def read_view(self, view: pb.DiamsView, path: str, report: Report) -> Row:
        """View message -> view record."""
        row = np.zeros(VIEW.itemsize, dtype=np.uint8)
        v = row.view(VIEW)[0]
        found = len(report.violations)
        read_public(view, v, view.deck_size, path, report)
        read_own(view, v, path, report)
        cards = ("options", "seat", "market", "removed", "hand", "safe", "safes")
        held = public_cards(v) + v.hand.astype(np.int64)
        held[:DIAMONDS] += v.safes.astype(np.int64).sum(axis=0)
        if report.sound(*(f"{path}.{name}" for name in cards)):
            check_copies(v, held, False, path, report)
        if len(report.violations) > found:
            return row
        sizes = list(v.hand_sizes), list(v.safe_sizes)
        check_sizes(v, *sizes, ("hand_sizes", "safe_sizes"), path, report)
        check_removed(v, path, report)
        check_unseen(v, held, path, report)
        if len(report.violations) == found:
            check_history(row, path, report)
        return row

    def viewing_seat(self, view: Row) -> int:
        """The seat whose view it is."""
        return int(view.view(VIEW)[0].seat)

    def seats(self, row: Row) -> int:
        """Number of seats."""
        return int(row.view(STATE)[0].seats)

    def read_move(self, row: Row, move: pb.DiamsMove, path: str, report: Report) -> int:
        """Move message -> move."""
        kind = move.WhichOneof("move")
        if kind is None:
            report.add(f"{path}.move", f"is not set; use one of {', '.join(MOVE_READERS)}")
            return 0
        return MOVE_READERS[kind](getattr(move, kind), f"{path}.{kind}", report)

    def write_move(self, row: Row, move: int) -> pb.DiamsMove:
        """Move -> move message."""
        return MOVE_WRITERS[sort_of(int(move))](int(move))

    def write_events(self, before: Row, after: Row, log: Log) -> Sequence[pb.DiamsEvent]:
        """Log -> event messages."""
        return write_events(after.view(STATE)[0], log)
