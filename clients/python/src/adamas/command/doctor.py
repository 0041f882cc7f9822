"""`adamas doctor`: what keeps this client from its server, one finding after another."""

import argparse
import os
import platform
import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib.metadata import version

from adamas.access import TLS_VARIABLES, TOKEN_VARIABLE, is_loopback
from adamas.command.connection import add_server_arguments, connect
from adamas.command.output import print_json
from adamas.command.trouble import FOUND, Trouble
from adamas.errors import AccessDenied, AdamasError, VersionMismatch
from adamas.v1.game_pb2 import PlayerView

PATIENCE = 5.0
"""Seconds to wait for each sign of life."""
EXPIRES_SOON = 14
"""Days before the end of a certificate when it is told."""
_UNTOLD = "too old to say which version"


class State(StrEnum):
    """How bad a finding is."""

    FINE = "ok"
    DOUBT = "hm"
    WRONG = "no"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        what: What was looked at.
        state: How bad it is.
        text: What was found, and what would help.
    """

    what: str
    state: State
    text: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command line."""
    add_server_arguments(parser)


def main(arguments: argparse.Namespace) -> int:
    """Carries the command out; `FOUND` if something is wrong."""
    findings = []
    for finding in _examine(arguments):
        findings.append(finding)
        if not arguments.json:
            print(f"{finding.state}  {finding.what}: {finding.text}", flush=True)
    if arguments.json:
        print_json(findings)
    return FOUND if any(finding.state is State.WRONG for finding in findings) else 0


def _examine(arguments: argparse.Namespace) -> Iterator[Finding]:
    """Looks at one thing after another, and no further than makes sense."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("adamas", "grpcio", "protobuf"))
    yield Finding("versions", State.FINE, f"{versions}, Python {platform.python_version()}")
    yield _token()
    tls = _wants_tls(arguments)
    host, _, port = arguments.server.rpartition(":")
    if host and port.isdecimal() and "/" not in host:
        address = (host.strip("[]"), int(port))
        yield _proxy(address[0])
        reached = _reach(address)
        yield reached
        if reached.state is State.WRONG:
            return
        if tls:
            yield _certificate(address)
        else:
            yield Finding("TLS", State.FINE, "is off; --tls turns it on")
            yield Finding("clock", State.FINE, "is of no matter without TLS: deadlines are spans")
    yield from _ask(arguments)


def _token() -> Finding:
    if os.environ.get(TOKEN_VARIABLE):
        return Finding("token", State.FINE, f"the one in {TOKEN_VARIABLE} is sent")
    return Finding("token", State.FINE, f"none is sent; {TOKEN_VARIABLE} is not set")


def _wants_tls(arguments: argparse.Namespace) -> bool:
    return bool(arguments.tls or any(os.environ.get(name) for name in TLS_VARIABLES[:2]))


def _proxy(host: str) -> Finding:
    names = ("grpc_proxy", "https_proxy", "http_proxy")
    name = next((name for name in names if os.environ.get(name)), None)
    if name is None:
        return Finding("proxy", State.FINE, "none")
    if is_loopback(host):
        return Finding("proxy", State.FINE, f"{name} is set, but not for this machine")
    exempt = [os.environ.get(name, "") for name in ("no_grpc_proxy", "no_proxy")]
    if host in ",".join(exempt).split(","):
        return Finding("proxy", State.FINE, f"{name} is set, but not for {host}")
    return Finding(
        "proxy", State.DOUBT, f"{name} is set; add {host} to no_proxy if the server is near"
    )


def _reach(address: tuple[str, int]) -> Finding:
    begin = time.monotonic()
    try:
        with socket.create_connection(address, PATIENCE) as connection:
            peer = connection.getpeername()[0]
    except socket.gaierror as error:
        return Finding("address", State.WRONG, f"{address[0]} is not known: {error.strerror}")
    except OSError as error:
        why = error.strerror or str(error)
        hint = "nothing listens there; is the server running?"
        return Finding(
            "connection", State.WRONG, f"{why}; {hint}" if "refused" in why.lower() else why
        )
    took = 1000 * (time.monotonic() - begin)
    return Finding("connection", State.FINE, f"{peer} answers within {took:.0f} ms")


def _certificate(address: tuple[str, int]) -> Finding:
    """Whether the server's certificate is trusted here, and valid by this machine's clock."""
    root = os.environ.get(TLS_VARIABLES[0]) or None
    try:
        context = ssl.create_default_context(cafile=root)
        context.set_alpn_protocols(["h2"])
        certificate, key = (os.environ.get(name) or None for name in TLS_VARIABLES[1:])
        if certificate and key:
            context.load_cert_chain(certificate, key)
        with (
            socket.create_connection(address, PATIENCE) as connection,
            context.wrap_socket(connection, server_hostname=address[0]) as secured,
        ):
            held = secured.getpeercert() or {}
    except ssl.SSLCertVerificationError as error:
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        return Finding("TLS", State.WRONG, f"{error.verify_message}; by the clock here it is {now}")
    except OSError as error:
        return Finding("TLS", State.WRONG, f"no handshake: {error}; does the server have TLS?")
    ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(held["notAfter"])), UTC)
    days = (ends - datetime.now(UTC)).days
    state = State.DOUBT if days < EXPIRES_SOON else State.FINE
    return Finding(
        "TLS", state, f"the certificate is trusted, and valid for {days} days by the clock here"
    )


def _ask(arguments: argparse.Namespace) -> Iterator[Finding]:
    """Makes a call."""
    begin = time.monotonic()
    try:
        with connect(arguments) as client:
            games = client.games()
            took = 1000 * (time.monotonic() - begin)
            served = client.server_version()
    except VersionMismatch as error:
        yield Finding("server", State.WRONG, str(error))
    except AccessDenied as error:
        yield Finding("server", State.WRONG, f"{error}; a token goes into {TOKEN_VARIABLE}")
    except (AdamasError, Trouble) as error:
        yield Finding("server", State.WRONG, str(error))
    else:
        names = ", ".join(game.game_id for game in games)
        text = f"{served or _UNTOLD}, answers within {took:.0f} ms; plays {names}"
        yield Finding("server", State.FINE, text)
        known = PlayerView.DESCRIPTOR.fields_by_name
        new = [game.game_id for game in games if game.game_id not in known]
        if new:
            yield Finding("games", State.DOUBT, f"this client is too old to know {', '.join(new)}")
        else:
            yield Finding("games", State.FINE, "this client knows all of them")
