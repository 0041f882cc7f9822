"""Diam's: set collection on a market, 2 to 5 seats. Rules: docs/rules/diams.md."""

from __future__ import annotations

from engines.contract import Game, Kernels
from engines.diams import hidden, playout, rules
from engines.diams.casual import casual_move
from engines.diams.codec import DiamsCodec
from engines.diams.options import OPTIONS, VARIANTS
from engines.diams.prepared import TABLE
from engines.diams.state import STATE, TRANSIENT_FIELDS
from engines.diams.view import VIEW, project
from engines.diams.words import DiamsWords

GAME = Game(
    game_id="diams",
    min_seats=2,
    max_seats=5,
    state=STATE,
    view=VIEW,
    table_bytes=TABLE.itemsize,
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
        project=project,
        prepare=hidden.prepare,
        determinize=hidden.determinize,
    ),
    codec=DiamsCodec(),
    words=DiamsWords(),
    casual=casual_move,
    options=OPTIONS,
    variants=VARIANTS,
)
