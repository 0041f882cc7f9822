"""Spoils a message at one of its fields, through reflection, so that it works for every type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from types import MappingProxyType
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

Spares = Mapping[str, Sequence[Message]]
"""Type name -> messages that may be put into others."""
Site = tuple[Message, FieldDescriptor]
"""A field, and the message that has it, set or not."""

_RANGES = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
}
_EDGES = (-1, 0, 1, 2, 3, 5, 7, 15, 16, 60, 127, 128, 255, 256, 999, 1000, 32_768, 65_536, 10**9)
_FLOATS = (0.0, -0.0, -1.0, 0.5, 1e300, 5e-324, float("nan"), float("inf"), float("-inf"))
TEXTS = (
    "",
    "x",
    "\0",
    "\n\r\t",
    "en-" * 100,
    "長" * 50,
    "\U0001f48e\u200d\U0001f48e",
    "\u202eneve",
    "a\u0301\u0328" * 40,
    "\ufffe\uffff",
    "zh-Hans",
    "standard\u0000",
    "{0.__class__}",
    "%s%n",
    "x" * 10_000,
)
"""Odd texts: empty, control characters, joined emoji, right-to-left, stacked accents, long ones."""
_FACTORS = (1, 2, 20, 300, 5000)
_MOST_ENTRIES = 20_000
_LOOKED_AT = 5


def spoil(message: Message, pick: Random, spares: Spares = MappingProxyType({})) -> None:
    """Changes something at one field somewhere in a message.

    Each kind of field is chosen as often as every other, however many of it there are.
    """
    sites: dict[str, list[Site]] = {}
    for site in _sites(message, pick):
        sites.setdefault(site[1].full_name, []).append(site)
    owner, field = pick.choice(pick.choice(list(sites.values())))
    general = [_put_unknown_field, _swap_with_like] if pick.random() < 0.1 else []
    for change in general:
        if change(message, owner, field, pick):
            return
    if field.is_repeated:
        _spoil_list(owner, field, pick, spares)
    elif field.message_type is not None:
        _spoil_message(owner, field, pick, spares)
    elif field.has_presence and pick.random() < 0.1:
        owner.ClearField(field.name)
    else:
        setattr(owner, field.name, _value(field, getattr(owner, field.name), pick))


def fields_of(message: Message) -> list[FieldDescriptor]:
    """The fields that a message's type has."""
    return _fields_of_type(message.DESCRIPTOR)


@cache
def _fields_of_type(descriptor: Descriptor) -> list[FieldDescriptor]:
    return cast(list[FieldDescriptor], list(descriptor.fields))


def _sites(message: Message, pick: Random) -> Iterator[Site]:
    """Fields of a message and of messages in it; of long lists only a few entries are looked at."""
    for field in fields_of(message):
        yield message, field
        children = _children(message, field)
        if len(children) > _LOOKED_AT:
            children = pick.sample(children, _LOOKED_AT)
        for child in children:
            yield from _sites(child, pick)


def _children(message: Message, field: FieldDescriptor) -> list[Message]:
    if field.message_type is None:
        return []
    if field.is_repeated:
        return list(getattr(message, field.name))
    return [getattr(message, field.name)] if message.HasField(field.name) else []


def parts(message: Message) -> Iterator[Message]:
    """A message and all messages in it."""
    yield message
    for field in fields_of(message):
        for child in _children(message, field):
            yield from parts(child)


def _put_unknown_field(_: Message, owner: Message, field: FieldDescriptor, pick: Random) -> bool:
    """A field number that the type does not have, or has as something else."""
    number = pick.choice([99, 1000, 2**29 - 1, field.number])
    payload = pick.choice([b"\0", b"\x05", b"\xff\xff\xff\xff\x0f"])
    try:
        owner.MergeFromString(_varint(number << 3) + payload)
    except ValueError:
        return False
    return True


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _swap_with_like(root: Message, owner: Message, field: FieldDescriptor, pick: Random) -> bool:
    """Exchanges a field's value with that of another field of the same type."""
    if field.is_repeated or field.message_type is not None:
        return False
    others = [
        (other_owner, other)
        for other_owner, other in _sites(root, pick)
        if other.cpp_type == field.cpp_type and other.enum_type is field.enum_type
        if not other.is_repeated
    ]
    other_owner, other = pick.choice(others)
    value, other_value = getattr(owner, field.name), getattr(other_owner, other.name)
    setattr(owner, field.name, other_value)
    setattr(other_owner, other.name, value)
    return True


