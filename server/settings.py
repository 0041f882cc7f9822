"""What can be set about a server: one dataclass, read from flags and the environment."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

MIB = 1 << 20
TRANSPORT_LIMIT = 4 * MIB
"""Longest message that is received at all; what is too long is refused with a better message."""
ENVIRONMENT_PREFIX = "ADAMAS_"


def _default_threads() -> int:
    return max(1, os.cpu_count() or 1)


def _default_workers() -> int:
    return min(8, 2 * _default_threads())


def _default_max_memory_mib() -> int:
    """Half of the machine's memory."""
    try:
        pages, page_size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 4096
    return max(256, pages * page_size // 2 // MIB)


def _setting(
    help_: str, default: Any = None, *, factory: Any = None, choices: Sequence[str] = ()
) -> Any:
    metadata = {"help": help_, "choices": choices}
    if factory is not None:
        return field(default_factory=factory, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that can be set. ``max_time`` is the flag --max-time and ADAMAS_MAX_TIME."""

    host: str = _setting("address to listen on", "127.0.0.1")
    port: int = _setting("port to listen on; 0 takes a free one, told in the log", 50051)
    tls_cert: str = _setting("PEM file of the certificate chain; turns TLS on", "")
    tls_key: str = _setting("PEM file of the private key", "")
    reflection: bool = _setting("answer gRPC server reflection", True)
    threads: int = _setting(
        "trees searched at once; one a core is best (default: all cores)", factory=_default_threads
    )
    workers: int = _setting(
        "processes that search; one that dies takes its searches with it, no others "
        "(default: twice the cores, at most 8)",
        factory=_default_workers,
    )
    trees: int = _setting("trees a search grows if the request does not say", 2)
    max_time: float = _setting("longest thinking time a request may ask for, in seconds", 60.0)
    max_searches: int = _setting("searches at once; further ones wait", 64)
    max_waiting: int = _setting("searches that may wait; further ones are refused", 256)
    max_calls: int = _setting("calls at once, of any kind; further ones are refused", 1000)
    max_stream_searches: int = _setting(
        "searches of one RecommendBatch stream at once; further ones are not read yet", 32
    )
    search_memory_mib: int = _setting("memory bound of one search, in MiB", 256)
    max_memory_mib: int = _setting(
        "memory bound of all searches together, in MiB (default: half of the machine's)",
        factory=_default_max_memory_mib,
    )
    max_message_bytes: int = _setting("longest request accepted, in bytes", 256 * 1024)
    deadline_margin_ms: float = _setting(
        "how long before a call's deadline the answer leaves, in milliseconds", 10.0
    )
    drain: float = _setting("how long a stop waits for running calls, in seconds", 5.0)
    log_format: str = _setting("format of log lines", "json", choices=("json", "console"))
    log_level: str = _setting(
        "least level that is logged", "info", choices=("debug", "info", "warning", "error")
    )

    def __post_init__(self) -> None:
        """Raises ValueError, naming the setting, if a value makes no sense."""
        for spec in fields(self):
            choices = spec.metadata["choices"]
            if choices and getattr(self, spec.name) not in choices:
                raise ValueError(f"{spec.name} must be one of {', '.join(choices)}")
        ranges: dict[str, tuple[float, float]] = {
            "port": (0, 65_535),
            "threads": (1, 1024),
            "workers": (1, 1024),
            "trees": (1, 64),
            "max_time": (0.001, 86_400),
            "max_searches": (1, 100_000),
            "max_waiting": (0, 1_000_000),
            "max_calls": (1, 1_000_000),
            "max_stream_searches": (1, 100_000),
            "search_memory_mib": (1, 1 << 20),
            "max_memory_mib": (1, 1 << 24),
            "max_message_bytes": (1024, TRANSPORT_LIMIT),
            "deadline_margin_ms": (0, 60_000),
            "drain": (0, 3600),
        }
        for name, (low, high) in ranges.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise ValueError(f"{name} is {value}; use {low} to {high}")
        if self.max_memory_mib < self.search_memory_mib:
            raise ValueError("max_memory_mib must be at least search_memory_mib")
        if bool(self.tls_cert) != bool(self.tls_key):
            raise ValueError("tls_cert and tls_key go together: give both or neither")

    @property
    def concurrent_searches(self) -> int:
        """How many searches may run at once, by number and by memory."""
        return min(self.max_searches, self.max_memory_mib // self.search_memory_mib)


def read_settings(
    arguments: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ
) -> Settings:
    """Flags over environment over defaults. Exits with a usage message if they make no sense."""
    parser = argparse.ArgumentParser(
        prog="adamas-server",
        description="An AI opponent for games with hidden information, over gRPC.",
        epilog="Every flag can also be set in the environment: --max-time is ADAMAS_MAX_TIME.",
    )
    for spec in fields(Settings):
        _add_flag(parser, spec, environment)
    values = vars(parser.parse_args(arguments))
    try:
        return Settings(**values)
    except ValueError as error:
        parser.error(str(error))


def _add_flag(parser: argparse.ArgumentParser, spec: Any, environment: Mapping[str, str]) -> None:
    flag = "--" + spec.name.replace("_", "-")
    variable = ENVIRONMENT_PREFIX + spec.name.upper()
    default = getattr(_DEFAULTS, spec.name)
    options: dict[str, Any] = {
        # argparse converts defaults that are strings as if they had been given as a flag.
        "default": environment.get(variable, default),
        "help": f"{spec.metadata['help']} [%(default)s]",
    }
    if isinstance(default, bool):
        if isinstance(options["default"], str):
            options["default"] = _read_bool(parser, variable, options["default"])
        parser.add_argument(flag, action=argparse.BooleanOptionalAction, **options)
        return
    if spec.metadata["choices"]:
        parser.add_argument(flag, choices=spec.metadata["choices"], **options)
        return
    parser.add_argument(flag, type=type(default), metavar=_METAVARS[type(default)], **options)


def _read_bool(parser: argparse.ArgumentParser, variable: str, text: str) -> bool:
    words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    if text.lower() not in words:
        parser.error(f"{variable} is {text!r}; use true or false")
    return words[text.lower()]


_DEFAULTS = Settings()
_METAVARS = {int: "N", float: "X", str: "TEXT"}
