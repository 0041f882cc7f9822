"""Card messages of Diam's to card numbers and back."""

from __future__ import annotations

from adamas.v1 import diams_pb2 as pb
from engines.diams.rules.state import CLOSING_CARD, DIAMONDS, SPECIALS, X1
from engines.diams.rules.tables import KINDS
from engines.violations import Report

SPECIAL_NAMES = "DIAMS_SPECIAL_DRILL (1), _DEPOSIT (2) or _SHOPLIFTING (3)"


def card_name(card: int) -> str:
    """A card for error messages: "7p" is a pure, "7" an ordinary diamond of kind 7."""
    if card == CLOSING_CARD:
        return "the closing card"
    if card >= X1:
        return f"X{card - X1 + 1}"
    return f"{card // 2 + 1}{'' if card % 2 else 'p'}"


def write_diamond(card: int) -> pb.DiamsDiamond:
    """Card number -> diamond message."""
    return pb.DiamsDiamond(kind=card // 2 + 1, pure=card % 2 == 0)


def read_diamond(diamond: pb.DiamsDiamond, path: str, report: Report) -> int:
    """Diamond message -> card number; that of an ordinary 1 after a violation."""
    known = report.check(
        1 <= diamond.kind <= KINDS, f"{path}.kind", f"is {diamond.kind}; use 1 to {KINDS}"
    )
    return 2 * (diamond.kind - 1 if known else 0) + (0 if diamond.pure else 1)


def write_special(card: int) -> pb.DiamsSpecial.ValueType:
    """Card number -> special."""
    return pb.DiamsSpecial.ValueType(card - X1 + 1)


def write_card(card: int) -> pb.DiamsCard:
    """Card number -> card message."""
    if card == CLOSING_CARD:
        return pb.DiamsCard(closing=True)
    if card >= DIAMONDS:
        return pb.DiamsCard(special=write_special(card))
    return pb.DiamsCard(diamond=write_diamond(card))


def read_card(card: pb.DiamsCard, path: str, report: Report) -> int:
    """Card message -> card number; that of an ordinary 1 after a violation."""
    kind = card.WhichOneof("card")
    if kind == "diamond":
        return read_diamond(card.diamond, f"{path}.diamond", report)
    if kind == "special":
        if report.check(
            1 <= card.special <= SPECIALS,
            f"{path}.special",
            f"is {card.special}; use {SPECIAL_NAMES}",
        ):
            return X1 + card.special - 1
    elif kind == "closing":
        if report.check(card.closing, f"{path}.closing", "is false; leave it out or set it"):
            return CLOSING_CARD
    else:
        report.add(f"{path}.card", "is not set; use diamond, special or closing")
    return 1
