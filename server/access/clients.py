"""The list of clients: who they are, what they show for it, and how much they may ask for.

It is TOML::

    [[client]]
    name = "tournament"
    token_sha256 = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
    calls_per_minute = 600
    search_seconds_per_minute = 120
"""

from __future__ import annotations

import hashlib
import hmac
import tomllib
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated, Self

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)

from server.validation import path

SHORTEST_TOKEN = 24
"""Characters. A random token of this length can't be guessed; a password could be."""
MOST_CLIENTS = 10_000


class InvalidClients(ValueError):
    """The list of clients can't be used. Says why without telling any secret."""


class Quota(BaseModel):
    """How much one client may ask for; None: no limit."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    calls_per_minute: Annotated[float | None, Field(ge=1, le=1e9)] = None
    """At least 1: a call takes a whole one, and never more than a minute's worth is there."""
    search_seconds_per_minute: Annotated[float | None, Field(gt=0, le=1e9)] = None
    """Thinking time, of all searches together."""
    calls_at_once: Annotated[int | None, Field(gt=0, le=1e9)] = None


class Client(Quota):
    """One who may call."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$")]
    """For logs and metrics; not secret."""
    token: SecretStr | None = None
    token_sha256: SecretStr | None = None
    """Instead of the token, so that whoever reads the file can't call: 64 hexadecimal digits."""
    certificate: str | None = None
    """The common name, or an alternative name, of a certificate that identifies the client."""
    expires: AwareDatetime | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.token is None and self.token_sha256 is None and self.certificate is None:
            raise ValueError("give a token_sha256, a token or a certificate")
        if self.token is not None and self.token_sha256 is not None:
            raise ValueError("token and token_sha256 say the same: give one of them")
        if self.token is not None:
            text = self.token.get_secret_value()
            if len(text) < SHORTEST_TOKEN or not text.isascii() or not text.isprintable():
                raise ValueError(
                    f"the token needs at least {SHORTEST_TOKEN} printable ASCII characters"
                )
        if self.token_sha256 is not None:
            if len(self.token_sha256.get_secret_value()) != 64 or self.digest() is None:
                raise ValueError("token_sha256 needs 64 hexadecimal digits")
        return self

    def digest(self) -> bytes | None:
        """The SHA-256 of the token; None for a client without one."""
        if self.token is not None:
            return digest(self.token.get_secret_value())
        if self.token_sha256 is None:
            return None
        try:
            return bytes.fromhex(self.token_sha256.get_secret_value())
        except ValueError:
            return None

    def credentials(self) -> tuple[bytes | None, str | None]:
        """What the client shows to be let in: the digest of its token, a certificate's name."""
        return self.digest(), self.certificate

    def expired(self, now: datetime) -> bool:
        """Whether the client's time is over."""
        return self.expires is not None and now >= self.expires


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    client: Annotated[list[Client], Field(min_length=1, max_length=MOST_CLIENTS)]


class Clients:
    """All who may call."""

    def __init__(self, clients: Sequence[Client]) -> None:
        """Raises InvalidClients if two can't be told apart."""
        self._by_name = {client.name: client for client in clients}
        self._by_digest = [
            (known, client) for client in clients if (known := client.digest()) is not None
        ]
        self._by_certificate = {
            client.certificate: client for client in clients if client.certificate is not None
        }
        _check_unique("name", [client.name for client in clients])
        _check_unique("certificate", [client.certificate for client in clients])
        if len({known for known, _ in self._by_digest}) < len(self._by_digest):
            raise InvalidClients("two clients have the same token; each needs its own")

    def __len__(self) -> int:
        return len(self._by_name)

    def named(self, name: str) -> Client | None:
        """The client with a name."""
        return self._by_name.get(name)

    def with_token(self, token: str) -> Client | None:
        """The client whose token it is. Takes equally long whichever it is, and if it is none."""
        shown = digest(token)
        found = None
        for known, client in self._by_digest:
            if hmac.compare_digest(known, shown):
                found = client
        return found

    def with_certificate(self, names: Iterable[str]) -> Client | None:
        """The client of a certificate, by the names in it."""
        return next((self._by_certificate[n] for n in names if n in self._by_certificate), None)


def digest(token: str) -> bytes:
    """What is kept and compared instead of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def read_clients(text: str, source: str) -> Clients:
    """Reads the list. ``source`` names it in errors.

    Raises:
        InvalidClients: If it can't be used.
    """
    try:
        values = tomllib.loads(text)
    except RecursionError:
        raise InvalidClients(f"{source} has brackets nested too deeply to be read") from None
    except ValueError as error:  # also what Python says of numbers with thousands of digits
        raise InvalidClients(f"{source} is no TOML: {error}") from None
    try:
        return Clients(_File.model_validate(values).client)
    except ValidationError as error:
        raise InvalidClients(f"{source}: {_explain(error)}") from None
    except InvalidClients as error:
        raise InvalidClients(f"{source}: {error}") from None


def _check_unique(what: str, values: Sequence[str | None]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise InvalidClients(f"two clients have the {what} {value}; each needs its own")
        if value is not None:
            seen.add(value)


def _explain(error: ValidationError) -> str:
    """What is wrong with the file, without the values: they may be secrets."""
    return "; ".join(
        f"{path(details['loc'])}: {details.get('ctx', {}).get('error', details['msg'])}"
        for details in error.errors(include_input=False)
    )
