"""DAO (Dodekka): push your luck, 2 to 6 seats. Rules: docs/rules/dao.md."""

from __future__ import annotations

from engines.contract import Endings, Game, Kernels
from engines.dao import ending, hidden, playout, rules
from engines.dao.casual import casual_move
from engines.dao.codec import DaoCodec
from engines.dao.options import OPTIONS, VARIANTS
from engines.dao.places import HIDDEN_CARDS
from engines.dao.words import DaoWords

GAME = Game(
    game_id="dao",
    min_seats=2,
    max_seats=6,
    state=rules.STATE,
    view=hidden.VIEW,
    table_bytes=hidden.TABLE.itemsize,
    max_moves=rules.MAX_MOVES,
    max_game_moves=rules.MAX_GAME_MOVES,
    transient_fields=rules.TRANSIENT_FIELDS,
    kernels=Kernels.of(rules, hidden, playout),
    codec=DaoCodec(),
    words=DaoWords(),
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
