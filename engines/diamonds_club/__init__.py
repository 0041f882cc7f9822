"""Diamonds Club: an economy of gems, 2 to 4 seats. Rules: docs/rules/diamonds-club.md."""

from __future__ import annotations

from engines.contract import Endings, Game, Kernels
from engines.diamonds_club import ending, hidden, playout
from engines.diamonds_club.casual import casual_move
from engines.diamonds_club.codec import DiamondsClubCodec
from engines.diamonds_club.rules import kernels, state
from engines.diamonds_club.rules.options import OPTIONS, VARIANTS
from engines.diamonds_club.words import DiamondsClubWords

GAME = Game(
    game_id="diamonds_club",
    min_seats=2,
    max_seats=4,
    state=state.STATE,
    view=hidden.VIEW,
    table_bytes=hidden.TABLE.itemsize,
    max_moves=kernels.MAX_MOVES,
    max_game_moves=kernels.MAX_GAME_MOVES,
    transient_fields=state.TRANSIENT_FIELDS,
    kernels=Kernels.of(kernels, hidden, playout),
    codec=DiamondsClubCodec(),
    words=DiamondsClubWords(),
    casual=casual_move,
    options=OPTIONS,
    variants=VARIANTS,
    exploration=0.7,
    endings=Endings(
        unseen=ending.unseen,
        reorder=ending.reorder,
        position_key=ending.position_key,
    ),
)
