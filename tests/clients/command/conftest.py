"""Runs commands against the scripted server."""

from collections.abc import Callable
from pathlib import Path

import pytest
from google.protobuf import json_format
from google.protobuf.message import Message

from adamas.v1.game_pb2 import PlayerView
from tests.clients.command.scripts import Run
from tests.clients.fake_server import FakeServer
from tests.clients.messages import VIEW


@pytest.fixture
def run(
    server: FakeServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    return Run(server, capsys, monkeypatch)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Message], Path]:
    def write(message: Message) -> Path:
        path = tmp_path / f"{message.DESCRIPTOR.name}.json"
        path.write_text(json_format.MessageToJson(message), encoding="utf-8")
        return path

    return write


@pytest.fixture
def view(write: Callable[[Message], Path]) -> Path:
    """A file with a view."""
    return write(PlayerView(dao=VIEW))
