"""Records: states, views, tables and nodes, whose fields read as attributes, compiled or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engines.jit import JIT_ENABLED


class RecordValue(np.void):  # type: ignore[misc]  # NumPy itself derives from it
    """One record. Does what ``numpy.record`` does, which takes three times as long."""

    if not TYPE_CHECKING:  # a field may have any name and any type
        __setattr__ = np.void.__setitem__

        def __getattr__(self, name: str) -> Any:
            try:
                return self[name]
            except ValueError:
                raise AttributeError(f"a record without a field {name!r}") from None


def record_dtype(fields: list[Any], raw: tuple[str, ...] = ()) -> np.dtype[Any]:
    """The dtype of a record whose fields read as attributes, compiled or not.

    The size is a multiple of 8, so that rows can be viewed as records at any place of an array.
    With the JIT off, integers of fewer than 64 bits are widened to 64: compiled arithmetic is done
    in 64 bits, NumPy's would wrap around at the field's size. Fields named in ``raw`` hold bytes
    and keep their type.
    """
    plain = np.dtype(fields, align=True)
    for name in plain.names or ():
        if hasattr(RecordValue, name):
            raise ValueError(f"a record can't have a field named {name!r}: NumPy uses that name")
    if not JIT_ENABLED:
        plain = np.dtype([_widened(field, raw) for field in fields], align=True)
        return np.dtype((RecordValue, plain))
    padding = -plain.itemsize % 8
    if padding:
        plain = np.dtype([*fields, ("padding", np.uint8, (padding,))], align=True)
    return np.dtype((RecordValue, plain))


def end_of(record: np.dtype[Any], field: str) -> int:
    """Where a field ends in a record, in bytes.

    States and views that begin with the same fields are alike up to the end of the last of those,
    so that what both have is copied at once.
    """
    if record.fields is None:
        raise TypeError("not a record")
    kind, start, *_ = record.fields[field]
    return int(start + kind.itemsize)


def _widened(field: tuple[Any, ...], raw: tuple[str, ...]) -> tuple[Any, ...]:
    name, scalar, *shape = field
    narrow = np.dtype(scalar).kind in "iu" and np.dtype(scalar).itemsize < 8
    return (name, np.int64 if narrow and name not in raw else scalar, *shape)
