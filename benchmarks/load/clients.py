"""Clients that a server can tell from one another, by their tokens."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from grpc import aio

from adamas.channels import channel_options

_OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)
_PLAIN = (*_OWN_CONNECTION, ("grpc.enable_retries", 0))


@dataclass(frozen=True)
class Identity:
    """Who asks: a connection of its own and, where the server knows tokens, a token.

    Attributes:
        name: What the client is called in figures.
        token: Its bearer token; empty: none.
        shipped: Whether its channel is set up as the Python client's, with retries and round robin.
    """

    name: str
    token: str = ""
    shipped: bool = False

    def channel(self, address: str) -> aio.Channel:
        """A channel that shares its connection with nobody."""
        return aio.insecure_channel(
            address, channel_options(address, _OWN_CONNECTION) if self.shipped else _PLAIN
        )

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What is sent along with every call."""
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()


ANYBODY = Identity("anybody")


def identities(number: int) -> list[Identity]:
    """So many clients, the same ones every time."""
    return [
        Identity(f"client-{i}", token=hashlib.sha256(f"load client {i}".encode()).hexdigest())
        for i in range(number)
    ]


def known_to_server(clients: Sequence[Identity]) -> dict[str, str]:
    """The environment of a server that knows these clients and no others."""
    entries = (f'[[client]]\nname = "{one.name}"\ntoken = "{one.token}"\n' for one in clients)
    return {"ADAMAS_TOKENS": "\n".join(entries)}
