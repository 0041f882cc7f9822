"""Cards of DAO to messages and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from adamas.v1 import dao_pb2 as pb
from engines.dao.rules import CARD_KINDS, ELEMENTS, VALUES
from engines.violations import Report

ELEMENT_NAMES = ("Metal", "Fire", "Earth", "Wood", "Water")


def write_card(card: int) -> pb.DaoCard:
    """Card number -> message."""
    return pb.DaoCard(element=pb.DaoElement.ValueType(card // VALUES + 1), value=card % VALUES)


def write_copies(copies: Any) -> list[pb.DaoCard]:
    """Number of copies of each card kind -> messages."""
    return [write_card(card) for card in range(CARD_KINDS) for _ in range(int(copies[card]))]


def read_card(card: pb.DaoCard, path: str, report: Report) -> int:
    """Card message -> number; 0 after a violation."""
    known = report.check(
        1 <= card.element <= ELEMENTS,
        f"{path}.element",
        f"is {card.element}; use DAO_ELEMENT_METAL (1) to DAO_ELEMENT_WATER (5)",
    )
    in_range = report.check(
        0 <= card.value < VALUES, f"{path}.value", f"is {card.value}; use 0 to {VALUES - 1}"
    )
    return (card.element - 1) * VALUES + card.value if known and in_range else 0


def read_cards(cards: Iterable[pb.DaoCard], path: str, report: Report) -> list[int]:
    """Card messages -> numbers."""
    return [read_card(card, f"{path}[{i}]", report) for i, card in enumerate(cards)]


def card_name(card: int) -> str:
    """A card for error messages."""
    return f"{ELEMENT_NAMES[card // VALUES]} {card % VALUES}"
