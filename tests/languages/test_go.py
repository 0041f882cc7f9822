"""The Go client: its own tests against a real server, its example, its module as published."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.toolchains import CLIENTS, ROOT, fetch, need, need_version, run
from tools import pack_go

pytestmark = pytest.mark.slow  # compiles gRPC the first time
GO = CLIENTS / "go"

PROGRAM = """\
package main

import (
	"context"
	"fmt"
	"os"

	"adamas.example/adamas"
	"adamas.example/adamas/adamasv1"
)

func main() {
	client, err := adamas.New(os.Args[1])
	if err != nil {
		panic(err)
	}
	games, err := client.Rules.ListGames(context.Background(), &adamasv1.ListGamesRequest{})
	if err != nil {
		panic(err)
	}
	fmt.Println(len(games.Games), "games")
}
"""


@pytest.fixture(scope="module", autouse=True)
def generated() -> None:
    """The message code."""
    need("buf")
    need_version("go", 1, 21)  # fetches the one that go.mod names
    fetch(["go", "mod", "download"], GO)
    fetch(["go", "generate", "./..."], GO)


def test_its_own_tests_and_the_vectors_pass(address: str) -> None:
    assert run(["gofmt", "-l", "."], GO) == ""
    run(["go", "vet", "./..."], GO)
    printed = run(["go", "test", "-count=1", "-v", "./..."], GO, ADAMAS_TARGET=address)
    assert "--- PASS: TestAnswersAreThoseOfAllClients/recommend-dao-en" in printed
    assert "--- SKIP" not in printed


def test_the_example_gives_a_hint(address: str) -> None:
    printed = run(["go", "run", "./example/hint", address], GO)
    assert "1. " in printed
    assert " visits" in printed
    assert "Seat " in printed.splitlines()[-1]


def test_the_module_is_installed_from_what_is_published(address: str, tmp_path: Path) -> None:
    """By somebody who has nothing of this repository but the packed module."""
    proxy, program = tmp_path / "proxy", tmp_path / "program"
    pack_go.pack(GO, ROOT / "LICENSE", proxy)
    program.mkdir()
    (program / "main.go").write_text(PROGRAM, "utf-8")
    elsewhere = run(["go", "env", "GOPROXY"], GO).strip()
    settings = {
        "GOPROXY": f"{proxy.as_uri()},{elsewhere}",
        "GONOSUMDB": "adamas.example",
        "GOFLAGS": "-modcacherw",
        "GOMODCACHE": str(tmp_path / "modules"),
    }
    run(["go", "mod", "init", "example.com/program"], program, **settings)
    run(["go", "get", f"{pack_go.MODULE}@{pack_go.VERSION}"], program, **settings)
    assert run(["go", "run", ".", address], program, **settings) == "4 games\n"
