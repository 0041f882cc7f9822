"""What all games are put together with."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from engines.contract import Kernels
from engines.records import end_of, record_dtype
from engines.violations import Report

FUNCTIONS = list(Kernels.__dataclass_fields__)


def module(name: str, functions: list[str]) -> ModuleType:
    """A module in which each function's name stands for it."""
    found = ModuleType(name)
    for function in functions:
        setattr(found, function, f"{name}.{function}")
    return found


def test_functions_are_found_by_name_in_the_first_module_that_has_them() -> None:
    rules, hidden = module("rules", FUNCTIONS[:-3]), module("hidden", FUNCTIONS[-4:])
    kernels = Kernels.of(rules, hidden)
    found = [getattr(kernels, name) for name in FUNCTIONS]
    assert found == [f"rules.{name}" for name in FUNCTIONS[:-3]] + [
        f"hidden.{name}" for name in FUNCTIONS[-3:]
    ]


def test_a_function_that_is_missing_is_named() -> None:
    with pytest.raises(TypeError, match=r"no determinize in rules, hidden"):
        Kernels.of(module("rules", FUNCTIONS[:-1]), module("hidden", []))


def test_records_that_begin_alike_are_alike_up_to_the_end_of_what_they_share() -> None:
    shared = [("a", np.int8), ("b", np.int16, (3,))]
    state = record_dtype([*shared, ("c", np.int64)])
    view = record_dtype([*shared, ("seat", np.int8)])
    end = end_of(state, "b")
    assert end == end_of(view, "b")
    row, seen = (np.zeros(kind.itemsize, dtype=np.uint8) for kind in (state, view))
    row.view(state)[0].b[:] = (1, 2, 3)
    seen[:end] = row[:end]
    assert list(seen.view(view)[0].b) == [1, 2, 3]
    assert seen.view(view)[0].seat == 0


def test_a_field_is_sound_unless_something_was_noted_of_it_or_below() -> None:
    report = Report()
    report.add("view.row[2].value", "is 9")
    assert not report.sound("view.row")
    assert not report.sound("view.seat", "view.row[2]")
    assert report.sound("view.ro", "view.row[1]", "view.row[2].element", "view.seat")
