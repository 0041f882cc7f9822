"""The program as a process: signals, ports, TLS, and the same answers from two of them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import grpc
import psutil
import pytest
from google.protobuf.duration_pb2 import Duration
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from tests.server.positions import NARROW, eventually, limits, query, without_time
from tests.server.program import ROOT, ServerProcess, program

SERVING = health_pb2.HealthCheckResponse.SERVING


def test_two_processes_give_the_same_answer() -> None:
    answers = []
    with program() as one, program("--no-reflection") as other:
        for running in (one, other):
            with running.channel() as channel:
                asked = query(RulesServiceStub(channel), "dao", limits=limits(3000), seed=17)
                advisor = AdvisorServiceStub(channel)
                answers.append(advisor.Recommend(pb.RecommendRequest(query=asked)).advice)
                assert has_reflection(channel) == (running is one)
        assert one.stop(signal.SIGINT) == 0
        assert other.stop(signal.SIGTERM) == 0
    assert without_time(answers[0]) == without_time(answers[1])


def has_reflection(channel: grpc.Channel) -> bool:
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    try:
        (response,) = stub.ServerReflectionInfo(iter([request]))
    except grpc.RpcError as error:
        return error.code() != grpc.StatusCode.UNIMPLEMENTED
    listed = {service.name for service in response.list_services_response.service}
    assert {"adamas.v1.AdvisorService", "adamas.v1.RulesService"} <= listed
    return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_answers_the_calls_that_run(number: int) -> None:
    with program("--drain", "10") as running:
        with running.channel() as channel:
            health = HealthStub(channel)
            watch = health.Watch(health_pb2.HealthCheckRequest(service="adamas.v1.AdvisorService"))
            assert next(watch).status == SERVING
            asked = query(RulesServiceStub(channel), "dao", limits=limits(time=60))
            advisor = AdvisorServiceStub(channel)
            calls = [advisor.Recommend.future(pb.RecommendRequest(query=asked)) for _ in range(3)]
            stream = advisor.Analyze(pb.AnalyzeRequest(query=asked))
            assert not next(stream).final
            running.process.send_signal(number)
            for call in calls:
                advice = call.result(15).advice
                assert advice.search.stop_reason == pb.STOP_REASON_SHUTDOWN
                assert advice.search.iterations > 0
                assert advice.best_move.HasField("dao")
            *_, last = stream
            assert last.final
            assert last.advice.search.stop_reason == pb.STOP_REASON_SHUTDOWN
            assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
            watch.cancel()
        assert running.process.wait(15) == 0
        assert not running.other, "something was printed besides log lines"


def test_a_stop_that_lingers_serves_on_while_the_health_check_sends_clients_away() -> None:
    with program("--linger", "2") as running, running.channel() as channel:
        asked = query(RulesServiceStub(channel), "dao", limits=limits(100))
        watch = HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert next(watch).status == SERVING
        running.process.send_signal(signal.SIGTERM)
        assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
        advice = AdvisorServiceStub(channel).Recommend(pb.RecommendRequest(query=asked)).advice
        assert advice.search.stop_reason == pb.STOP_REASON_ITERATIONS
        assert running.process.wait(15) == 0


def test_watchers_of_the_health_check_do_not_hold_up_a_stop() -> None:
    with program("--drain", "60") as running, running.channel() as channel:
        watch = HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert next(watch).status == SERVING
        assert running.stop() == 0
        assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING


def test_a_second_signal_ends_at_once() -> None:
    with program("--drain", "60") as running, running.channel(NARROW) as channel:
        # A stream that nobody reads keeps the server from being done.
        asked = query(RulesServiceStub(channel), "dao", limits=limits(time=60))
        request = pb.AnalyzeRequest(query=asked, update_interval=Duration(nanos=20_000_000))
        stream = AdvisorServiceStub(channel).Analyze(request)
        assert not next(stream).final
        time.sleep(1.0)
        running.process.send_signal(signal.SIGTERM)
        running.line("stopping")
        time.sleep(0.5)
        assert running.process.poll() is None
        assert running.stop(signal.SIGTERM) == 128 + signal.SIGTERM
        stream.cancel()


def test_a_stop_while_the_rules_are_loaded() -> None:
    running = ServerProcess("--threads", "2")
    try:
        running.line("listening")
        assert running.stop() == 0
        assert not running.other
    finally:
        running.kill()


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_a_server_that_ends_while_the_rules_are_compiled_takes_the_compilers_with_it(
    number: int, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADAMAS_CACHE_DIR", str(tmp_path))
    running = ServerProcess("--threads", "2")
    compilers: list[psutil.Process] = []
    try:
        running.line("listening")
        compilers = eventually(lambda: compilers_of(running.process.pid))
        for compiler in compilers:
            compiler.suspend()  # they would never be done
        assert running.stop(number) == code
        assert not running.other
        gone, _ = psutil.wait_procs(compilers, timeout=10)
        assert len(gone) == len(compilers)
    finally:
        running.kill()
        for compiler in compilers:
            with suppress(psutil.NoSuchProcess):
                compiler.kill()


def compilers_of(server: int) -> list[psutil.Process]:
    """The processes below a server that compile a game."""
    found = []
    for process in psutil.Process(server).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if any("rehearse" in argument for argument in process.cmdline()):
                found.append(process)
    return found


def test_compiled_code_that_can_not_be_kept_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("ADAMAS_CACHE_DIR", str(file))
    done = subprocess.run(
        [sys.executable, "-m", "server", "--port", "0", "--log-level", "error"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "ADAMAS_CACHE_DIR" in line


def test_whoever_interrupts_an_embedded_server_that_starts_leaves_nothing_running() -> None:
    program = """if True:
        import os, signal, threading, psutil
        from server.embedded import embedded_server
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            with embedded_server():
                signal.pause()
        except KeyboardInterrupt:
            print(psutil.Process().children(recursive=True))
    """
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_port_in_use_is_told_plainly(host: str) -> None:
    """Also if it is free at another address that the host's name stands for."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "server", "--host", host, "--port", port],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 1
    assert f"{host}:{port}" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_cache_that_can_not_be_written_is_all_that_is_told() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "server", "--port", "0"],
        cwd=ROOT,
        env={**os.environ, "ADAMAS_CACHE_DIR": "/proc/adamas"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 1
    (told,) = done.stderr.splitlines()
    assert told.startswith("adamas-server: ")
    assert "ADAMAS_CACHE_DIR" in told
