"""`adamas analyze`."""

from pathlib import Path

import pytest

from tests.clients.command.scripts import Run
from tests.clients.fake_server import FakeServer
from tests.clients.messages import update


def test_analyze(run: Run, server: FakeServer, view: Path) -> None:
    for flags, shown in ([], 1), (["--watch"], 2):
        exchange = server.expect("Analyze", update(10), update(30, final=True))
        assert run("analyze", view, "--every", 0.5, *flags) == 0
        assert exchange.request.update_interval.ToMilliseconds() == 500
        assert run.out.count("1. takes Fire 3") == shown
        assert "40 iterations in" in run.out
        assert ("20 iterations so far" in run.out) == (shown == 2)


def test_analyze_in_json(run: Run, server: FakeServer, view: Path) -> None:
    server.expect("Analyze", update(10), update(30, final=True))
    assert run("analyze", view, "--watch", "--json") == 0
    assert [value["final"] for value in run.values] == [False, True]


def test_on_a_terminal_an_update_takes_the_place_of_the_last(
    run: Run, server: FakeServer, view: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.expect("Analyze", update(10), update(30, final=True))
    monkeypatch.setattr("adamas.command.analyze.is_terminal", lambda: True)
    assert run("analyze", view, "--watch") == 0
    first, second = run.out.split("\x1b[")[0], run.out.rsplit("\x1b[J", 1)[1]
    assert run.out == f"{first}\x1b[{first.count(chr(10))}F\x1b[J{second}"
