"""The TypeScript client in Node and in a browser, against a real server, and as it is published."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.languages.toolchains import CLIENTS, fetch, need, need_version, run
from tests.server.positions import eventually
from tests.server.web.browser import found_by_page
from tests.server.web.conftest import Web, web_server

pytestmark = pytest.mark.slow  # installs packages
TYPESCRIPT = CLIENTS / "typescript"

PROGRAM = """\
import { connect } from "adamas-client/node";
import { connect as connectWeb } from "adamas-client/web";
import { RulesService } from "adamas-client/v1";

using overGrpc = connect(process.argv[2]!);
const overConnect = connectWeb(process.argv[3]!);
for (const client of [overGrpc, overConnect]) {
  const { games } = await client.rules.listGames({});
  console.log(`${games.length} games of ${RulesService.typeName}`);
}
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Web]:
    # A wide margin, as tests run on busy machines.
    with web_server(max_time=60.0, deadline_margin_ms=300) as found:
        yield found


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """The package, with its message code."""
    need("npm", "buf")
    need_version("node", 20)
    fetch(["npm", "ci", "--no-fund", "--no-audit"], TYPESCRIPT)
    run(["npm", "run", "generate"], TYPESCRIPT)
    run(["npm", "run", "build"], TYPESCRIPT)


def test_its_own_tests_and_the_vectors_pass(server: Web) -> None:
    printed = run(["npm", "test"], TYPESCRIPT, ADAMAS_TARGET=server.address)
    assert "conformance: recommend-dao-en" in printed
    assert "# fail 0" in printed


def test_the_example_gives_a_hint(server: Web) -> None:
    printed = run(["node", "dist/example/hint.js", server.address], TYPESCRIPT)
    assert "1. " in printed
    assert " visits" in printed
    assert "Seat " in printed.splitlines()[-1]


def cancelled(server: Web, method: str) -> int:
    """How many calls of a method the server has seen going away."""
    name = f"/adamas.v1.AdvisorService/{method}"
    return len(server.log.lines(event="call", code="CANCELLED", method=name))


def bundled(source: str) -> str:
    """A script with all that it imports, for a browser."""
    return run(
        ["node_modules/.bin/esbuild", source, "--bundle", "--format=esm", "--target=es2022"],
        TYPESCRIPT,
    )


def test_it_works_in_a_browser(server: Web) -> None:
    found = found_by_page(bundled("test/browser.ts"), f"server={server.url}")
    assert set(found) == {"connect", "connect with json", "grpc-web"}
    for result in found.values():
        assert isinstance(result, dict), result
        assert result["words"]
        assert len(result["iterations"]) > 1
        assert result["iterations"] == sorted(result["iterations"])
        assert result["finals"] == [False] * (len(result["finals"]) - 1) + [True]
        code, (violation,) = result["refused"]
        assert code == "InvalidArgument"
        assert violation["field"] == "query.candidates"
        assert result["aborted"] == "Canceled"
        assert result["seen"] == 2
        assert result["hurried"] == "DEADLINE"
    # Two searches of each are stopped: one is aborted, the loop of the other is left.
    # On a busy machine one that is aborted may not even have arrived.
    eventually(lambda: cancelled(server, "Analyze") == len(found), 120)
    eventually(lambda: cancelled(server, "Recommend"), 120)


def test_the_page_of_the_example_is_built() -> None:
    assert "createConnectTransport" in bundled("example/browser/hint.ts")


def test_the_package_is_installed_from_what_is_published(server: Web, tmp_path: Path) -> None:
    """By somebody who has nothing of this repository but the tarball."""
    run(["npm", "pack", "--pack-destination", str(tmp_path)], TYPESCRIPT)
    (tarball,) = tmp_path.glob("adamas-client-*.tgz")
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    (tmp_path / "program.ts").write_text(PROGRAM, "utf-8")
    library = "ES2023,ESNext.Disposable,DOM,DOM.AsyncIterable"
    options = ["--module", "NodeNext", "--target", "ES2022", "--lib", library]
    fetch(["npm", "install", "--no-fund", "--no-audit", str(tarball)], tmp_path)
    fetch(["npm", "install", "--no-fund", "--no-audit", "typescript@7", "@types/node@20"], tmp_path)
    run(["npx", "tsc", *options, "--strict", "--types", "node", "program.ts"], tmp_path)
    printed = run(["node", "program.js", server.address, server.url], tmp_path)
    assert printed == "4 games of adamas.v1.RulesService\n" * 2
