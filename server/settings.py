"""What can be set about a server: one model, read from flags, the environment and a file."""

from __future__ import annotations

import difflib
import os
import re
import sys
import tomllib
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from importlib.metadata import version
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    CliApp,
    CliSettingsSource,
    CliSuppress,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from server.access.exposure import why_exposed
from server.validation import explain

MIB = 1 << 20
TRANSPORT_LIMIT = 4 * MIB
"""Longest message that is received at all; what is too long is refused with a better message."""
ENVIRONMENT_PREFIX = "ADAMAS_"
TOKENS_VARIABLE = f"{ENVIRONMENT_PREFIX}TOKENS"
PROGRAM = "adamas-server"
VERSION = version(PROGRAM)
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#,\s]+")


def _half_of_the_memory_mib() -> int:
    try:
        pages, page_size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 4096
    return max(256, pages * page_size // 2 // MIB)


def _origins(given: object) -> object:
    """A list of origins, however it is given; raises ValueError if one is none."""
    found = given.split(",") if isinstance(given, str) else given
    if not isinstance(found, list | tuple):
        return given
    origins = tuple(str(origin).strip() for origin in found if str(origin).strip())
    for origin in origins:
        if origin != "*" and not _ORIGIN.fullmatch(origin):
            raise ValueError(
                "an origin is a scheme and a host, perhaps a port, and nothing else, such as "
                "https://play.example"
            )
    return origins


class Settings(BaseModel):
    """Everything that can be set. ``max_time`` is the flag --max-time and ADAMAS_MAX_TIME.

    Raises ``pydantic.ValidationError``, which is a ValueError, if a value makes no sense.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, use_attribute_docstrings=True
    )

    host: str = "127.0.0.1"
    """address to listen on"""
    port: Annotated[int, Field(ge=0, le=65_535)] = 50051
    """port to listen on; 0 takes a free one, told in the log"""
    web_port: Annotated[int | None, Field(ge=0, le=65_535)] = None
    """port for browsers and curl (Connect, gRPC-Web); 0 takes a free one; none: there is none"""
    web_origins: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_origins)] = ()
    """origins whose pages may call, such as https://play.example, separated by commas; * for all"""
    tls_cert: str = ""
    """PEM file of the certificate chain; turns TLS on"""
    tls_key: str = ""
    """PEM file of the private key"""
    tls_client_ca: str = ""
    """PEM file of the authorities whose clients are let in; turns mutual TLS on"""
    tokens_file: str = ""
    """TOML file of the clients, their tokens and quotas; every call needs one of them then"""
    tokens: CliSuppress[SecretStr] = SecretStr("")
    """the same as text instead of a file; only in the environment"""
    insecure_no_tls: bool = False
    """listen beyond this machine without TLS"""
    insecure_no_auth: bool = False
    """listen beyond this machine without asking who calls"""
    reflection: bool = True
    """answer gRPC server reflection"""
    threads: Annotated[int, Field(ge=1, le=1024)] = max(1, os.cpu_count() or 1)
    """trees searched at once; one a core, which is the default, is best"""
    workers: Annotated[int, Field(ge=1, le=1024)] = min(8, 2 * max(1, os.cpu_count() or 1))
    """processes that search; one that dies takes its searches with it, no others"""
    trees: Annotated[int, Field(ge=1, le=64)] = 2
    """trees a search grows if the request does not say"""
    max_time: Annotated[float, Field(ge=0.001, le=86_400)] = 60.0
    """longest thinking time a request may ask for, in seconds"""
    max_searches: Annotated[int, Field(ge=1, le=100_000)] = 64
    """searches at once; further ones wait"""
    max_waiting: Annotated[int, Field(ge=0, le=1_000_000)] = 256
    """searches that may wait; further ones are refused"""
    max_calls: Annotated[int, Field(ge=1, le=1_000_000)] = 1000
    """calls at once, of any kind; further ones are refused"""
    max_stream_searches: Annotated[int, Field(ge=1, le=100_000)] = 32
    """searches of one RecommendBatch stream at once; further ones are not read yet"""
    max_client_calls: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """calls at once of one client; further ones are refused; 0: as many as there may be"""
    max_connections: Annotated[int, Field(ge=1, le=1_000_000)] = 1000
    """connections at once, of each port; further ones are closed"""
    max_address_connections: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    """connections at once of one address; further ones are closed; half of all by default"""
    max_connection_calls: Annotated[int, Field(ge=1, le=1_000_000)] = 1000
    """calls at once over one connection; further ones wait in the client"""
    handshake_timeout: Annotated[float, Field(ge=0.1, le=3600)] = 10.0
    """seconds in which a new connection has to have spoken TLS and HTTP/2"""
    connection_idle: Annotated[float, Field(ge=1, le=86_400)] = 600.0
    """seconds after which a connection without calls is closed"""
    connection_age: Annotated[float, Field(ge=0, le=86_400)] = 0.0
    """seconds after which clients are told to connect anew, for load balancers; 0: never"""
    search_memory_mib: Annotated[int, Field(ge=1, le=1 << 20)] = 256
    """memory bound of one search, in MiB"""
    max_memory_mib: Annotated[int, Field(ge=1, le=1 << 24)] = _half_of_the_memory_mib()
    """memory bound of all searches together, in MiB; half of the machine's by default"""
    max_message_bytes: Annotated[int, Field(ge=1024, le=TRANSPORT_LIMIT)] = 256 * 1024
    """longest request accepted, in bytes"""
    deadline_margin_ms: Annotated[float, Field(ge=0, le=60_000)] = 20.0
    """how long before a call's deadline the answer leaves, in milliseconds"""
    linger: Annotated[float, Field(ge=0, le=3600)] = 0.0
    """how long a stop goes on serving once the health check has changed, in seconds"""
    drain: Annotated[float, Field(ge=0, le=3600)] = 5.0
    """how long a stop waits for running calls, in seconds"""
    metrics_host: str = "127.0.0.1"
    """address to serve metrics on, for Prometheus"""
    metrics_port: Annotated[int | None, Field(ge=0, le=65_535)] = None
    """port to serve metrics on; 0 takes a free one; none: no metrics are served"""
    log_format: Literal["json", "console"] = "json"
    """format of log lines"""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """least level that is logged"""

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        """Raises ValueError if settings don't fit together."""
        if self.max_memory_mib < self.search_memory_mib:
            raise ValueError("max_memory_mib must be at least search_memory_mib")
        if bool(self.tls_cert) != bool(self.tls_key):
            raise ValueError("tls_cert and tls_key go together: give both or neither")
        if self.tls_client_ca and not self.tls_cert:
            raise ValueError("tls_client_ca needs TLS: give tls_cert and tls_key too")
        if self.tokens_file and self.tokens.get_secret_value():
            raise ValueError("tokens_file and tokens say the same: give one of them")
        if refusal := why_exposed(
            self.host,
            encrypted=bool(self.tls_cert) or self.insecure_no_tls,
            authenticated=self.authenticates or self.insecure_no_auth,
        ):
            raise ValueError(refusal)
        return self

    @property
    def authenticates(self) -> bool:
        """Whether callers have to say who they are."""
        return bool(self.tls_client_ca or self.has_tokens)

    @property
    def has_tokens(self) -> bool:
        """Whether the clients are listed."""
        return bool(self.tokens_file or self.tokens.get_secret_value())

    @property
    def concurrent_searches(self) -> int:
        """How many searches may run at once, by number and by memory."""
        return min(self.max_searches, self.max_memory_mib // self.search_memory_mib)

    @property
    def connections_of_an_address(self) -> int:
        """How many connections one address may have."""
        return self.max_address_connections or max(1, self.max_connections // 2)

    @property
    def search_memory_bytes(self) -> int:
        """The bound of each search: beside a single background search, an interactive one runs."""
        together = max(2, self.concurrent_searches)
        return min(self.search_memory_mib, self.max_memory_mib // together) * MIB


class _SettingsFile(TomlConfigSettingsSource):
    """The settings file, with or without the byte order mark that some editors write."""

    def _read_file(self, file_path: Path | Traversable) -> dict[str, Any]:
        return tomllib.loads(file_path.read_text(encoding="utf-8-sig"))


class _Given(Settings, BaseSettings):
    """An AI opponent for games with hidden information, over gRPC.

    Every flag can also be set in the environment: --max-time is ADAMAS_MAX_TIME. Flags win over the
    environment, and that over the settings file.
    """

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT_PREFIX,
        env_ignore_empty=True,
        cli_prog_name=PROGRAM,
        cli_kebab_case=True,
        cli_implicit_flags=True,
        cli_hide_none_type=True,
    )

    settings_file: str = ""
    """TOML file of settings by their names, such as max_time = 10"""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags come first by themselves."""
        file = getattr(init_settings, "init_kwargs", {}).get("settings_file")
        return env_settings, *([_SettingsFile(settings_cls, file)] if file else ())


def read_settings(arguments: Sequence[str] | None = None) -> Settings:
    """Flags over the environment over the settings file over defaults.

    Ends the program with exit code 2 and a message if they make no sense.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    if any(argument.partition("=")[0] == "--tokens" for argument in arguments):
        _fail(
            "--tokens is no flag, since everybody on this machine can read a program's flags; "
            f"use --tokens-file, or {TOKENS_VARIABLE} in the environment"
        )
    flags = CliSettingsSource[ArgumentParser](_Given)
    flags.root_parser.add_argument("--version", action="version", version=f"{PROGRAM} {VERSION}")
    given, unknown = flags.root_parser.parse_known_args(arguments)
    if unknown:
        _fail(_no_such_flag(unknown[0]))
    file = _settings_file(given)
    try:
        return CliApp.run(_Given, given, cli_settings_source=flags, settings_file=file)
    except ValidationError as error:
        _fail(explain(error, _Given, _where))
    except tomllib.TOMLDecodeError as error:
        _fail(f"{file} is no TOML: {error}")
    except RecursionError:
        _fail(f"{file} has brackets nested too deeply to be read")
    except UnicodeDecodeError:
        _fail(f"{file} is no text in UTF-8")
    except (SettingsError, OSError, ValueError) as error:
        _fail(str(error))


def _no_such_flag(argument: str) -> str:
    """What to say about an argument without telling a value: it may be a secret."""
    flag = argument.partition("=")[0]
    if len(flag) <= len("--") or not flag.startswith("--"):
        return "an argument belongs to no flag; flags begin with two dashes, and --help lists them"
    nearest = difflib.get_close_matches(flag.lstrip("-").lower(), _flags(), 1)
    return f"there is no flag {flag}; " + (
        f"is --{nearest[0]} meant?" if nearest else "--help lists the flags"
    )


def _flags() -> list[str]:
    """The flags that --help lists, without their dashes."""
    found = []
    for name, field in _Given.model_fields.items():
        words = name.replace("_", "-")
        if name != "tokens":
            found += [words, *([f"no-{words}"] if field.annotation is bool else [])]
    return found


def _settings_file(given: Namespace) -> str:
    """Where the settings file is; it has to be known before the settings are put together."""
    found: str = getattr(given, "settings_file", "") or os.environ.get(
        f"{ENVIRONMENT_PREFIX}SETTINGS_FILE", ""
    )
    if found and not Path(found).is_file():
        _fail(f"settings_file: there is no file {found}")
    return found


def _where(name: str) -> str:
    """How a setting can be set."""
    variable = ENVIRONMENT_PREFIX + name.upper()
    return variable if name == "tokens" else f"--{name.replace('_', '-')} or {variable}"


def _fail(message: str) -> NoReturn:
    print(f"{PROGRAM}: {message}", file=sys.stderr)  # noqa: T201  (the program's own output)
    sys.exit(2)
