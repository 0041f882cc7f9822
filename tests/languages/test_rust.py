"""The Rust client: its own tests against a real server, its example, its crate as published."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.toolchains import CLIENTS, fetch, need_version, run

pytestmark = pytest.mark.slow  # compiles gRPC the first time
RUST = CLIENTS / "rust"

MANIFEST = """\
[package]
name = "program"
version = "0.1.0"
edition = "2024"

[dependencies]
adamas-client = {{ path = "{crate}" }}
tokio = {{ version = "1", features = ["macros", "rt-multi-thread"] }}
"""
PROGRAM = """\
#[tokio::main]
async fn main() -> Result<(), adamas::Error> {
    let client = adamas::Client::new(std::env::args().nth(1).unwrap())?;
    let games = client.rules().list_games(adamas::v1::ListGamesRequest::default()).await?;
    println!("{} games", games.into_inner().games.len());
    Ok(())
}
"""


@pytest.fixture(scope="module", autouse=True)
def crates() -> None:
    """What it depends on."""
    need_version("cargo", 1, 88)
    fetch(["cargo", "fetch"], RUST)


def test_its_own_tests_and_the_vectors_pass(address: str) -> None:
    run(["cargo", "fmt", "--check"], RUST)
    run(["cargo", "clippy", "--quiet", "--all-targets", "--", "-D", "warnings"], RUST)
    printed = run(["cargo", "test", "--", "--nocapture"], RUST, ADAMAS_TARGET=address)
    assert "passed: recommend-dao-en" in printed


def test_the_example_gives_a_hint(address: str) -> None:
    printed = run(["cargo", "run", "--quiet", "--example", "hint", f"http://{address}"], RUST)
    assert "1. " in printed
    assert " visits" in printed
    assert "Seat " in printed.splitlines()[-1]


def test_the_crate_is_used_from_what_is_published(address: str, tmp_path: Path) -> None:
    """By somebody who has nothing of this repository but the packed crate."""
    run(["cargo", "package", "--quiet", "--no-verify", "--allow-dirty"], RUST)
    run(["tar", "xf", str(RUST / "target/package/adamas-client-0.1.0.crate")], tmp_path)
    program = tmp_path / "program"
    (program / "src").mkdir(parents=True)
    manifest = MANIFEST.format(crate=tmp_path / "adamas-client-0.1.0")
    (program / "Cargo.toml").write_text(manifest, "utf-8")
    (program / "src" / "main.rs").write_text(PROGRAM, "utf-8")
    target = str(RUST / "target")  # what has been compiled need not be compiled again
    printed = run(
        ["cargo", "run", "--quiet", "--", f"http://{address}"], program, CARGO_TARGET_DIR=target
    )
    assert printed == "4 games\n"
