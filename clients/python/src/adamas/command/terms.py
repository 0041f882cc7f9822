"""What fields and values of positions are called, for people.

In English they are called as in the protos. Other languages have a file of terms, whose fields are
told apart by game, as a round of DAO has another word than one of Diamonds.
"""

import json
from importlib.resources import files
from typing import Any

from adamas.command.languages import ENGLISH, known
from adamas.command.words import words_in


class Terms:
    """The terms of a language.

    Args:
        language: A tag; the nearest language that there is counts.
    """

    def __init__(self, language: str = ENGLISH) -> None:
        self._words = words_in(language)
        self._fields: dict[str, dict[str, str]] = {}
        self._values: dict[str, str] = {}
        if (name := known(language)) != ENGLISH:
            path = files("adamas.command").joinpath(f"terms.{name}.json")
            found: dict[str, Any] = json.loads(path.read_text("utf-8"))
            self._fields, self._values = found["fields"], found["values"]

    def name(self, field: Any) -> str:
        """What a field is called."""
        # A message is of the game with the longest name that it begins with: DiamondsClubTable.
        message = field.containing_type.name
        game = max(filter(message.startswith, self._fields), key=len, default="")
        for terms in (self._fields.get(game, {}), self._fields.get("", {})):
            if field.name in terms:
                return terms[field.name]
        return str(field.name.replace("_", " "))

    def value(self, enum: Any, number: int) -> str:
        """What a value of an enum is called; empty for the one that says nothing."""
        value, zero = enum.values_by_number.get(number), enum.values_by_number[0]
        if value is None or not number:
            return str(number) if number else ""
        english: str = value.name.removeprefix(zero.name.removesuffix("UNSPECIFIED"))
        return self._values.get(value.name, english.lower().replace("_", " "))

    def flag(self, value: bool) -> str:
        """Yes or no."""
        return self._words["yes" if value else "no"]
