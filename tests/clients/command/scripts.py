"""What the tests of the commands have in common."""

import io
import json
import sys
from typing import Any

import pytest
from google.rpc.error_details_pb2 import BadRequest

import adamas.command
from adamas.v1 import rules_service_pb2 as rules
from tests.clients.fake_server import Code, Failure, FakeServer

SUMMARY = rules.GameSummary(game_id="dao", name="DAO", min_seats=2, max_seats=6)
WRONG = Failure(
    Code.INVALID_ARGUMENT,
    "the request is invalid",
    (
        BadRequest(
            field_violations=[BadRequest.FieldViolation(field="query.seats", description="2 to 6")]
        ),
    ),
)


class Run:
    """Runs the command in this process."""

    def __init__(
        self, server: FakeServer, shown: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch
    ) -> None:
        self._server, self._shown, self._patch = server, shown, patch
        self.out = self.err = ""

    def __call__(self, *arguments: object, stdin: str = "", locale: str = "C") -> int:
        """The exit code; `out` and `err` are what was printed."""
        self._patch.setattr(sys, "stdin", io.StringIO(stdin))
        self._patch.setenv("ADAMAS_SERVER", self._server.target)
        self._patch.setenv("LC_ALL", locale)
        try:
            code = adamas.command.main([str(argument) for argument in arguments])
        except SystemExit as end:  # argparse
            code = int(end.code or 0)
        self.out, self.err = self._shown.readouterr()
        return code

    @property
    def values(self) -> list[Any]:
        """The JSON that was printed, a value a line."""
        return [json.loads(line) for line in self.out.splitlines()]
