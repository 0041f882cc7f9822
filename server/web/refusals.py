"""A refusal as Connect and gRPC-Web tell it: the same code, sentence and details as over gRPC."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from protobuf import wkt

from server.errors import Refused


class _Detail(ErrorDetail):
    """A detail that readers of JSON can read too."""

    def __init__(self, detail: Message, packed: AnyMessage) -> None:
        super().__init__(wkt.Any(type_url=packed.type_url, value=packed.value))
        self._readable = wkt.Struct.from_json(json.dumps(MessageToDict(detail)))

    def value(self, *_: Any) -> wkt.Struct:  # type: ignore[override]
        """What is put beside the bytes as ``debug``."""
        return self._readable


def connect_error(refused: Refused) -> ConnectError:
    """The refusal for connectrpc."""
    status = refused.status()
    return ConnectError(
        Code[refused.code.name.replace("CANCELLED", "CANCELED")],
        status.message,
        [
            _Detail(detail, packed)
            for detail, packed in zip(refused.details, status.details, strict=True)
        ],
    )


@contextmanager
def told() -> Iterator[None]:
    """Tells connectrpc of what is refused inside."""
    try:
        yield
    except Refused as refused:
        raise connect_error(refused) from None
