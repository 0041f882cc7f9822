"""Protobuf messages of Diamonds Club to records and back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adamas.v1 import diamonds_club_pb2 as pb
from engines.diamonds_club.checks.positions import check_position
from engines.diamonds_club.hidden import VIEW
from engines.diamonds_club.messages import reading, writing
from engines.diamonds_club.messages.reading import Field
from engines.diamonds_club.rules import kernels
from engines.diamonds_club.rules.options import OPTIONS, START_GEMS
from engines.diamonds_club.rules.state import STATE
from engines.diamonds_club.rules.tables import fill_tables
from engines.jit import Log, Row
from engines.options import copy_options, read_options, write_options
from engines.rng import below, generator, next_word
from engines.violations import Report


class DiamondsClubCodec:
    """The codec of Diamonds Club; see engines.contract.Codec."""

    def read_options(
        self, options: pb.DiamondsClubOptions, seats: int, path: str, report: Report
    ) -> None:
        """Checks the options message for this number of seats."""
        read_options(OPTIONS, options, seats, path, report)

    def new_game(self, options: pb.DiamondsClubOptions, seats: int, seed: int, log: Log) -> Row:
        """Hands out gems and coins, and lays the first market (section 2)."""
        row = np.zeros(STATE.itemsize, dtype=np.uint8)
        s = row.view(STATE)[0]
        copy_options(read_options(OPTIONS, options, seats, "", Report()), s)
        fill_tables(s)
        rng = generator(seed)
        s.seats = seats
        s.round_number = 1
        s.starter = below(rng, seats) if s.random_start else 0
        s.random_state[0] = next_word(rng)
        s.gems[:seats] = [int(getattr(s, name)) for name in START_GEMS]
        s.gem_supply[:] = s.box_gems - s.gems.sum(axis=0)
        s.tile_supply[:] = s.box_tiles
        s.animal_supply[:] = s.box_animals
        s.stacks[:] = s.box_landscape
        kernels.line_up(s)
        kernels.start_round(s, log)
        s.dealt = 0
        return row

    def write_state(self, row: Row) -> pb.DiamondsClubState:
        """Record -> state message."""
        s = row.view(STATE)[0]
        state = pb.DiamondsClubState(
            seats=int(s.seats),
            table=writing.write_table(s),
            random_state=int(s.random_state[0]),
        )
        write_options(OPTIONS, s, state.options)
        return state

    def read_state(self, state: pb.DiamondsClubState, path: str, report: Report) -> Row:
        """State message -> record."""
        row = np.zeros(STATE.itemsize, dtype=np.uint8)
        s = row.view(STATE)[0]
        reading.read_table(state, s, path, report)
        check_position(s, path, report)
        s.random_state[0] = state.random_state
        return row

    def write_view(self, view: Row) -> pb.DiamondsClubView:
        """View record -> view message."""
        v = view.view(VIEW)[0]
        message = pb.DiamondsClubView(
            seats=int(v.seats), seat=int(v.seat), table=writing.write_table(v)
        )
        write_options(OPTIONS, v, message.options)
        return message

    def read_view(self, view: pb.DiamondsClubView, path: str, report: Report) -> Row:
        """View message -> view record."""
        row = np.zeros(VIEW.itemsize, dtype=np.uint8)
        v = row.view(VIEW)[0]
        reading.read_table(view, v, path, report)
        v.seat = Field(view, path, report).seat.number(0, int(v.seats) - 1)
        check_position(v, path, report)
        return row

    def viewing_seat(self, view: Row) -> int:
        """The seat whose view it is."""
        return int(view.view(VIEW)[0].seat)

    def seats(self, row: Row) -> int:
        """Number of seats."""
        return int(row.view(STATE)[0].seats)

    def read_move(self, row: Row, move: pb.DiamondsClubMove, path: str, report: Report) -> int:
        """Move message -> move."""
        return reading.read_move(row.view(STATE)[0], move, path, report)

    def write_move(self, row: Row, move: int) -> pb.DiamondsClubMove:
        """Move -> move message."""
        return writing.write_move(row.view(STATE)[0], move)

    def write_events(self, before: Row, after: Row, log: Log) -> Sequence[pb.DiamondsClubEvent]:
        """Log -> event messages."""
        return writing.write_events(before, after, log)
