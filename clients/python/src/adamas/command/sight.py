"""Any message as text for people: what a seat sees, of any game, without knowing the game."""

from collections.abc import Iterator
from typing import Any

from google.protobuf.message import Message

WIDTH = 96
"""Columns that a line may have before it is broken up."""
_INDENT = "  "
_NOTHING = "-"


def lines_of(message: Message, indent: str = "") -> Iterator[str]:
    """The fields of a message, one a line where that fits, else in blocks.

    Args:
        message: The message; fields that are empty or zero are left out.
        indent: What each line begins with.
    """
    shown = [(field, value) for field, value in message.ListFields() if field.name != "options"]
    width = max((len(field.name) for field, _ in shown), default=0)
    for field, value in shown:
        name = f"{indent}{_words(field.name)}"
        line = f"{name:{len(indent) + width}}  {_inline(field, value)}"
        if len(line) <= WIDTH or field.message_type is None or _is_map(field):
            yield line
        elif field.is_repeated:
            yield name
            yield from _block(value, indent + _INDENT)
        else:
            yield name
            yield from lines_of(value, indent + _INDENT)


def _block(messages: list[Message], indent: str) -> Iterator[str]:
    """Messages of a list, each with its place."""
    for place, message in enumerate(messages):
        line = f"{indent}{place}: {_brief(message)}"
        if len(line) <= WIDTH:
            yield line
        else:
            yield f"{indent}{place}:"
            yield from lines_of(message, indent + _INDENT)


def _inline(field: Any, value: Any) -> str:
    if _is_map(field):
        return ", ".join(f"{key}: {held}" for key, held in sorted(value.items()))
    if field.is_repeated:
        return " | ".join(_single(field, held) for held in value)
    return _single(field, value)


def _single(field: Any, value: Any) -> str:
    if field.enum_type is not None:
        return _short(field.enum_type, value)
    if field.message_type is not None:
        text = _brief(value)
        return f"({text})" if "," in text or "|" in text else text
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _brief(message: Message) -> str:
    """A message in one line."""
    fields = message.DESCRIPTOR.fields
    if len(fields) == 2 and fields[0].enum_type is not None and fields[1].message_type is None:
        # A kind and a number read best alone: "fire 0".
        return " ".join(_single(field, getattr(message, field.name)) for field in fields)
    parts = message.ListFields()
    if len(fields) == 1:
        return _inline(*parts[0]) if parts else _NOTHING
    return ", ".join(f"{_words(field.name)} {_inline(field, value)}" for field, value in parts) or (
        _NOTHING
    )


def _is_map(field: Any) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _words(name: str) -> str:
    return name.replace("_", " ")


def _short(kind: Any, number: int) -> str:
    """The name of an enum's value without what all its names begin with."""
    names = [value.name for value in kind.values]
    common = 0
    while all(len(name) > common and name[common] == names[0][common] for name in names):
        common += 1
    start = names[0].rfind("_", 0, common) + 1
    value = kind.values_by_number.get(number)
    return str(number) if value is None else _words(value.name[start:].lower())
