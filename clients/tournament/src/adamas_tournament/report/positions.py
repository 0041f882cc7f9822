"""Full states as boards, for the viewer: rows of chips, a column a seat, and what a move changed.

Nothing here knows a game. A card, or whatever else a message of plain values is, becomes a chip;
what there is once a seat stands below the seat; lists of equal length beside each other become a
grid.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from adamas.command.terms import Terms
from adamas.figures import number
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


def changes(steps: Iterable[Step], sides: Sequence[Sequence[int]], terms: Terms) -> list[Changes]:
    """What changed with the deal, where everything does, and with each move.

    Args:
        steps: The game.
        sides: The seats of each side.
        terms: What fields and values are called.
    """
    found: list[Changes] = []
    before: dict[str, Row] = {}
    for step in steps:
        now = rows(step.position.state, sides, terms)
        changed: Changes = {name: row for name, row in now.items() if before.get(name) != row}
        changed |= dict.fromkeys(before.keys() - now.keys())
        found.append(changed)
        before = now
    return found


def rows(state: Message, sides: Sequence[Sequence[int]], terms: Terms) -> dict[str, Row]:
    """A full state as rows, in the order of its fields; without those that hold nothing."""
    holders = {len(sides): [side[0] for side in sides]}
    holders[sum(map(len, sides))] = sorted(seat for side in sides for seat in side)
    return {name: row for name, row in _Rows(holders, terms).of(state) if row}


class _Rows:
    """Messages as rows.

    Args:
        holders: Whose the items of a list of so many items are, by their number.
        terms: What fields and values are called.
    """

    def __init__(self, holders: dict[int, list[int]], terms: Terms) -> None:
        self._holders = holders
        self._terms = terms
        self._chips = _Chips(terms)

    def of(self, message: Message, seat: int | None = None) -> Iterator[tuple[str, Row]]:
        """The rows of a message.

        Args:
            message: A state, or a part of one.
            seat: Whose the message is; None: everybody's.
        """
        mark = "" if seat is None else f"@{seat}"
        for field, value in _fields(message):
            if field.name in _LEFT_OUT:
                continue
            name = self._terms.name(field)
            if field.is_repeated and seat is None and self._is_one_a_seat(field, value):
                for holder, item in zip(self._holders[len(value)], value, strict=True):
                    if field.message_type is None or len(item.DESCRIPTOR.fields) == 1:
                        yield f"{name}@{holder}", self._chips.items(field, item)
                    else:
                        yield from self.of(item, holder)
            elif field.is_repeated and field.message_type and value and not _is_chip(field):
                yield from self._grid(name, value)
            elif field.is_repeated:
                yield name + mark, [self._chips.single(field, item) for item in value]
            elif field.message_type and not _is_chip(field) and seat is None:
                yield from self.of(value)
            elif field.message_type:
                yield name + mark, [self._chips.whole(value)] if value.ListFields() else []
            elif word := self._chips.word(field, value):
                yield name + mark, [word]

    def _is_one_a_seat(self, field: FieldDescriptor, value: Any) -> bool:
        """Whether a list has one item for each seat or side: no list of cards, which has any
        length."""
        if len(value) not in self._holders or field.enum_type is not None:
            return False
        return field.message_type is None or not _is_chip(field)

    def _grid(self, name: str, columns: Sequence[Message]) -> Iterator[tuple[str, Row]]:
        """Messages with lists of their own: beside each other if these are equally long, else a row
        each.
        """
        fields = columns[0].DESCRIPTOR.fields
        lists = [field.name for field in fields if field.is_repeated]
        heights = {len(getattr(column, name)) for column in columns for name in lists}
        if len(columns) > 1 and len(heights) == 1:
            for place in range(heights.pop()):
                squares: Row = [self._chips.square(column, place) for column in columns]
                yield f"{name}#{place + 1}", squares
            return
        for place, column in enumerate(columns, 1):
            row: Row = []
            for field, value in column.ListFields():
                if field.is_repeated:
                    row += [self._chips.single(field, item) for item in value]
                else:
                    row.append(self._chips.named(field, value))
            yield f"{name} {place}", row


class _Chips:
    """Values as chips."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def items(self, field: FieldDescriptor, item: Any) -> Row:
        """What a seat has of a list: one value, or the only list of a message."""
        if field.message_type is None:
            return [self.word(field, item)]
        return [
            self.single(inner, each)
            for inner, value in item.ListFields()
            for each in (value if inner.is_repeated else [value])
        ]

    def square(self, column: Message, row: int) -> Chip:
        """One place of a grid: what it is, and the numbers on it that are not 0."""
        words, numbers, colour = [], [], 0
        for field, value in column.ListFields():
            if not field.is_repeated:
                continue
            item = self.single(field, value[row])
            if field.enum_type is not None:
                colour = colour or int(value[row])
                words.append(_text(item))
            elif value[row]:
                numbers.append(f"({_text(item)})")
        text = " ".join(words + numbers)
        return (text, colour) if colour else text

    def single(self, field: FieldDescriptor, value: Any) -> Chip:
        """An item of a list."""
        if field.message_type is not None:
            return self.whole(value)
        word = self.word(field, value)
        return (word, value) if field.enum_type is not None and value else word

    def whole(self, message: Message) -> Chip:
        """A message without lists. Values of cards are told without the names of their fields."""
        present = message.ListFields()
        if len(present) == 1 and present[0][0].message_type is not None:
            return self.whole(present[0][1])
        values = _fields(message)
        enums = [value for field, value in values if field.enum_type is not None]
        flags = [field for field, _ in values if field.type == FieldDescriptor.TYPE_BOOL]
        if not enums and not flags:
            told = present if len(values) > FEW else values
            return ", ".join(self.named(field, value) for field, value in told) or "–"
        text = " ".join(filter(None, (_text(self.single(field, value)) for field, value in values)))
        colour = enums[0] if enums else next((v for f, v in values if f not in flags), 0)
        return (text, int(colour)) if colour else text

    def named(self, field: FieldDescriptor, value: Any) -> str:
        """A field with its name; a flag is its name."""
        if field.type == FieldDescriptor.TYPE_BOOL:
            return self.word(field, value)
        return f"{self._terms.name(field)} {_text(self.single(field, value))}"

    def word(self, field: FieldDescriptor, value: Any) -> str:
        """A plain value in a word; a flag is its name, or nothing."""
        if field.enum_type is not None:
            return self._terms.value(field.enum_type, value)
        if field.type == FieldDescriptor.TYPE_BOOL:
            if field.is_repeated:
                return "✓" if value else "–"
            return self._terms.name(field) if value else ""
        return number(value, "") if isinstance(value, int | float) else str(value)


def _fields(message: Message) -> Sequence[tuple[FieldDescriptor, Any]]:
    """All fields and their values, but those that are not set where that is no value."""
    return [
        (cast(FieldDescriptor, field), getattr(message, field.name))
        for field in message.DESCRIPTOR.fields
        if not field.has_presence or message.HasField(field.name)
    ]


def _is_chip(field: FieldDescriptor) -> bool:
    """Whether a field's messages are shown as one chip each: they hold no lists."""
    inner = field.message_type.fields if field.message_type else []
    return all(
        not each.is_repeated and (each.message_type is None or _is_chip(each)) for each in inner
    )


def _text(chip: Chip) -> str:
    return chip if isinstance(chip, str) else chip[0]
