"""Full states in words, for the viewer: a row for each field, and which of them a move changed.

Nothing here knows a game. A message that holds plain values only, such as a card, is written as
these values; a list of larger messages, such as the seats' hands, gets a row for each.
"""

from collections.abc import Iterable
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from adamas_tournament.replay import Step

Changes = dict[str, str | None]
"""The text of each row that changed; None for one that is gone."""

_LEFT_OUT = {"options"}
"""Fields that never change and are told elsewhere."""


def changes(steps: Iterable[Step]) -> list[Changes]:
    """What changed with the deal, where everything does, and with each move."""
    found: list[Changes] = []
    before: dict[str, str] = {}
    for step in steps:
        now = rows(step.position.state)
        changed: Changes = {name: text for name, text in now.items() if before.get(name) != text}
        changed |= dict.fromkeys(before.keys() - now.keys())
        found.append(changed)
        before = now
    return found


def rows(state: Message) -> dict[str, str]:
    """A full state as rows, in the order of its fields."""
    found: dict[str, str] = {}
    for field, value in state.ListFields():
        name = field.name.replace("_", " ")
        if field.name in _LEFT_OUT:
            continue
        if field.is_repeated and field.message_type and not _is_plain(field):
            found |= {f"{name} {number}": _words(item) for number, item in enumerate(value)}
        else:
            found[name] = _value(field, value)
    return found


def _is_plain(field: FieldDescriptor) -> bool:
    """Whether a field's messages hold plain values only."""
    inner = field.message_type.fields if field.message_type else []
    return all(not each.is_repeated and each.message_type is None for each in inner)


def _words(message: Message) -> str:
    """A message in words: its values, with names unless there is one field only."""
    parts = [(field, _value(field, value)) for field, value in message.ListFields()]
    if len(message.DESCRIPTOR.fields) == 1:
        return "".join(text for _, text in parts)
    return "; ".join(f"{field.name.replace('_', ' ')} {text}" for field, text in parts)


def _value(field: FieldDescriptor, value: Any) -> str:
    if field.is_repeated:
        return ", ".join(_single(field, item) for item in value)
    return _single(field, value)


def _single(field: FieldDescriptor, value: Any) -> str:
    if field.enum_type is not None:
        return _enum_word(field.enum_type, value)
    if field.message_type is None:
        return str(value)
    if not _is_plain(field):
        return f"({_words(value)})"
    inner = [each for each in value.DESCRIPTOR.fields if not each.has_presence or (
        value.HasField(each.name)
    )]  # fmt: skip
    return " ".join(filter(None, (_single(each, getattr(value, each.name)) for each in inner)))


def _enum_word(enum: EnumDescriptor, value: int) -> str:
    """An enum value without the enum's name in front; empty if it is not set."""
    name: str = enum.values_by_number[value].name
    zero: str = enum.values_by_number[0].name
    return name.removeprefix(zero.removesuffix("UNSPECIFIED")).lower() if value else ""
