"""Flags, environment, defaults."""

from __future__ import annotations

import pytest

from server.settings import Settings, read_settings


def test_flags_win_over_the_environment_over_defaults() -> None:
    environment = {"ADAMAS_PORT": "1234", "ADAMAS_TREES": "3"}
    settings = read_settings(["--port", "0"], environment)
    assert (settings.port, settings.trees, settings.host) == (0, 3, "127.0.0.1")


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
def test_switches(arguments: list[str], environment: dict[str, str], expected: bool) -> None:
    assert read_settings(arguments, environment).reflection is expected


@pytest.mark.parametrize(
    ("arguments", "environment", "told"),
    [
        (["--port", "70000"], {}, "port"),
        (["--threads", "0"], {}, "threads"),
        (["--trees", "65"], {}, "trees"),
        (["--max-time", "nan"], {}, "max_time"),
        (["--max-memory-mib", "16"], {}, "max_memory_mib"),
        (["--tls-cert", "chain.pem"], {}, "tls_key"),
        (["--log-format", "xml"], {}, "--log-format"),
        ([], {"ADAMAS_LOG_FORMAT": "xml"}, "log_format"),
        ([], {"ADAMAS_PORT": "many"}, "port"),
        ([], {"ADAMAS_REFLECTION": "maybe"}, "ADAMAS_REFLECTION"),
    ],
)
def test_nonsense_ends_with_a_message(
    arguments: list[str],
    environment: dict[str, str],
    told: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as caught:
        read_settings(arguments, environment)
    assert caught.value.code == 2
    assert told in capsys.readouterr().err


def test_memory_bounds_the_number_of_searches() -> None:
    settings = Settings(search_memory_mib=100, max_memory_mib=350, max_searches=64)
    assert settings.concurrent_searches == 3
