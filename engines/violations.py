"""What is wrong with a message, field by field, in words for people."""

from __future__ import annotations

from dataclasses import dataclass, field

_LONGEST_QUOTATION = 40


def quoted(text: str) -> str:
    """A client's text for a message: in quotes, cut, and with nothing in it that does not print."""
    shown = text if len(text) <= _LONGEST_QUOTATION else text[:_LONGEST_QUOTATION] + "..."
    return '"' + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in shown) + '"'


@dataclass(frozen=True)
class Violation:
    """One thing that is wrong: the field's path, and what would be right."""

    field: str
    description: str


class InvalidMessage(Exception):
    """A message that cannot be used; carries every violation that was found."""

    def __init__(self, violations: list[Violation]) -> None:
        super().__init__("; ".join(f"{v.field}: {v.description}" for v in violations))
        self.violations = violations


def invalid(path: str, description: str) -> InvalidMessage:
    """One violation as an exception."""
    return InvalidMessage([Violation(path, description)])


@dataclass
class Report:
    """Collects violations while a message is read."""

    violations: list[Violation] = field(default_factory=list)

    def add(self, path: str, description: str) -> None:
        """Notes one violation."""
        self.violations.append(Violation(path, description))

    def check(self, holds: bool, path: str, description: str) -> bool:
        """Notes a violation unless the condition holds; returns the condition."""
        if not holds:
            self.add(path, description)
        return holds

    def sound(self, *paths: str) -> bool:
        """Whether nothing was noted at any of these paths or below."""
        return not any(
            violation.field == path or violation.field.startswith((f"{path}.", f"{path}["))
            for violation in self.violations
            for path in paths
        )

    def raise_if_any(self) -> None:
        """Raises InvalidMessage if anything was noted."""
        if self.violations:
            raise InvalidMessage(self.violations)
