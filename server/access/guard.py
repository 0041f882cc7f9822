"""Finds out who calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.parse import unquote
from weakref import WeakValueDictionary

from server import errors
from server.access.clients import Client, Clients, InvalidClients, Quota, read_clients
from server.access.files import Watched
from server.access.origin import Origin
from server.access.quota import Account
from server.log import Logger
from server.settings import Settings

_SCHEME = "bearer"
_HOW = "send `authorization: Bearer TOKEN` in the metadata, over HTTP in the headers"


@dataclass(frozen=True)
class Caller:
    """Who makes a call, and what it may ask for."""

    account: Account
    check_access: Callable[[], None] = lambda: None
    """Raises Refused if the caller has lost the access that it called with."""

    @property
    def name(self) -> str:
        """The client's name; without a list, its certificate's name or its address."""
        return self.account.name

    @contextmanager
    def thinking(self, seconds: float) -> Iterator[None]:
        """Surrounds a search that may take so long; raises Refused if that is too much.

        It is also where a call that goes on for long learns that its client has lost access.
        """
        self.check_access()
        with self.account.thinking(seconds):
            yield


NOBODY = Caller(Account("", Quota()))
"""Stands for a caller who has not been identified."""


class Guard:
    """Knows the clients. For one event loop."""

    def __init__(self, settings: Settings, logger: Logger) -> None:
        """Raises InvalidClients or OSError if the list of clients can't be used."""
        self._asks_for_certificate = bool(settings.tls_client_ca)
        self._default = Quota(calls_at_once=settings.max_client_calls or None)
        self._logger = logger
        self._accounts: dict[str, Account] = {}
        """Of listed clients: what is left of their quotas outlives their calls."""
        self._others: WeakValueDictionary[str, Account] = WeakValueDictionary()
        """Of addresses and certificates: they have limits only while calls run."""
        self._clients: Clients | None = None
        self._file: Watched | None = None
        if settings.tokens_file:
            self._file = Watched([Path(settings.tokens_file)])
            self._clients = _read(Path(settings.tokens_file))
        elif settings.tokens.get_secret_value():
            self._clients = read_clients(settings.tokens.get_secret_value(), "tokens")

    def identify(self, origin: Origin) -> Caller:
        """Who makes a call; raises Refused if nobody known."""
        self.reload_if_changed()
        names = origin.certificate if self._asks_for_certificate else ()
        if self._clients is None:
            name = names[0] if names else _address(origin.peer)
            return Caller(self._others.setdefault(name, Account(name, self._default)))
        client = _by_token(origin, self._clients)
        if client is None:
            client = self._clients.with_certificate(names)
        if client is None:
            raise errors.unauthenticated(
                "TOKEN_MISSING",
                f"this server asks who calls: {_HOW}"
                + (", since it does not know your certificate" if names else ""),
            )
        self._check_expiry(client)
        return Caller(self._account(client), partial(self._check_still_known, client))

    def _check_still_known(self, client: Client) -> None:
        """Raises Refused if a client that was let in is no longer on the list as it was."""
        self.reload_if_changed()
        known = self._clients and self._clients.named(client.name)
        if not known or known.credentials() != client.credentials():
            raise errors.unauthenticated(
                "ACCESS_REVOKED", f"{client.name} no longer has the access it called with"
            )
        self._check_expiry(known)

    def reload_if_changed(self) -> None:
        """Reads the list again if its file has changed; looks about once a second."""
        if self._file is not None and self._file.changed():
            self.reload()

    def reload(self) -> None:
        """Reads the list again. The old one stays if the new one can't be used."""
        if self._file is None:
            return
        try:
            self._clients = _read(self._file.paths[0])
        except (InvalidClients, OSError) as error:
            self._logger.error("clients not reloaded", reason=str(error))
            return
        for name, account in tuple(self._accounts.items()):
            client = self._clients.named(name)
            if client is not None:
                account.set_quota(self._quota(client))
            elif not account.calls_at_once:
                del self._accounts[name]
        self._logger.info("clients reloaded", clients=len(self._clients))

    def _account(self, client: Client) -> Account:
        account = self._accounts.get(client.name)
        if account is None:
            account = Account(client.name, self._quota(client))
            self._accounts[client.name] = account
        return account

    def _quota(self, quota: Quota) -> Quota:
        """A client's own limits, and the server's for all clients where it has none."""
        if quota.calls_at_once is None:
            return Quota(
                calls_per_minute=quota.calls_per_minute,
                search_seconds_per_minute=quota.search_seconds_per_minute,
                calls_at_once=self._default.calls_at_once,
            )
        return quota

    @staticmethod
    def _check_expiry(client: Client) -> None:
        if client.expired(datetime.now(UTC)):
            raise errors.unauthenticated(
                "ACCESS_EXPIRED", f"the access of {client.name} ended at {client.expires}"
            )


def _read(path: Path) -> Clients:
    try:
        return read_clients(path.read_text("utf-8-sig"), str(path))
    except UnicodeDecodeError:
        raise InvalidClients(f"{path} is no text in UTF-8") from None


def _by_token(origin: Origin, clients: Clients) -> Client | None:
    """The client by its token; None if the call has no token."""
    for text in origin.authorization:
        scheme, _, token = text.strip().partition(" ")
        if scheme.lower() != _SCHEME:
            raise errors.unauthenticated("TOKEN_MALFORMED", f"no bearer token: {_HOW}")
        client = clients.with_token(token.strip())
        if client is None:
            raise errors.unauthenticated("TOKEN_UNKNOWN", "this server knows no such token")
        return client
    return None


def _address(peer: str) -> str:
    """A client's address without the port, which differs for each connection."""
    kind, _, rest = unquote(peer).partition(":")
    if kind not in {"ipv4", "ipv6"}:
        return kind  # such as unix: all of them are on this machine
    return rest.rpartition(":")[0].strip("[]")