def _spoil_message(owner: Message, field: FieldDescriptor, pick: Random, spares: Spares) -> None:
    kind = pick.randrange(4)
    if kind == 0:
        owner.ClearField(field.name)
    elif kind == 1:
        owner.ClearField(field.name)
        getattr(owner, field.name).SetInParent()
    elif kind == 2 and field.containing_oneof is not None:
        other = pick.choice(list(field.containing_oneof.fields))
        if other.message_type is not None:
            getattr(owner, other.name).SetInParent()
            _splice(owner, other, pick, spares)
        else:
            setattr(owner, other.name, _value(other, getattr(owner, other.name), pick))
    else:
        _splice(owner, field, pick, spares)


def _splice(owner: Message, field: FieldDescriptor, pick: Random, spares: Spares) -> None:
    """Puts a message of the field's type from elsewhere in its place."""
    found = _spare(field, pick, spares)
    if found is not None:
        getattr(owner, field.name).CopyFrom(found)


def _spare(field: FieldDescriptor, pick: Random, spares: Spares) -> Message | None:
    found = spares.get(field.message_type.full_name) if field.message_type else None
    return pick.choice(found) if found else None


def _spoil_list(owner: Message, field: FieldDescriptor, pick: Random, spares: Spares) -> None:
    values: Any = getattr(owner, field.name)
    kinds: list[Callable[[Any], None]] = [_append_default if field.message_type else _append_value]
    if len(values):
        kinds += [_drop, _repeat, _overwrite]
    if len(values) > 1:
        kinds += [_shuffle, _exchange]
    if pick.random() < 0.1:
        owner.ClearField(field.name)
        return
    pick.choice(kinds)(_List(owner, field, pick, spares))


class _List:
    """A repeated field, for one change."""

    def __init__(
        self, owner: Message, field: FieldDescriptor, pick: Random, spares: Spares
    ) -> None:
        self.field, self.pick, self.spares = field, pick, spares
        self.values: Any = getattr(owner, field.name)
        self.owner = owner

    def put(self, entries: list[Any]) -> None:
        """Replaces all entries; messages among them are copied."""
        copies = [self.copy(entry) for entry in entries[:_MOST_ENTRIES]]
        self.owner.ClearField(self.field.name)
        getattr(self.owner, self.field.name).extend(copies)

    @staticmethod
    def copy(entry: Any) -> Any:
        """An entry that outlives the list."""
        if not isinstance(entry, Message):
            return entry
        copied = type(entry)()
        copied.CopyFrom(entry)
        return copied


def _append_default(target: _List) -> None:
    added = target.values.add()
    spare = _spare(target.field, target.pick, target.spares)
    if spare is not None and target.pick.random() < 0.7:
        added.CopyFrom(spare)


def _append_value(target: _List) -> None:
    last = target.values[-1] if len(target.values) else None
    target.values.append(_value(target.field, last, target.pick))


def _drop(target: _List) -> None:
    del target.values[target.pick.randrange(len(target.values))]


def _repeat(target: _List) -> None:
    entry = target.copy(target.pick.choice(list(target.values)))
    target.values.extend([entry] * target.pick.choice(_FACTORS))


def _overwrite(target: _List) -> None:
    """One entry takes the value of another, or a new one."""
    entries = list(target.values)
    place = target.pick.randrange(len(entries))
    if target.field.message_type is not None:
        spare = _spare(target.field, target.pick, target.spares)
        entries[place] = spare if spare is not None else target.pick.choice(entries)
    else:
        entries[place] = _value(target.field, entries[place], target.pick)
    target.put(entries)


def _shuffle(target: _List) -> None:
    entries = list(target.values)
    target.pick.shuffle(entries)
    target.put(entries)


def _exchange(target: _List) -> None:
    entries = list(target.values)
    one, other = target.pick.sample(range(len(entries)), 2)
    entries[one], entries[other] = entries[other], entries[one]
    target.put(entries)


def _value(field: FieldDescriptor, old: Any, pick: Random) -> Any:
    """A value for a scalar field: near the old one, at an edge, or anything."""
    if field.cpp_type in _RANGES:
        return _number(field, int(old or 0), pick)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return not old
    if field.type == FieldDescriptor.TYPE_BYTES:
        return pick.randbytes(pick.choice([0, 1, 20, 1000]))
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return pick.choice([*TEXTS, (old or "") + "x", (old or "")[:-1]])
    return pick.choice(_FLOATS)


def _number(field: FieldDescriptor, old: int, pick: Random) -> int:
    low, high = _RANGES[field.cpp_type]
    value = pick.choice(
        [
            old + pick.choice([-2, -1, 1, 2]),
            -old,
            pick.choice(_EDGES),
            pick.randint(0, 9),
            pick.choice([low, high]),
            pick.randint(low, high),
        ]
    )
    return min(max(value, low), high)
