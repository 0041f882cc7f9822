"""The program: what it says about access when it starts, on SIGHUP, and to the process list."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from adamas import AccessDenied, Client
from server.access.clients import read_clients
from tests.server.positions import eventually
from tests.server.program import ROOT, program

TOKEN, OTHER = "the-token-of-the-bot-0123456789", "another-token-altogether-0123456"
LIST = f'[[client]]\nname = "bot"\ntoken = "{TOKEN}"\n'


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_secrets_in_the_environment_show_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADAMAS_TOKENS", LIST)
    with program("--log-level", "debug") as running:
        address = running.line("serving")["address"]
        with Client(address, token=TOKEN) as client:
            assert client.games()
        with Client(address, token=OTHER) as client, pytest.raises(AccessDenied):
            client.games()
        if sys.platform == "linux":
            arguments = Path(f"/proc/{running.process.pid}/cmdline").read_text("utf-8")
            assert TOKEN not in arguments
        eventually(lambda: len([line for line in running.lines if line["event"] == "call"]) == 2)
        assert running.stop() == 0
    said = f"{running.lines}{running.other}"
    assert "UNAUTHENTICATED" in said
    assert TOKEN not in said
    assert OTHER not in said


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
def test_a_hangup_reads_the_list_again(tmp_path: Path) -> None:
    file = tmp_path / "tokens.toml"
    file.write_text(LIST)
    with program("--tokens-file", str(file)) as running:
        with Client(running.line("serving")["address"], token=TOKEN) as client:
            assert client.games()
            stat = file.stat()
            file.write_text(LIST.replace(TOKEN, OTHER))
            os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            running.process.send_signal(signal.SIGHUP)
            running.line("clients reloaded")
            with pytest.raises(AccessDenied):
                client.games()
        assert running.stop() == 0


def test_an_exposed_server_does_not_start() -> None:
    done = run("server", "--host", "0.0.0.0", "--port", "0")  # noqa: S104
    assert done.returncode == 2
    assert "--insecure-no-tls" in done.stderr
    assert "--insecure-no-auth" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_exposed_server_starts_with_waivers() -> None:
    flags = ["--host", "0.0.0.0", "--insecure-no-tls", "--insecure-no-auth"]  # noqa: S104
    with program(*flags) as running:
        listening = running.line("listening")
        assert (listening["tls"], listening["authentication"]) == (False, False)
        assert running.stop() == 0


@pytest.mark.parametrize(
    ("flags", "code", "told"),
    [
        (["--tokens-file", os.devnull], 2, f"{os.devnull}: client: Field required"),
        (["--tls-cert", "missing", "--tls-key", "missing"], 1, "can't read missing"),
    ],
)
def test_files_that_can_not_be_used_are_told_plainly(
    flags: list[str], code: int, told: str
) -> None:
    done = run("server", "--port", "0", *flags)
    assert done.returncode == code
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_token_is_made_by_a_command() -> None:
    done = run("server.access", "bot", "--calls-per-minute", "60", "--calls-at-once", "4")
    token = done.stderr.strip()
    assert token not in done.stdout
    assert tomllib.loads(done.stdout)["client"][0]["calls_at_once"] == 4
    client = read_clients(done.stdout, "tokens").with_token(token)
    assert client is not None
    assert (client.name, client.calls_per_minute) == ("bot", 60)
    wrong = run("server.access", "a name")
    assert wrong.returncode == 2
    assert "Traceback" not in wrong.stderr
