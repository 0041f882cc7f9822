"""Move messages of Diam's to moves and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from adamas.v1 import diams_pb2 as pb
from engines.diams.messages.cards import (
    SPECIAL_NAMES,
    read_card,
    read_diamond,
    write_card,
    write_diamond,
)
from engines.diams.messages.reading import check_seat, read_diamonds
from engines.diams.rules.moves import (
    DEPOSIT,
    DRAW_HAND,
    DRAW_MARKET,
    DRAW_MOVE,
    DRILL,
    GIVE_UP,
    MODES,
    NAME_CARD,
    NO_PLAY,
    OFFER_CARD,
    SALE,
    SHOPLIFT,
    SPECIAL_DEPOSIT,
    TAKE_CARD,
    VISIT,
    argument_of,
    ordinary_in,
    pure_in,
    sale_move,
    set_of,
    visit_move,
)
from engines.diams.rules.state import CARDS, CLOSING_CARD, DIAMONDS, MAX_HAND, MAX_SEATS, SPECIALS
from engines.diams.rules.tables import COPIES, KINDS
from engines.violations import Report


def _write_set(move: int) -> list[pb.DiamsDiamond]:
    """The set of a deposit -> diamonds."""
    cards = []
    for kind in range(KINDS):
        cards += [2 * kind] * int(pure_in(move, kind))
        cards += [2 * kind + 1] * int(ordinary_in(move, kind))
    return [write_diamond(card) for card in cards]


def _read_set(diamonds: Sequence[pb.DiamsDiamond], path: str, report: Report) -> int:
    """Diamonds -> the set of a deposit."""
    counts = np.zeros(DIAMONDS, dtype=np.int64)
    if not report.check(
        1 <= len(diamonds) <= MAX_HAND,
        path,
        f"has {len(diamonds)} diamonds; use 1 to {MAX_HAND}",
    ):
        return 0
    read_diamonds(diamonds, counts, path, report)
    cards = 0
    for kind in range(KINDS):
        pure, ordinary = int(counts[2 * kind]), int(counts[2 * kind + 1])
        if report.check(
            pure + ordinary <= COPIES, path, f"has kind {kind + 1} more than {COPIES} times"
        ):
            cards += int(set_of(kind, pure, ordinary))
    return cards


def _diamond_move(base: Any) -> Callable[[Any, str, Report], int]:
    return lambda diamond, path, report: int(base) + read_diamond(diamond, path, report)


def _read_draw(choice: int, path: str, report: Report) -> int:
    report.check(
        choice in (pb.DIAMS_DRAW_HAND, pb.DIAMS_DRAW_MARKET),
        path,
        f"is {choice}; use DIAMS_DRAW_HAND (1) or DIAMS_DRAW_MARKET (2)",
    )
    to_market = choice == pb.DIAMS_DRAW_MARKET
    return int(DRAW_MOVE) + (DRAW_MARKET if to_market else DRAW_HAND)


def _read_visit(visit: pb.DiamsVisit, path: str, report: Report) -> int:
    card = read_diamond(visit.placed, f"{path}.placed", report)
    report.check(
        1 <= visit.mode <= MODES,
        f"{path}.mode",
        f"is {visit.mode}; use DIAMS_VISIT_MODE_SAME_KIND (1) to DIAMS_VISIT_MODE_NOTHING (3)",
    )
    return int(visit_move(card, min(max(visit.mode, 1), MODES) - 1))


def _read_opponent(seat: int, path: str, report: Report) -> int:
    return seat if check_seat(seat, MAX_SEATS, path, report) else 0


def _read_sale(sale: pb.DiamsSale, path: str, report: Report) -> int:
    known = report.check(
        1 <= sale.special <= SPECIALS,
        f"{path}.special",
        f"is {sale.special}; use {SPECIAL_NAMES}",
    )
    opponent = _read_opponent(sale.opponent, f"{path}.opponent", report)
    return int(sale_move(sale.special - 1 if known else 0, opponent))


def _read_give_up(card: pb.DiamsCard, path: str, report: Report) -> int:
    number = read_card(card, path, report)
    report.check(
        number != CLOSING_CARD, path, "can't be the closing card; use a diamond or a special card"
    )
    return int(GIVE_UP) + min(number, CARDS - 1)


MOVE_READERS: dict[str, Callable[[Any, str, Report], int]] = {
    "draw": _read_draw,
    "visit": _read_visit,
    "deposit": lambda safe, path, report: (
        int(DEPOSIT) + _read_set(safe.diamonds, f"{path}.diamonds", report)
    ),
    "sale": _read_sale,
    "drill": lambda seat, path, report: int(DRILL) + _read_opponent(seat, path, report),
    "special_deposit": lambda safe, path, report: (
        int(SPECIAL_DEPOSIT) + _read_set(safe.diamonds, f"{path}.diamonds", report)
    ),
    "shoplift": _diamond_move(SHOPLIFT),
    "no_play": lambda _, path, report: int(NO_PLAY),
    "take": _diamond_move(TAKE_CARD),
    "offer": _diamond_move(OFFER_CARD),
    "name": _diamond_move(NAME_CARD),
    "give_up": _read_give_up,
}


def _argument(move: int) -> int:
    return int(argument_of(move))


def _write_visit(move: int) -> pb.DiamsMove:
    card, mode = divmod(_argument(move), MODES)
    visit = pb.DiamsVisit(placed=write_diamond(card), mode=pb.DiamsVisitMode.ValueType(mode + 1))
    return pb.DiamsMove(visit=visit)


def _write_sale(move: int) -> pb.DiamsMove:
    special, opponent = divmod(_argument(move), MAX_SEATS)
    sale = pb.DiamsSale(special=pb.DiamsSpecial.ValueType(special + 1), opponent=opponent)
    return pb.DiamsMove(sale=sale)


MOVE_WRITERS: dict[int, Callable[[int], pb.DiamsMove]] = {
    int(DRAW_MOVE): lambda move: pb.DiamsMove(draw=pb.DiamsDraw.ValueType(_argument(move) + 1)),
    int(NO_PLAY): lambda move: pb.DiamsMove(no_play=pb.DiamsNoPlay()),
    int(VISIT): _write_visit,
    int(DEPOSIT): lambda move: pb.DiamsMove(deposit=pb.DiamsSafe(diamonds=_write_set(move))),
    int(SALE): _write_sale,
    int(DRILL): lambda move: pb.DiamsMove(drill=_argument(move)),
    int(SPECIAL_DEPOSIT): lambda move: pb.DiamsMove(
        special_deposit=pb.DiamsSpecialDeposit(diamonds=_write_set(move))
    ),
    int(SHOPLIFT): lambda move: pb.DiamsMove(shoplift=write_diamond(_argument(move))),
    int(TAKE_CARD): lambda move: pb.DiamsMove(take=write_diamond(_argument(move))),
    int(OFFER_CARD): lambda move: pb.DiamsMove(offer=write_diamond(_argument(move))),
    int(NAME_CARD): lambda move: pb.DiamsMove(name=write_diamond(_argument(move))),
    int(GIVE_UP): lambda move: pb.DiamsMove(give_up=write_card(_argument(move))),
}
