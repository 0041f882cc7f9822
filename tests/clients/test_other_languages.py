"""The examples in other languages, run against the scripted server."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest, PreconditionFailure, RetryInfo

from adamas.v1 import advisor_service_pb2 as advisor
from adamas.v1 import rules_service_pb2 as rules
from tests.clients.fake_server import Code, Failure, FakeServer
from tests.clients.messages import (
    TAKE,
    VIEW,
    advice,
    applied,
    recommendation,
    seen,
    started,
    update,
)

ROOT = Path(__file__).resolve().parents[2]
JAVASCRIPT = ROOT / "clients" / "javascript"


def prepare(command: list[str], folder: Path, seconds: float) -> None:
    """Run a step that may need the network; where it fails, the test is skipped."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    try:
        done = subprocess.run(
            command,
            check=False,
            cwd=folder,
            timeout=seconds,
            capture_output=True,
            text=True,
            env=os.environ | {"PATH": path},
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"`{' '.join(command)}` took more than {seconds:g} s; no network?")
    if done.returncode:
        pytest.skip(f"`{' '.join(command)}` failed; no network? {done.stderr.strip()[-300:]}")


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, check=False, cwd=folder, timeout=60, capture_output=True, text=True
    )


REFUSALS = [
    (
        Failure(
            Code.INVALID_ARGUMENT,
            "the request is invalid",
            (
                BadRequest(
                    field_violations=[
                        BadRequest.FieldViolation(
                            field="query.view.dao.seats", description="has to be 2 to 6, not 9"
                        )
                    ]
                ),
            ),
        ),
        "query.view.dao.seats: has to be 2 to 6, not 9",
    ),
    (
        Failure(
            Code.RESOURCE_EXHAUSTED,
            "too much to do",
            (RetryInfo(retry_delay=Duration(seconds=1, nanos=500_000_000)),),
        ),
        "try again in 1.5",
    ),
    (
        Failure(
            Code.FAILED_PRECONDITION,
            "this position has crashed its search",
            (
                PreconditionFailure(
                    violations=[
                        PreconditionFailure.Violation(
                            type="CRASH", subject="query", description="is not searched again"
                        )
                    ]
                ),
            ),
        ),
        "query: is not searched again",
    ),
    (Failure(Code.INTERNAL, "no details at all"), "no details at all"),
]
"""Ways to be refused, and what people should read then."""


def check_refusal(server: FakeServer, command: list[str], folder: Path, said: Failure) -> str:
    """What an example prints that is refused."""
    server.expect("ListGames", said)
    done = run([*command, server.target], folder)
    assert done.returncode == 1
    assert said.text in done.stderr
    return done.stderr


def answer_backwards(requests: Iterator[Any]) -> Iterator[advisor.RecommendBatchResponse]:
    """Three searches, the last one answered first, one with an error."""
    first, second, third = (next(requests).recommend.request_id for _ in range(3))
    yield advisor.RecommendBatchResponse(request_id=third, advice=advice())
    yield advisor.RecommendBatchResponse(
        request_id=second, error=advisor.SearchError(code=8, message="no room")
    )
    yield advisor.RecommendBatchResponse(request_id=first, advice=advice())
    assert next(requests, None) is None


def check(server: FakeServer, command: list[str], folder: Path) -> None:
    """What an example sends, and that what it shows is what the server answered."""
    game = rules.GameSummary(game_id="dao", name="Dodekka")
    server.expect("ListGames", rules.ListGamesResponse(games=[game]))
    start = server.expect("StartGame", started(1))
    view = server.expect("GetPlayerView", seen())
    recommend = server.expect("Recommend", recommendation())
    batch = server.expect_stream("RecommendBatch", answer_backwards)
    analyze = server.expect("Analyze", update(10), update(30, final=True))
    apply = server.expect("ApplyMove", applied(0))
    done = run([*command, server.target], folder)
    assert done.returncode == 0, done.stderr
    for shown in (
        "Dodekka",
        "takes Fire 3",
        "It is worth 3 points.",
        "62.5 %",
        "100 iterations",
        "100 iterations: takes Fire 3\n1000 iterations: no room\n10000 iterations: takes Fire 3",
        "30 visits",
        "Seat 1 takes Fire 3.",
    ):
        assert shown in done.stdout
    assert start.request.options.WhichOneof("game") == "dao"
    assert view.request.seat == 1
    assert recommend.request.query.view.dao == VIEW
    assert recommend.request.query.limits.time.ToMilliseconds() == 500
    assert recommend.seconds_left is not None
    assert recommend.seconds_left < 60
    asked = [request.recommend.query for request in batch.request]
    assert [query.limits.iterations for query in asked] == [10000, 1000, 100]
    assert all(query.view.dao == VIEW for query in asked)
    assert batch.seconds_left is not None
    assert batch.seconds_left < 60
    assert analyze.request.query.view.dao == VIEW
    assert apply.request.move.dao == TAKE
    assert apply.request.seat == 1


@pytest.fixture(scope="module")
def javascript() -> list[str]:
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("Node.js is not installed")
    if not (JAVASCRIPT / "node_modules" / ".package-lock.json").is_file():
        quick = ["--fetch-retries=0", "--prefer-offline", "--no-audit", "--no-fund"]
        prepare(["npm", "ci", "--ignore-scripts", *quick], JAVASCRIPT, 60)
    return ["node", "advisor.js"]


def test_javascript(javascript: list[str], server: FakeServer) -> None:
    check(server, javascript, JAVASCRIPT)


def test_javascript_without_a_server(javascript: list[str]) -> None:
    done = run([*javascript, "127.0.0.1:1"], JAVASCRIPT)
    assert done.returncode == 1
    assert "UNAVAILABLE" in done.stderr


@pytest.mark.parametrize(("refusal", "shown"), REFUSALS)
def test_javascript_refused(
    javascript: list[str], server: FakeServer, refusal: Failure, shown: str
) -> None:
    assert shown in check_refusal(server, javascript, JAVASCRIPT, refusal)


SNIPPET = """
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { explain } from "./errors.js";
const protos = ["adamas/v1/advisor_service.proto"];
const options = { includeDirs: ["../../protos"], longs: String, enums: String, defaults: true };
const { adamas } = grpc.loadPackageDefinition(loadSync(protos, options));
const credentials = grpc.credentials.createInsecure();
const advisor = new adamas.v1.AdvisorService(process.argv.at(-1), credentials);
const view = { dao: { seats: 9 } };
"""


def run_snippet(server: FakeServer) -> subprocess.CompletedProcess[str]:
    """The program that the README of the whole repository shows."""
    (shown,) = re.findall(r"```js\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    program = [SNIPPET + shown, "--", server.target]
    return run(["node", "--input-type=module", "--eval", *program], JAVASCRIPT)


def test_the_snippet_of_the_readme(javascript: list[str], server: FakeServer) -> None:
    server.expect("Recommend", recommendation())
    done = run_snippet(server)
    assert (done.stdout, done.stderr) == ("takes Fire 3 - It is worth 3 points.\n", "")


def test_the_snippet_of_the_readme_refused(javascript: list[str], server: FakeServer) -> None:
    refusal, shown = REFUSALS[0]
    server.expect("Recommend", refusal)
    done = run_snippet(server)
    assert (done.returncode, done.stdout) == (0, "")
    assert shown in done.stderr
