"""What pydantic found wrong, in words for people, without the values of secrets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from annotated_types import Ge, Gt, Le
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_LONGEST_VALUE = 60


def explain(
    error: ValidationError,
    model: type[BaseModel],
    where: Callable[[str], str] = str,
    secrets: Sequence[str] = ("tokens",),
) -> str:
    """One line for each thing that is wrong with the fields of a model.

    Args:
        error: What validating the model raised.
        model: The model.
        where: Says for a field's name where it is set.
        secrets: Names of fields whose values must not be told.
    """
    return "\n".join(_line(details, model, where, secrets) for details in error.errors())


def path(location: Sequence[int | str]) -> str:
    """Where in a model an error is, as in ``client[0].name``."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return "".join(parts).lstrip(".")


def _line(
    details: ErrorDetails,
    model: type[BaseModel],
    where: Callable[[str], str],
    secrets: Sequence[str],
) -> str:
    if not details["loc"]:
        return str(details.get("ctx", {}).get("error", details["msg"]))
    name = str(details["loc"][0])
    if details["type"] == "extra_forbidden":
        return f"{path(details['loc'])}: there is no such setting"
    value = "" if name in secrets else f" is {_shown(details['input'])};"
    return f"{path(details['loc'])}{value} {_wanted(details, model, name)} ({where(name)})"


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + "..."


def _wanted(details: ErrorDetails, model: type[BaseModel], name: str) -> str:
    """What would be right."""
    match details["type"]:
        case "bool_parsing" | "bool_type":
            return "use true or false"
        case "literal_error":
            return f"use {details['ctx']['expected'].replace(chr(39), '')}"
        case "value_error":
            return str(details["ctx"]["error"])
        case _:
            return _range(model, name) or details["msg"]


def _range(model: type[BaseModel], name: str) -> str:
    """The values that a number may have, if the field is one with bounds."""
    low = high = None
    field = model.model_fields.get(name)
    for bound in field.metadata if field is not None else ():
        if isinstance(bound, Ge):
            low = f"{bound.ge}"
        elif isinstance(bound, Gt):
            low = f"more than {bound.gt}"
        elif isinstance(bound, Le):
            high = f"{bound.le}"
    if low is None and high is None:
        return ""
    return f"use {low} to {high}" if low and high else f"use {low or ''} {high or 'or more'}"
