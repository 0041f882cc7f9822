"""Any message as text for people: what a seat sees, of any game, without knowing the game."""

from collections.abc import Iterator
from typing import Any
from unicodedata import east_asian_width

from google.protobuf.message import Message

from adamas.command.terms import Terms

WIDTH = 96
"""Columns that a line may have before it is broken up."""
_INDENT = "  "
_NOTHING = "-"
_LEFT_OUT = {"options", "history"}
"""Fields that never change, or that tell what has been told already."""


def lines_of(message: Message, terms: Terms, indent: str = "") -> Iterator[str]:
    """The fields of a message, one a line where that fits, else in blocks.

    Args:
        message: The message; fields that are empty or zero are left out.
        terms: What they are called.
        indent: What each line begins with.
    """
    shown = [(field, value) for field, value in message.ListFields() if field.name not in _LEFT_OUT]
    width = max((columns(terms.name(field)) for field, _ in shown), default=0)
    text = _Text(terms)
    for field, value in shown:
        name = terms.name(field)
        line = f"{indent}{name}{' ' * (width - columns(name))}  {text.inline(field, value)}"
        if columns(line) <= WIDTH or field.message_type is None or _is_map(field):
            yield line
        elif field.is_repeated:
            yield indent + name
            yield from _block(value, terms, indent + _INDENT)
        else:
            yield indent + name
            yield from lines_of(value, terms, indent + _INDENT)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: Chinese characters take two each."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _block(messages: list[Message], terms: Terms, indent: str) -> Iterator[str]:
    """Messages of a list, each with its place."""
    for place, message in enumerate(messages):
        line = f"{indent}{place}: {_Text(terms).brief(message)}"
        if columns(line) <= WIDTH:
            yield line
        else:
            yield f"{indent}{place}:"
            yield from lines_of(message, terms, indent + _INDENT)


class _Text:
    """Values in one line."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def inline(self, field: Any, value: Any) -> str:
        """A field's value."""
        if _is_map(field):
            return ", ".join(f"{key}: {held}" for key, held in sorted(value.items()))
        if field.is_repeated:
            return " | ".join(self._single(field, held) for held in value)
        return self._single(field, value)

    def brief(self, message: Message) -> str:
        """A message."""
        fields = message.DESCRIPTOR.fields
        if len(fields) == 2 and fields[0].enum_type is not None and fields[1].message_type is None:
            # A kind and a number read best alone: "fire 0".
            return " ".join(self._single(field, getattr(message, field.name)) for field in fields)
        parts = message.ListFields()
        if len(fields) == 1:
            return self.inline(*parts[0]) if parts else _NOTHING
        named = (f"{self._terms.name(field)} {self.inline(field, held)}" for field, held in parts)
        return ", ".join(named) or _NOTHING

    def _single(self, field: Any, value: Any) -> str:
        if field.enum_type is not None:
            return self._terms.value(field.enum_type, value)
        if field.message_type is not None:
            text = self.brief(value)
            return f"({text})" if "," in text or "|" in text else text
        return self._terms.flag(value) if isinstance(value, bool) else str(value)


def _is_map(field: Any) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry
