"""How the servers of entrants are reached."""

from dataclasses import dataclass

import grpc

from adamas.access import TLS_VARIABLES, TOKEN_VARIABLE, channel_credentials, token_metadata
from adamas.channels import proxy_options
from adamas.client import Client
from adamas_tournament.config import ConfigError
from adamas_tournament.entrant_config import (
    CasualEntrant,
    EndpointEntrant,
    Entrant,
    RandomEntrant,
    ServiceEntrant,
)


@dataclass(frozen=True, slots=True)
class Access:
    """A server, and what it is shown.

    Attributes:
        address: Where it listens, host:port.
        credentials: For TLS; None: the connection is not encrypted.
        metadata: Sent along with every call.
    """

    address: str
    credentials: grpc.ChannelCredentials | None = None
    metadata: tuple[tuple[str, str], ...] = ()

    def open(self) -> grpc.Channel:
        """A channel on which no call is repeated behind our back: the clock decides that."""
        options = [
            *proxy_options(self.address),
            ("grpc.enable_retries", 0),
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.min_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 500),
            ("grpc.use_local_subchannel_pool", 1),  # a connection of its own
        ]
        if self.credentials is None:
            return grpc.insecure_channel(self.address, options)
        return grpc.secure_channel(self.address, self.credentials, options)

    def answers_within(self, timeout: float) -> bool:
        """Whether a connection can be made within so many seconds."""
        with self.open() as channel:
            try:
                grpc.channel_ready_future(channel).result(timeout=timeout)
            except grpc.FutureTimeoutError:
                return False
        return True


def access_of(entrant: Entrant, here: str | None = None) -> Access | None:
    """How an entrant is reached; None for one that has no server.

    Servers of ours get the token and the TLS files of the environment, as from any `Client`.
    Other people's programs get neither.

    Args:
        entrant: The entrant.
        here: Where one that names no address is reached: a program that was started for it, or the
            referee's server; None: it can't be yet.

    Raises:
        ValueError: If others could read the token on its way.
        OSError: If a file for TLS can't be read.
    """
    match entrant:
        case RandomEntrant():
            return None
        case EndpointEntrant():
            address = entrant.address or here
            credentials = grpc.ssl_channel_credentials() if entrant.tls else None
            return None if address is None else Access(address, credentials)
        case ServiceEntrant() | CasualEntrant():
            address = entrant.address or here
            if address is None:
                return None
            credentials = channel_credentials(None, None)
            encrypted = credentials is not None
            token = token_metadata(None, address, encrypted=encrypted, plaintext=False)
            return Access(address, credentials, token)


def referee_client(address: str, source: str) -> Client:
    """A client of the referee.

    Raises:
        ConfigError: If it can't be reached as the environment says.
    """
    try:
        return Client(address)
    except (ValueError, OSError) as error:
        raise ConfigError(f"{source}: tournament.referee: {access_trouble(error)}") from None


def access_trouble(error: Exception) -> str:
    """Why a server can't be reached as the environment says, and where that says it."""
    return f"{error} (see {TOKEN_VARIABLE} and {', '.join(TLS_VARIABLES)} in the environment)"
