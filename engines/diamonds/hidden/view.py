"""What a seat of Diamonds knows (section 6)."""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.diamonds.rules.state import (
    OPTION_FIELDS,
    PASS,
    PASS_COUNT,
    PUBLIC_FIELDS,
    STATE,
    bit,
    first_from_left,
    giver_of,
)
from engines.jit import Int, Record, Row, entry, rule
from engines.records import record_dtype

VIEW = record_dtype(
    [
        ("hand", np.int64),
        ("given", np.int64),
        ("received", np.int64),
        ("seat", np.int8),
        *PUBLIC_FIELDS,
        *OPTION_FIELDS,
    ]
)
"""What one seat knows. ``given``: the cards it passes or has passed on this round; ``received``:
the cards that it was passed. While passing, ``turn`` says nothing of who has chosen."""


@rule
def copy_public(source: Record, target: Record) -> None:
    """Copies options and public fields between states and views."""
    target.trick = source.trick
    target.captured[:] = source.captured
    target.vaults[:] = source.vaults
    target.showrooms[:] = source.showrooms
    target.supply_left = source.supply_left
    target.seats = source.seats
    target.sides = source.sides
    target.hand_size = source.hand_size
    target.trick_length = source.trick_length
    target.dealer = source.dealer
    target.round_number = source.round_number
    target.phase = source.phase
    target.turn = source.turn
    target.pass_count = source.pass_count
    target.trick_size = source.trick_size
    target.led = source.led
    target.best = source.best
    target.best_seat = source.best_seat
    target.thief = source.thief
    target.victim_reason = source.victim_reason
    target.pending = source.pending
    target.bonus_left = source.bonus_left
    target.played = source.played
    target.plays[:] = source.plays
    copy_options(source, target)


@rule
def copy_options(source: Record, target: Record) -> None:
    """Copies the options between states and views."""
    target.round_count = source.round_count
    target.fixed_rounds = source.fixed_rounds
    target.dealer_rotation = source.dealer_rotation
    target.end_of_round_tie = source.end_of_round_tie
    target.supply = source.supply
    target.no_trick_bonus = source.no_trick_bonus
    target.perfect = source.perfect
    target.teams = source.teams
    target.team_start_gems = source.team_start_gems
    target.team_no_trick_actions = source.team_no_trick_actions
    target.thief_token = source.thief_token
    target.expose_vaults = source.expose_vaults
    target.expose_captured = source.expose_captured


@rule
def has_passed(s: Record) -> bool:
    """Whether the cards to pass have changed hands this round."""
    return s.phase > PASS


@rule
def turn_while_passing(s: Record, seat: Int, chosen: bool) -> Int:
    """Whose turn a view tells while the cards to pass are chosen: the viewing seat's own if it has
    not chosen, else the first other seat's; nothing about what the others have done."""
    if not chosen:
        return seat
    return first_from_left(s, (bit(s.seats) - 1) ^ bit(seat))


@entry(contract.PROJECT)
def project(row: Row, seat: Int, view: Row) -> None:
    """Reduces a state to what the seat knows."""
    s = row.view(STATE)[0]
    v = view.view(VIEW)[0]
    copy_public(s, v)
    v.seat = seat
    v.hand = s.hands[seat]
    v.given = s.passed[seat]
    v.received = 0
    if s.phase == PASS:
        v.turn = turn_while_passing(s, seat, s.passed[seat] != 0)
    elif s.phase != PASS_COUNT:
        v.received = s.passed[giver_of(s, seat)]
