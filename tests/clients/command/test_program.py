"""The command line as a whole."""

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

import adamas.command
from adamas.command import make_parser
from adamas.v1 import rules_service_pb2 as rules
from tests.clients.command.scripts import SUMMARY, Run
from tests.clients.fake_server import FakeServer
from tests.clients.messages import recommendation


def subcommands() -> list[str]:
    (action,) = (
        action
        for action in make_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return sorted(action.choices)


@pytest.mark.parametrize("name", subcommands())
def test_every_command_has_help(name: str, run: Run) -> None:
    assert run(name, "--help") == 0
    assert f"usage: adamas {name}" in run.out


@pytest.mark.parametrize("name", sorted(adamas.command.OWN.keys() - {"completion"}))
def test_every_command_of_ours_can_print_json(name: str, run: Run) -> None:
    assert run(name, "--help") == 0
    assert "--json" in run.out


def test_a_terminal_that_knows_few_letters(view: Path, server: FakeServer) -> None:
    answer = recommendation()
    answer.advice.candidates[0].words = "拿取火 3"
    for flags, shown in ([], "1. ??? 3"), (["--json"], "\\u62ff\\u53d6\\u706b 3"):
        server.expect("Recommend", answer)
        done = subprocess.run(
            [sys.executable, "-m", "adamas", "hint", view, "--server", server.target, *flags],
            check=True,
            capture_output=True,
            text=True,
            env={"PYTHONIOENCODING": "ascii", "PATH": ""},
            timeout=60,
        )
        assert shown in done.stdout


def test_who_reads_may_have_seen_enough(server: FakeServer) -> None:
    server.expect("ListGames", rules.ListGamesResponse(games=[SUMMARY]))
    command = f"{sys.executable} -m adamas games --server {server.target} | true"
    done = subprocess.run(
        ["bash", "-c", command], check=True, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
