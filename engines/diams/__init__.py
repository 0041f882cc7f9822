"""Diam's: set collection on a market, 2 to 5 seats. Rules: docs/rules/diams.md."""

from __future__ import annotations

from engines.contract import Game, Kernels
from engines.diams import playout
from engines.diams.casual import casual_move
from engines.diams.codec import DiamsCodec
from engines.diams.hidden import sampling, view
from engines.diams.hidden.prepared import TABLE
from engines.diams.hidden.view import VIEW
from engines.diams.places import HIDDEN_CARDS
from engines.diams.rules import kernels
from engines.diams.rules.options import OPTIONS, VARIANTS
from engines.diams.rules.state import STATE, TRANSIENT_FIELDS
from engines.diams.words import DiamsWords

GAME = Game(
    game_id="diams",
    min_seats=2,
    max_seats=5,
    state=STATE,
    view=VIEW,
    table_bytes=TABLE.itemsize,
    max_moves=kernels.MAX_MOVES,
    max_game_moves=kernels.MAX_GAME_MOVES,
    transient_fields=TRANSIENT_FIELDS,
    kernels=Kernels.of(kernels, view, sampling, playout),
    codec=DiamsCodec(),
    words=DiamsWords(),
    casual=casual_move,
    options=OPTIONS,
    variants=VARIANTS,
    hidden_cards=HIDDEN_CARDS,
)
