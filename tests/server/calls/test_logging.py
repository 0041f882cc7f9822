"""One line a call, with nothing hidden in it."""

from __future__ import annotations

import io
import threading

import pytest

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import rules_service_pb2 as rules_pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from server.log import LineWriter, make_logger
from tests.server.positions import Memory, eventually, failure, limits, query, view_query


def test_a_search_is_one_line(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, log: Memory
) -> None:
    asked = query(rules, "dao", limits=limits(321))
    advisor.Recommend(pb.RecommendRequest(query=asked, request_id="logged"))
    (line,) = eventually(lambda: log.lines(request_id="logged"))
    wanted = {
        "event": "call",
        "method": "/adamas.v1.AdvisorService/Recommend",
        "code": "OK",
        "game": "dao",
        "seat": asked.state.seat,
        "iterations": 321,
        "stop_reason": "iterations",
    }
    assert wanted.items() <= line.items()
    assert line["elapsed_ms"] > 0
    assert line["peer"].startswith("ipv4:127.0.0.1:")


def test_a_refused_call_is_one_line(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, log: Memory
) -> None:
    asked = view_query(rules, "dao")
    asked.view.dao.row[0].value = 9
    failure(lambda: advisor.Recommend(pb.RecommendRequest(query=asked, request_id="refused")))
    (line,) = eventually(lambda: log.lines(request_id="refused"))
    assert line["code"] == "INVALID_ARGUMENT"
    assert line["field"] == "query.view.dao.row[0].value"


def test_no_state_is_ever_logged(
    rules: RulesServiceStub, advisor: AdvisorServiceStub, log: Memory, game_id: str
) -> None:
    """The fields of a line are a closed list, none of which holds cards."""
    asked = query(rules, game_id, limits=limits(50))
    advisor.Recommend(pb.RecommendRequest(query=asked, request_id=f"fields {game_id}"))
    rules.ListLegalMoves(rules_pb.ListLegalMovesRequest(state=asked.state.state))
    eventually(lambda: log.lines(request_id=f"fields {game_id}"))
    known = {
        "bytes", "client", "code", "elapsed_ms", "event", "field", "fingerprint", "game",
        "incident", "iterations", "level", "method", "nodes", "peer", "player", "reason",
        "request_id", "seat", "stop_reason", "timestamp", "violations",
    }  # fmt: skip
    for line in log.lines(event="call"):
        assert line.keys() <= known


def test_a_failure_inside_is_an_incident_without_details(
    rules: RulesServiceStub, log: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("the secret of the deck")

    monkeypatch.setattr("server.services.catalogue.summary", fail)
    failed = failure(lambda: rules.ListGames(rules_pb.ListGamesRequest()))
    assert failed.code.name == "INTERNAL"
    assert "secret" not in failed.message
    incident = failed.info.metadata["incident"]
    assert incident in failed.message
    (line,) = eventually(lambda: log.lines(event="incident", incident=incident))
    assert "the secret of the deck" in line["exception"]


def test_a_stalled_reader_of_the_log_holds_up_nobody() -> None:
    class Stalled(io.StringIO):
        def __init__(self) -> None:
            super().__init__()
            self.go_on = threading.Event()

        def write(self, text: str) -> int:
            self.go_on.wait(10)
            return super().write(text)

    stream = Stalled()
    writer = LineWriter(stream)
    logger = make_logger(writer, "json", "info")
    for number in range(20_100):
        logger.info("line", number=number)
    stream.go_on.set()
    writer.close(timeout=10)
    assert "log lines dropped" in stream.getvalue()
    assert '"number": 0' in stream.getvalue()


def test_console_lines_and_levels() -> None:
    stream = io.StringIO()
    writer = LineWriter(stream)
    logger = make_logger(writer, "console", "warning")
    logger.info("unheard")
    logger.warning("heard", count=3)
    writer.close()
    assert "heard" in stream.getvalue()
    assert "count" in stream.getvalue()
    assert "unheard" not in stream.getvalue()


def test_nothing_that_a_client_sends_reaches_a_terminal_as_a_control_sequence() -> None:
    stream = io.StringIO()
    writer = LineWriter(stream)
    make_logger(writer, "console", "info").info("call", request_id="\x1b[2J\x9b2J\x07")
    writer.close()
    assert r"\x1b[2J\x9b2J\x07" in stream.getvalue()
    assert stream.getvalue().rstrip("\n").isprintable()
