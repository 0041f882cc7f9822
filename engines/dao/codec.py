"""Protobuf messages of DAO to records and back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adamas.v1 import dao_pb2 as pb
from engines.dao import hidden, rules
from engines.dao.checks import check_state, check_view
from engines.dao.messages import events
from engines.dao.messages.cards import write_card
from engines.dao.messages.reading import read_decks, read_public, read_seat
from engines.dao.messages.writing import write_public
from engines.dao.options import OPTIONS
from engines.dao.rules import CARD_KINDS, COPIES, DECK_SIZE, HALF_DECK, STATE, VALUES
from engines.jit import Log, Row
from engines.options import copy_options, read_options
from engines.rng import below, generator, shuffle
from engines.violations import Report


class DaoCodec:
    """The codec of DAO; see engines.contract.Codec."""

    def read_options(self, options: pb.DaoOptions, seats: int, path: str, report: Report) -> None:
        """Checks the options message for this number of seats."""
        read_options(OPTIONS, options, seats, path, report)

    def new_game(self, options: pb.DaoOptions, seats: int, seed: int, log: Log) -> Row:
        """Shuffles and turns the first row (section 2)."""
        row = np.zeros(STATE.itemsize, dtype=np.uint8)
        s = row.view(STATE)[0]
        copy_options(read_options(OPTIONS, options, seats, "", Report()), s)
        rng = generator(seed)
        cards = np.array(
            [card for card in range(CARD_KINDS) for _ in range(COPIES[card % VALUES])],
            dtype=np.uint8,
        )
        shuffle(rng, cards, DECK_SIZE)
        s.seats = seats
        s.round_number = 1
        s.starter = below(rng, seats) if s.random_start else 0
        s.turn = s.starter
        s.deck_size = HALF_DECK if s.two_round_split else DECK_SIZE
        s.deck[: s.deck_size] = cards[: s.deck_size]
        if s.two_round_split:
            s.second_half[:] = cards[HALF_DECK:]
        rules.start_round(s, log)
        s.turned = 0
        return row

    def write_state(self, row: Row) -> pb.DaoState:
        """Record -> state message."""
        s = row.view(STATE)[0]
        state = pb.DaoState()
        write_public(s, state)
        state.deck.extend(write_card(int(card)) for card in s.deck[: s.deck_size][::-1])
        if rules.is_split_first_round(s):
            state.second_half.extend(write_card(int(card)) for card in s.second_half[::-1])
        return state

    def read_state(self, state: pb.DaoState, path: str, report: Report) -> Row:
        """State message -> record."""
        row = np.zeros(STATE.itemsize, dtype=np.uint8)
        s = row.view(STATE)[0]
        read_public(state, s, len(state.deck), path, report)
        read_decks(state, s, path, report)
        check_state(state, s, path, report)
        return row

    def write_view(self, view: Row) -> pb.DaoView:
        """View record -> view message."""
        v = view.view(hidden.VIEW)[0]
        message = pb.DaoView(seat=int(v.seat), deck_size=int(v.deck_size))
        write_public(v, message)
        return message

    def read_view(self, view: pb.DaoView, path: str, report: Report) -> Row:
        """View message -> view record."""
        row = np.zeros(hidden.VIEW.itemsize, dtype=np.uint8)
        v = row.view(hidden.VIEW)[0]
        read_public(view, v, view.deck_size, path, report)
        v.seat = read_seat(view, "seat", int(v.seats) or None, path, report)
        check_view(view, v, path, report)
        return row

    def viewing_seat(self, view: Row) -> int:
        """The seat whose view it is."""
        return int(view.view(hidden.VIEW)[0].seat)

    def seats(self, row: Row) -> int:
        """Number of seats."""
        return int(row.view(STATE)[0].seats)

    def read_move(self, row: Row, move: pb.DaoMove, path: str, report: Report) -> int:
        """Move message -> move."""
        report.check(
            move.action in (pb.DAO_ACTION_TAKE, pb.DAO_ACTION_REVEAL),
            f"{path}.action",
            f"is {move.action}; use DAO_ACTION_TAKE (1) or DAO_ACTION_REVEAL (2)",
        )
        return rules.REVEAL if move.action == pb.DAO_ACTION_REVEAL else rules.TAKE

    def write_move(self, row: Row, move: int) -> pb.DaoMove:
        """Move -> move message."""
        return pb.DaoMove(
            action=pb.DAO_ACTION_REVEAL if move == rules.REVEAL else pb.DAO_ACTION_TAKE
        )

    def write_events(self, before: Row, after: Row, log: Log) -> Sequence[pb.DaoEvent]:
        """Log -> event messages."""
        return events.write_events(after, log)
