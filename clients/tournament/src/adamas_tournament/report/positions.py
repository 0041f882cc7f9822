"""Full states as boards, for the viewer: rows of chips, a column a seat, and what a move changed.

Nothing here knows a game. A card, or whatever else a message of plain values is, becomes a chip;
what there is once a seat stands below the seat; lists of equal length beside each other become a
grid.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from adamas_tournament.replay import Step

Chip = str | tuple[str, int]
"""Words, and the number of a colour if they have one."""
Row = list[Chip]
Changes = dict[str, Row | None]
"""The rows that changed, by name; None for one that is gone.

A name that ends with "@2" is seat 2's; one that ends with "#3" is row 3 of a grid.
"""

FEW = 2
"""A message of more numbers than this is told without those that are 0."""
_LEFT_OUT = {"options", "seats", "random_state", "history"}
"""Fields that never change and are told elsewhere, or that nobody reads."""


def changes(steps: Iterable[Step], sides: Sequence[Sequence[int]]) -> list[Changes]:
    """What changed with the deal, where everything does, and with each move.

    Args:
        steps: The game.
        sides: The seats of each side.
    """
    found: list[Changes] = []
    before: dict[str, Row] = {}
    for step in steps:
        now = rows(step.position.state, sides)
        changed: Changes = {name: row for name, row in now.items() if before.get(name) != row}
        changed |= dict.fromkeys(before.keys() - now.keys())
        found.append(changed)
        before = now
    return found


def rows(state: Message, sides: Sequence[Sequence[int]]) -> dict[str, Row]:
    """A full state as rows, in the order of its fields; without those that hold nothing."""
    holders = {len(sides): [side[0] for side in sides]}
    holders[sum(map(len, sides))] = sorted(seat for side in sides for seat in side)
    return {name: row for name, row in _rows(state, holders) if row}


def _rows(
    message: Message, holders: dict[int, list[int]], seat: int | None = None
) -> Iterator[tuple[str, Row]]:
    """The rows of a message.

    Args:
        message: A state, or a part of one.
        holders: Whose the items of a list of so many items are, by their number.
        seat: Whose the message is; None: everybody's.
    """
    mark = "" if seat is None else f"@{seat}"
    for field, value in _fields(message):
        name = field.name.replace("_", " ")
        if field.name in _LEFT_OUT:
            continue
        if field.is_repeated and seat is None and _is_one_a_seat(field, value, holders):
            for holder, item in zip(holders[len(value)], value, strict=True):
                if field.message_type is None or len(item.DESCRIPTOR.fields) == 1:
                    yield f"{name}@{holder}", _items(field, item)
                else:
                    yield from _rows(item, holders, holder)
        elif field.is_repeated and field.message_type and value and not _is_chip(field):
            yield from _grid(name, value)
        elif field.is_repeated:
            yield name + mark, [_single(field, item) for item in value]
        elif field.message_type and not _is_chip(field) and seat is None:
            yield from _rows(value, holders)
        elif field.message_type:
            yield name + mark, [_chip(value)] if value.ListFields() else []
        elif word := _word(field, value):
            yield name + mark, [word]


def _fields(message: Message) -> Sequence[tuple[FieldDescriptor, Any]]:
    """All fields and their values, but those that are not set where that is no value."""
    return [
        (cast(FieldDescriptor, field), getattr(message, field.name))
        for field in message.DESCRIPTOR.fields
        if not field.has_presence or message.HasField(field.name)
    ]


def _is_one_a_seat(field: FieldDescriptor, value: Any, holders: dict[int, list[int]]) -> bool:
    """Whether a list has one item for each seat or side: no list of cards, which has any length."""
    if len(value) not in holders or field.enum_type is not None:
        return False
    return field.message_type is None or not _is_chip(field)


def _is_chip(field: FieldDescriptor) -> bool:
    """Whether a field's messages are shown as one chip each: they hold no lists."""
    inner = field.message_type.fields if field.message_type else []
    return all(
        not each.is_repeated and (each.message_type is None or _is_chip(each)) for each in inner
    )


def _items(field: FieldDescriptor, item: Any) -> Row:
    """What a seat has of a list: one value, or the only list of a message."""
    if field.message_type is None:
        return [_word(field, item)]
    return [
        _single(inner, each)
        for inner, value in item.ListFields()
        for each in (value if inner.is_repeated else [value])
    ]


def _grid(name: str, columns: Sequence[Message]) -> Iterator[tuple[str, Row]]:
    """Messages with lists of their own: beside each other if these are equally long, else a row
    each.
    """
    fields = columns[0].DESCRIPTOR.fields
    lists = [field.name for field in fields if field.is_repeated]
    heights = {len(getattr(column, name)) for column in columns for name in lists}
    if len(columns) > 1 and len(heights) == 1:
        for place in range(heights.pop()):
            yield f"{name}#{place + 1}", [_square(column, place) for column in columns]
        return
    for number, column in enumerate(columns, 1):
        row: Row = []
        for field, value in column.ListFields():
            if field.is_repeated:
                row += [_single(field, item) for item in value]
            else:
                row.append(_named(field, value))
        yield f"{name} {number}", row


def _square(column: Message, row: int) -> Chip:
    """One place of a grid: what it is, and the numbers on it that are not 0."""
    words, numbers, colour = [], [], 0
    for field, value in column.ListFields():
        if not field.is_repeated:
            continue
        item = _single(field, value[row])
        if field.enum_type is not None:
            colour = colour or int(value[row])
            words.append(_text(item))
        elif value[row]:
            numbers.append(f"({_text(item)})")
    text = " ".join(words + numbers)
    return (text, colour) if colour else text


def _single(field: FieldDescriptor, value: Any) -> Chip:
    """An item of a list."""
    if field.message_type is not None:
        return _chip(value)
    word = _word(field, value)
    return (word, value) if field.enum_type is not None and value else word


def _chip(message: Message) -> Chip:
    """A message without lists. Values of cards are told without the names of their fields."""
    present = message.ListFields()
    if len(present) == 1 and present[0][0].message_type is not None:
        return _chip(present[0][1])
    values = _fields(message)
    enums = [value for field, value in values if field.enum_type is not None]
    flags = [field for field, _ in values if field.type == FieldDescriptor.TYPE_BOOL]
    if not enums and not flags:
        told = present if len(values) > FEW else values
        return ", ".join(_named(field, value) for field, value in told) or "–"
    text = " ".join(filter(None, (_text(_single(field, value)) for field, value in values)))
    colour = enums[0] if enums else next((v for f, v in values if f not in flags), 0)
    return (text, int(colour)) if colour else text


def _named(field: FieldDescriptor, value: Any) -> str:
    """A field with its name; a flag is its name."""
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _word(field, value)
    return f"{field.name.replace('_', ' ')} {_text(_single(field, value))}"


def _word(field: FieldDescriptor, value: Any) -> str:
    """A plain value in a word; a flag is its name, or nothing."""
    if field.enum_type is not None:
        return _enum_word(field.enum_type, value)
    if field.type == FieldDescriptor.TYPE_BOOL:
        if field.is_repeated:
            return "✓" if value else "–"
        return field.name.replace("_", " ") if value else ""
    return str(value)


def _text(chip: Chip) -> str:
    return chip if isinstance(chip, str) else chip[0]


def _enum_word(enum: EnumDescriptor, value: int) -> str:
    """An enum value without the enum's name in front; empty if it is not set."""
    name: str = enum.values_by_number[value].name
    zero: str = enum.values_by_number[0].name
    words = name.removeprefix(zero.removesuffix("UNSPECIFIED")).lower().replace("_", " ")
    return words if value else ""
