"""Flags, environment, settings file, defaults."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from server.settings import Settings, read_settings

SECRET = "never-to-be-told-0123456789"  # noqa: S105
REACHABLE = ["--host", "0.0.0.0"]  # noqa: S104
TLS = ["--tls-cert", "chain.pem", "--tls-key", "key.pem"]


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in tuple(os.environ):
        if name.startswith("ADAMAS_") and name != "ADAMAS_CACHE_DIR":
            monkeypatch.delenv(name)


def refusal(
    arguments: list[str],
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> str:
    """What is said about settings that make no sense."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as caught:
        read_settings(arguments)
    assert caught.value.code == 2
    said = capsys.readouterr()
    assert not said.out
    assert "Traceback" not in said.err
    return said.err


def test_flags_win_over_the_environment_over_a_file_over_defaults(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("port = 1\ntrees = 1\nmax_time = 12\nreflection = false\n")
    monkeypatch.setenv("ADAMAS_PORT", "1234")
    monkeypatch.setenv("ADAMAS_TREES", "3")
    settings = read_settings(["--port", "0", "--settings-file", str(file)])
    assert (settings.port, settings.trees, settings.max_time) == (0, 3, 12.0)
    assert (settings.reflection, settings.host) == (False, "127.0.0.1")


def test_the_settings_file_may_be_named_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("port = 17\n")
    monkeypatch.setenv("ADAMAS_SETTINGS_FILE", str(file))
    assert read_settings([]).port == 17
    file.write_text("port = 18\n", encoding="utf-8-sig")  # as editors of Windows do
    assert read_settings([]).port == 18


def test_settings_in_a_program_do_not_read_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ADAMAS_PORT", "1234")
    assert Settings().port == 50051


def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADAMAS_PORT", "")
    monkeypatch.setenv("ADAMAS_METRICS_PORT", "")
    settings = read_settings([])
    assert (settings.port, settings.metrics_port) == (50051, None)


@pytest.mark.parametrize(
    ("arguments", "environment", "expected"),
    [
        ([], {}, True),
        (["--no-reflection"], {}, False),
        ([], {"ADAMAS_REFLECTION": "false"}, False),
        ([], {"ADAMAS_REFLECTION": "1"}, True),
        (["--reflection"], {"ADAMAS_REFLECTION": "no"}, True),
    ],
)
def test_switches(
    arguments: list[str],
    environment: dict[str, str],
    expected: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert read_settings(arguments).reflection is expected


@pytest.mark.parametrize(
    ("arguments", "environment", "told"),
    [
        (["--port", "70000"], {}, "port is 70000; use 0 to 65535 (--port or ADAMAS_PORT)"),
        (["--threads", "0"], {}, "threads is 0; use 1 to 1024"),
        (["--trees", "65"], {}, "trees is 65; use 1 to 64"),
        (["--max-time", "nan"], {}, "max_time is nan; use 0.001 to 86400"),
        (["--max-memory-mib", "16"], {}, "max_memory_mib must be at least search_memory_mib"),
        (["--tls-cert", "chain.pem"], {}, "tls_cert and tls_key go together"),
        (["--tls-client-ca", "ca.pem"], {}, "tls_client_ca needs TLS"),
        (["--tokens-file", "a"], {"ADAMAS_TOKENS": SECRET}, "give one of them"),
        (["--log-format", "xml"], {}, "use json or console (--log-format or ADAMAS_LOG_FORMAT)"),
        ([], {"ADAMAS_LOG_FORMAT": "xml"}, "log_format is xml"),
        ([], {"ADAMAS_PORT": "many"}, "port is many; use 0 to 65535"),
        ([], {"ADAMAS_REFLECTION": "maybe"}, "use true or false (--reflection or ADAMAS_REFL"),
        (["--nonsense"], {}, "there is no flag --nonsense; --help lists the flags"),
        (["--settings-file"], {}, "adamas-server: error: argument --settings-file: expected one"),
        (["--settings-file", "missing.toml"], {}, "there is no file missing.toml"),
    ],
)
def test_nonsense_ends_with_a_message(
    arguments: list[str],
    environment: dict[str, str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = refusal(arguments, environment, monkeypatch, capsys)
    assert told in said
    assert SECRET not in said


def test_several_mistakes_are_told_together(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(["--port", "x", "--trees", "0"], {}, monkeypatch, capsys)
    assert "port is x" in said
    assert "trees is 0" in said


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ports = 3", "ports: there is no such setting"),
        ("port = [1]", "use 0 to 65535"),
        ("port = ", "settings.toml"),
        ("port = " + "[" * 5000, "settings.toml has brackets nested too deeply"),
        ("host = '\udcff'", "settings.toml is no text in UTF-8"),
    ],
)
def test_mistakes_in_a_settings_file(
    text: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text, "utf-8", "surrogateescape")
    assert told in refusal(["--settings-file", str(file)], {}, monkeypatch, capsys)


@pytest.mark.parametrize("flag", [["--tokens", SECRET], [f"--tokens={SECRET}"]])
def test_tokens_are_no_flag(
    flag: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(flag, {}, monkeypatch, capsys)
    assert "ADAMAS_TOKENS" in said
    assert SECRET not in said


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--token", SECRET], "there is no flag --token; is --tokens-file meant?"),
        ([f"--token={SECRET}"], "there is no flag --token; is --tokens-file meant?"),
        (["--token", f"-{SECRET}"], "there is no flag --token; is --tokens-file meant?"),
        (["--Tokens", SECRET], "there is no flag --Tokens; is --tokens-file meant?"),
        (["--secret", SECRET], "there is no flag --secret"),
        (["--no-reflectio", SECRET], "is --no-reflection meant?"),
        (["--port", "1", SECRET], "an argument belongs to no flag"),
        ([f"-t{SECRET}"], "flags begin with two dashes"),
        (["--", SECRET], "an argument belongs to no flag"),
    ],
)
def test_flags_that_there_are_not_are_told_without_their_values(
    arguments: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = refusal(arguments, {}, monkeypatch, capsys)
    assert told in said
    assert SECRET not in said


def test_help_does_not_offer_to_take_tokens(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        read_settings(["--help"])
    assert caught.value.code == 0
    words = capsys.readouterr().out.split()
    assert "--tokens-file" in words
    assert "--tokens" not in words


def test_a_secret_is_in_no_representation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADAMAS_TOKENS", SECRET)
    settings = read_settings([])
    assert settings.tokens.get_secret_value() == SECRET
    for shown in (repr(settings), str(settings), settings.model_dump_json()):
        assert SECRET not in shown


@pytest.mark.parametrize(
    ("flags", "missing"),
    [
        ([], {"--tls-cert", "--insecure-no-tls", "--tokens-file", "--insecure-no-auth"}),
        (TLS, {"--tokens-file", "--insecure-no-auth"}),
        (["--insecure-no-tls"], {"--tokens-file", "--insecure-no-auth"}),
        (["--tokens-file", "tokens.toml"], {"--tls-cert", "--insecure-no-tls"}),
        (["--insecure-no-auth"], {"--tls-cert", "--insecure-no-tls"}),
    ],
)
def test_a_server_that_others_can_reach_says_what_it_needs_and_how_to_waive_it(
    flags: list[str],
    missing: set[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = refusal([*REACHABLE, *flags], {}, monkeypatch, capsys)
    every = {"--tls-cert", "--insecure-no-tls", "--tokens-file", "--insecure-no-auth"}
    assert {flag for flag in every if flag in said} == missing


@pytest.mark.parametrize(
    "flags",
    [
        [*REACHABLE, *TLS, "--tokens-file", "tokens.toml"],
        [*REACHABLE, *TLS, "--tls-client-ca", "ca.pem"],
        [*REACHABLE, *TLS, "--insecure-no-auth"],
        [*REACHABLE, "--insecure-no-tls", "--tokens-file", "tokens.toml"],
        [*REACHABLE, "--insecure-no-tls", "--insecure-no-auth"],
    ],
)
def test_what_is_there_or_waived_is_enough(flags: list[str]) -> None:
    assert read_settings(flags).host == "0.0.0.0"  # noqa: S104


@pytest.mark.parametrize(
    ("host", "reachable"),
    [
        ("127.0.0.1", False),
        ("127.8.9.10", False),
        ("::1", False),
        ("[::1]", False),
        ("localhost", False),
        ("0.0.0.0", True),  # noqa: S104
        ("::", True),
        ("192.168.1.2", True),
        ("example.org", True),
        ("localhost.example.org", True),
        ("", True),
    ],
)
def test_which_addresses_others_can_reach(host: str, reachable: bool) -> None:
    if reachable:
        with pytest.raises(ValueError, match="insecure-no-tls"):
            Settings(host=host)
    else:
        assert Settings(host=host).host == host


def test_memory_bounds_the_number_of_searches() -> None:
    settings = Settings(search_memory_mib=100, max_memory_mib=350, max_searches=64)
    assert settings.concurrent_searches == 3
    assert settings.search_memory_bytes == 100 << 20


def test_two_searches_share_the_memory_of_one() -> None:
    """One that somebody waits for may run beside a single background search."""
    settings = Settings(search_memory_mib=100, max_memory_mib=150)
    assert settings.concurrent_searches == 1
    assert settings.search_memory_bytes == 75 << 20


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        read_settings(["--version"])
    assert end.value.code == 0
    assert re.fullmatch(r"adamas-server \d+\.\d+\.\d+\n", capsys.readouterr().out)
