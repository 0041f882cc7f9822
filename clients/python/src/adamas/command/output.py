"""What commands print: text for people, JSON for programs."""

import json
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

from adamas.search import Advice


def print_json(value: object) -> None:
    """Prints a value of this package as one line of JSON; messages inside as protobuf's."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(plain(value), ensure_ascii=not unicode), flush=True)


def plain(value: object) -> Any:
    """A value of this package as what JSON knows."""
    if isinstance(value, Message):
        return json_format.MessageToDict(value, preserving_proto_field_name=True)
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: plain(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [plain(held) for held in value]
    if isinstance(value, Enum):
        return value.value
    return value


def advice_lines(advice: Advice) -> Iterator[str]:
    """Ranked moves with their reasons, for people."""
    for rank, candidate in enumerate(advice.candidates, 1):
        yield f"{rank}. {candidate.words}"
        if candidate.visits:
            yield (
                f"   win {candidate.win_probability:.1%}, score {candidate.expected_score:.2f}, "
                f"{candidate.visits:,} visits"
            )
        if candidate.reason:
            yield f"   {candidate.reason}"
    yield str(advice.search)


def view_lines(view: Message) -> Iterator[str]:
    """What a seat sees, a line a field: for a game that the terminal has no board of."""
    shown = [(field.name.replace("_", " "), value) for field, value in view.ListFields()]
    width = max((len(name) for name, _ in shown), default=0)
    for (name, value), (field, _) in zip(shown, view.ListFields(), strict=True):
        if name != "options":
            yield f"{name:{width}}  {_value(field, value)}"


def _value(field: Any, value: Any) -> str:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return ", ".join(f"{key}: {held}" for key, held in sorted(value.items()))
    if field.is_repeated:
        return " | ".join(_single(field, held) for held in value)
    return _single(field, value)


def _single(field: Any, value: Any) -> str:
    if field.enum_type is not None:
        return _short(field.enum_type, value)
    if field.message_type is not None:
        # A small message reads best without its fields' names: "fire 3".
        parts = [(held.name, _value(held, inner)) for held, inner in value.ListFields()]
        if all(" " not in text for _, text in parts) and len(parts) <= 2:
            return " ".join(text for _, text in parts) or "-"
        return "(" + ", ".join(f"{name.replace('_', ' ')} {text}" for name, text in parts) + ")"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _short(kind: Any, number: int) -> str:
    """The name of an enum's value without what all its names begin with."""
    names = [value.name for value in kind.values]
    common = 0
    while all(len(name) > common and name[common] == names[0][common] for name in names):
        common += 1
    common = names[0].rfind("_", 0, common) + 1
    value = kind.values_by_number.get(number)
    return str(number) if value is None else value.name[common:].lower().replace("_", " ")
