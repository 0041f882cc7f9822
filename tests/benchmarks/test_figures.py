"""Figures, and how they are kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.figures import Figure, Report, at_least, at_most


def test_a_figure_is_met_at_its_target_and_not_beyond() -> None:
    assert at_least("x", 0.5, 0.5).met is True
    assert at_least("x", 0.49, 0.5).met is False
    assert at_most("x", 50.0, 50.0).met is True
    assert at_most("x", 50.1, 50.0).met is False
    assert Figure("x", 1.0).met is None


def test_what_could_not_be_measured_is_missed() -> None:
    assert at_least("x", float("nan"), 0.5).met is False
    assert at_most("x", float("nan"), 0.5).met is False


def test_figures_of_an_earlier_run_stay_unless_measured_anew(tmp_path: Path) -> None:
    file = tmp_path / "build" / "figures.json"
    first, second = Report(), Report()
    first.add([at_least("a", 1, 2), at_least("b", 3, 2)])
    first.keep(file)
    second.add([at_least("a", 5, 2, note="again")])
    second.keep(file)
    kept = json.loads(file.read_text())
    assert kept["a"]["value"] == 5
    assert kept["a"]["note"] == "again"
    assert kept["a"]["met"] is True
    assert kept["b"]["value"] == 3


def test_what_could_not_be_measured_is_kept_as_null(tmp_path: Path) -> None:
    report = Report()
    report.add([Figure("x", float("nan"))])
    report.keep(tmp_path / "figures.json")
    kept = (tmp_path / "figures.json").read_text()
    assert json.loads(kept, parse_constant=pytest.fail)["x"]["value"] is None


def test_the_report_names_what_is_missed() -> None:
    report = Report()
    late = at_most("late", 2, 1, pace=True)
    report.add([at_least("good", 1, 1), at_most("bad", 2, 1), Figure("told", 7), late])
    assert [figure.name for figure in report.missed()] == ["bad", "late"]
    assert [figure.name for figure in report.missed(pace=False)] == ["bad"]
