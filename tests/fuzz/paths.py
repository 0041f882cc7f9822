"""Whether a field path names something that a message type has."""

from __future__ import annotations

import re
from typing import Any

from google.protobuf.message import Message

_STEP = re.compile(r"(?P<name>[a-z][a-z0-9_]*)(\[(?P<index>[0-9]+)\])?")


def fault_of_path(path: str, of: type[Message], message: Message | None = None) -> str | None:
    """What is wrong with a path such as ``query.view.dao.row[1].value``; None if nothing is.

    Every step has to be a field of the type that the steps before it lead to; the last one may
    also be a oneof. Only entries of lists have an index, and with a message given it has to be one
    that the message's list has.
    """
    kind: Any = of.DESCRIPTOR
    found: Any = message
    steps = path.split(".")
    for number, step in enumerate(steps):
        match = _STEP.fullmatch(step)
        if match is None:
            return f"{step!r} is not a field name with or without an index"
        name, index = match["name"], match["index"]
        field = kind.fields_by_name.get(name)
        if field is None:
            if number == len(steps) - 1 and name in kind.oneofs_by_name and index is None:
                return None
            return f"{kind.full_name} has no field {name!r}"
        found = None if found is None else getattr(found, name)
        if index is not None:
            if not field.is_repeated:
                return f"{field.full_name} is no list"
            if found is not None and int(index) >= len(found):
                return f"{field.full_name} has {len(found)} entries, so none with index {index}"
            found = None if found is None else found[int(index)]
        if number < len(steps) - 1:
            if field.message_type is None or (field.is_repeated and index is None):
                return f"{field.full_name} has no fields"
            kind = field.message_type
    return None
