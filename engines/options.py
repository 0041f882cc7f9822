"""Options of a game as data: type, range, default, words. One list serves all their readers.

An option's name is the field's name in the game's options message and in its state record. In the
record an option is an integer: 0 or 1 for a bool, the enum's number for a choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.message import Message

from engines.violations import Report, quoted

Text = Mapping[str, str]
"""Words by language: {"en": ..., "zh-TW": ...}."""


@dataclass(frozen=True)
class OptionSpec:
    """What all options have."""

    name: str
    title: Text
    description: Text
    default_value: int
    defaults_by_seats: Mapping[int, int] = field(default_factory=dict)
    """Defaults for numbers of seats that differ from default_value."""
    seats: tuple[int, ...] | None = None
    """Numbers of seats at which the option may differ from its default; None for all."""

    def default(self, seats: int | None) -> int:
        """The default for a number of seats; None: for a number that is not known."""
        if seats is None:
            return self.default_value
        return self.defaults_by_seats.get(seats, self.default_value)

    def allows(self, value: int) -> bool:
        """Whether the value is in range."""
        raise NotImplementedError

    def expectation(self) -> str:
        """What would be right, in words."""
        raise NotImplementedError

    def read(self, message: Message) -> int | None:
        """The value in an options message; None if it is left out."""
        return int(getattr(message, self.name)) if message.HasField(self.name) else None

    def write(self, value: int, message: Message) -> None:
        """The value -> the field of an options message."""
        setattr(message, self.name, value)


@dataclass(frozen=True)
class BoolOption(OptionSpec):
    """On or off."""

    def allows(self, value: int) -> bool:
        """Whether the value is in range."""
        return value in (0, 1)

    def expectation(self) -> str:
        """What would be right, in words."""
        return "true or false"

    def write(self, value: int, message: Message) -> None:
        """The value -> the field of an options message."""
        setattr(message, self.name, bool(value))


@dataclass(frozen=True, kw_only=True)
class IntOption(OptionSpec):
    """A whole number."""

    min_value: int
    max_value: int

    def allows(self, value: int) -> bool:
        """Whether the value is in range."""
        return self.min_value <= value <= self.max_value

    def expectation(self) -> str:
        """What would be right, in words."""
        return f"a number from {self.min_value} to {self.max_value}"


@dataclass(frozen=True, kw_only=True)
class ChoiceOption(OptionSpec):
    """One of several named values; 0 (unspecified) in a message stands for the default."""

    enum: Any
    """The generated enum type (has Name, Value, values)."""
    choices: Mapping[int, Text]
    """Enum number -> label."""

    def allows(self, value: int) -> bool:
        """Whether the value is in range."""
        return value in self.choices

    def expectation(self) -> str:
        """What would be right, in words."""
        return "one of " + ", ".join(self.enum.Name(number) for number in self.choices)

    def read(self, message: Message) -> int | None:
        """The value in an options message; None if it is left out."""
        return int(getattr(message, self.name)) or None


@dataclass(frozen=True, kw_only=True)
class NameOption(OptionSpec):
    """One of several names that only the server knows, such as data files.

    A text in a message (empty stands for the default), its place in the list of names in a record.
    """

    names: Mapping[str, Text]
    """Name -> label."""

    def number(self, name: str) -> int:
        """The place of a name in the list, -1 for an unknown one."""
        return list(self.names).index(name) if name in self.names else -1

    def allows(self, value: int) -> bool:
        """Whether the value is in range."""
        return 0 <= value < len(self.names)

    def expectation(self) -> str:
        """What would be right, in words."""
        return "one of " + ", ".join(self.names)

    def read(self, message: Message) -> int | None:
        """The value in an options message; None if it is left out."""
        name = getattr(message, self.name)
        return self.number(name) if name else None

    def write(self, value: int, message: Message) -> None:
        """The value -> the field of an options message."""
        setattr(message, self.name, list(self.names)[value])


def data_set_names(names: Iterable[str]) -> dict[str, Text]:
    """Labels for data sets, which are called what their folders are called."""
    labels = {"standard": {"en": "standard", "zh-TW": "標準"}}
    return {name: labels.get(name, {"en": name, "zh-TW": name}) for name in names}


@dataclass(frozen=True)
class VariantSpec:
    """A named set of options."""

    variant_id: str
    name: Text
    description: Text
    values: Mapping[str, int]
    """Option name -> value; everything else is the default."""
    seats: tuple[int, ...]


def read_options(
    specs: Iterable[OptionSpec], message: Message, seats: int | None, path: str, report: Report
) -> dict[str, int]:
    """Options message -> values by name, defaults filled in. Notes what is out of range.

    Without a number of seats (None) nothing is said that depends on it.
    """
    values: dict[str, int] = {}
    for spec in specs:
        default = spec.default(seats)
        value = spec.read(message)
        if value is None:
            value = default
        elif not spec.allows(value):
            given = getattr(message, spec.name)
            shown = quoted(given) if isinstance(given, str) else given
            report.add(f"{path}.{spec.name}", f"is {shown}; use {spec.expectation()}")
        allowed = spec.seats if seats is not None else None
        if allowed is not None and seats not in allowed and value != default:
            numbers = ", ".join(str(n) for n in allowed)
            report.add(
                f"{path}.{spec.name}",
                f"is only for {numbers} seats, not for {seats}; leave it at its default",
            )
        values[spec.name] = value
    return values


def write_options(specs: Iterable[OptionSpec], record: Any, message: Message) -> None:
    """Values of the record's fields -> options message, every option written out."""
    for spec in specs:
        spec.write(int(getattr(record, spec.name)), message)


def copy_options(values: Mapping[str, int], record: Any) -> None:
    """Values by name -> the record's fields."""
    for name, value in values.items():
        setattr(record, name, value)
