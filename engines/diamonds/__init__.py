"""Diamonds: tricks whose suits move crystals, 2 to 6 seats. Rules: docs/rules/diamonds.md."""

from __future__ import annotations

from engines.contract import Endings, Game, Kernels
from engines.diamonds import ending, playout
from engines.diamonds.casual import casual_move
from engines.diamonds.codec import DiamondsCodec
from engines.diamonds.hidden import sampling, view
from engines.diamonds.hidden.view import VIEW
from engines.diamonds.places import HIDDEN_CARDS
from engines.diamonds.rules import kernels
from engines.diamonds.rules.options import OPTIONS, VARIANTS
from engines.diamonds.rules.state import STATE, TRANSIENT_FIELDS
from engines.diamonds.words import DiamondsWords

GAME = Game(
    game_id="diamonds",
    min_seats=2,
    max_seats=6,
    state=STATE,
    view=VIEW,
    table_bytes=sampling.TABLE.itemsize,
    max_moves=kernels.MAX_MOVES,
    max_game_moves=kernels.MAX_GAME_MOVES,
    transient_fields=TRANSIENT_FIELDS,
    kernels=Kernels.of(kernels, view, sampling, playout),
    codec=DiamondsCodec(),
    words=DiamondsWords(),
    casual=casual_move,
    options=OPTIONS,
    variants=VARIANTS,
    endings=Endings(
        unseen=ending.unseen,
        reorder=ending.reorder,
        position_key=ending.position_key,
    ),
    hidden_cards=HIDDEN_CARDS,
)
