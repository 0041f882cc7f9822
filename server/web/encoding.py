"""Messages as they travel over HTTP: protobuf or its JSON form.

Reading JSON is plain Python, some 30 µs a value, so what is long does not hold up the event loop,
and what is far longer than any position is refused before it is read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TypeVar

from google.protobuf.json_format import MessageToJson, Parse, ParseError
from google.protobuf.message import DecodeError, Message

from server import errors
from server.errors import Refused
from server.services.offload import Offload

M = TypeVar("M", bound=Message)
MOST_VALUES = 20_000
"""Of a request in JSON. The longest position of a game has some 3,000."""
_QUICK_VALUES = 100
_QUICK_BYTES = 2048


class Encoding(ABC):
    """A form of messages. It is also the codec of connectrpc, to which messages stay bytes: only
    who handles a call knows whether it is let in, and that comes before its message is read."""

    content: str
    """Its name in content types."""

    def name(self) -> str:
        """Its name in content types, for connectrpc."""
        return self.content

    def encode(self, message: bytes) -> bytes:
        """What has been written by ``write`` stays as it is."""
        return message

    def decode(self, data: bytes | bytearray, message_class: type[Message]) -> Encoded:
        """What ``read`` is to read later."""
        return Encoded(bytes(data), self, message_class)

    @abstractmethod
    async def read(self, data: bytes, kind: type[M], offload: Offload) -> M:
        """The message; raises Refused if the bytes are none."""

    @abstractmethod
    async def write(self, message: Message, offload: Offload) -> bytes:
        """The bytes of a message."""


@dataclass(frozen=True)
class Encoded:
    """A message that has arrived and has not been read."""

    data: bytes
    encoding: Encoding
    kind: type[Message]


class Protobuf(Encoding):
    """The binary form."""

    content = "proto"

    async def read(self, data: bytes, kind: type[M], offload: Offload) -> M:
        """The message; raises Refused if the bytes are none."""
        try:
            return kind.FromString(data)
        except DecodeError:
            raise errors.undecodable(kind.DESCRIPTOR.name) from None

    async def write(self, message: Message, offload: Offload) -> bytes:
        """The bytes of a message."""
        return message.SerializeToString()


class Json(Encoding):
    """The JSON form. Names that a message doesn't have are refused, not ignored."""

    content = "json"

    async def read(self, data: bytes, kind: type[M], offload: Offload) -> M:
        """The message; raises Refused if the bytes are none."""
        values = sum(map(data.count, (b"{", b"[", b",")))
        if values > MOST_VALUES:
            raise errors.undecodable(kind.DESCRIPTOR.name, f"in JSON: it has {values} values")
        if values > _QUICK_VALUES:
            return await offload(_parse, data, kind)
        return _parse(data, kind)

    async def write(self, message: Message, offload: Offload) -> bytes:
        """The bytes of a message."""
        if message.ByteSize() > _QUICK_BYTES:
            return await offload(_print, message)
        return _print(message)


def _parse(data: bytes, kind: type[M]) -> M:
    try:
        return Parse(data.decode(), kind())
    except UnicodeDecodeError:
        why = "it is not in UTF-8"
    except RecursionError:
        why = "it is nested too deeply"
    except ParseError as error:
        why = _sentence(error)
    raise _not_json(kind, why)


def _print(message: Message) -> bytes:
    return MessageToJson(message, indent=None, ensure_ascii=False).encode()


def _sentence(error: ParseError) -> str:
    return " ".join(str(error).split())


def _not_json(kind: type[Message], why: str) -> Refused:
    return errors.undecodable(kind.DESCRIPTOR.name, f"in JSON: {why}")


ENCODINGS = (Protobuf(), Json())
