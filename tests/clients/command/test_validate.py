"""`adamas validate`."""

from collections.abc import Callable
from pathlib import Path

from google.protobuf.message import Message

from adamas.v1 import rules_service_pb2 as rules
from tests.clients.command.scripts import Run
from tests.clients.fake_server import FakeServer
from tests.clients.messages import started


def test_validate(run: Run, server: FakeServer, view: Path) -> None:
    server.expect("ValidateView", rules.ValidateViewResponse())
    assert run("validate", view) == 0
    assert run.out == "nothing is wrong with it\n"
    wrong = rules.ValidateViewResponse(
        violations=[rules.Violation(field="view.dao.seats", description="2 to 6")]
    )
    server.expect("ValidateView", wrong)
    assert run("validate", view) == 1
    assert run.out == "view.dao.seats: 2 to 6\n"
    server.expect("ValidateView", wrong)
    assert run("validate", view, "--json") == 1
    assert run.values == [{"violations": [{"field": "view.dao.seats", "description": "2 to 6"}]}]


def test_only_views_are_validated(run: Run, write: Callable[[Message], Path]) -> None:
    assert run("validate", write(started(1))) == 2
    assert "views are what can be validated" in run.err


def test_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    assert run("validate", tmp_path / "none.json") == 2
    assert "none.json can't be read: No such file" in run.err
