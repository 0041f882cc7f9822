"""Diamonds: tricks whose suits move crystals, 2 to 6 seats. Rules: docs/rules/diamonds.md."""

from __future__ import annotations

from engines.contract import Game, Kernels
from engines.diamonds import hidden, playout, rules
from engines.diamonds.casual import casual_move
from engines.diamonds.codec import DiamondsCodec
from engines.diamonds.options import OPTIONS, VARIANTS
from engines.diamonds.state import STATE, TRANSIENT_FIELDS
from engines.diamonds.words import DiamondsWords

GAME = Game(
    game_id="diamonds",
    min_seats=2,
    max_seats=6,
    state=STATE,
    view=hidden.VIEW,
    table_bytes=hidden.TABLE.itemsize,
    max_moves=rules.MAX_MOVES,
    max_game_moves=rules.MAX_GAME_MOVES,
    transient_fields=TRANSIENT_FIELDS,
    kernels=Kernels(
        seat_to_move=rules.seat_to_move,
        seats_to_move=rules.seats_to_move,
        claim_turn=rules.claim_turn,
        legal_moves=rules.legal_moves,
        apply_move=rules.apply_move,
        move_key=rules.move_key,
        outcome_key=rules.outcome_key,
        policy_move=playout.policy_move,
        playout=playout.playout,
        evaluate=rules.evaluate,
        project=hidden.project,
        prepare=hidden.prepare,
        determinize=hidden.determinize,
    ),
    codec=DiamondsCodec(),
    words=DiamondsWords(),
    casual=casual_move,
    options=OPTIONS,
    variants=VARIANTS,
)
