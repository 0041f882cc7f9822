"""As much of grpcurl as the examples of docs/api.md use.

grpcurl -plaintext -d JSON ADDRESS SERVICE/METHOD, with @ for JSON from the standard input. Where
the method takes a stream, the JSON may be several values, one after another.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

import grpc
from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2

from adamas.v1 import advisor_service_pb2, rules_service_pb2


def main() -> None:
    plaintext, flag, text, _, target = sys.argv[1:]
    assert (plaintext, flag) == ("-plaintext", "-d"), sys.argv
    service_name, method_name = target.split("/")
    files = (advisor_service_pb2, rules_service_pb2, health_pb2)
    services = [s for file in files for s in file.DESCRIPTOR.services_by_name.values()]
    (service,) = (service for service in services if service.full_name == service_name)
    method = service.methods_by_name[method_name]
    request_type = GetMessageClass(method.input_type)
    requests = iter(
        [
            json_format.ParseDict(value, request_type())
            for value in values(sys.stdin.read() if text == "@" else text)
        ]
    )
    with grpc.insecure_channel(os.environ["ADAMAS_TEST_ADDRESS"]) as channel:
        make: Any = channel.stream_stream if method.client_streaming else channel.unary_stream
        call: Any = make(
            f"/{target}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        for response in call(requests if method.client_streaming else next(requests), timeout=60):
            sys.stdout.write(json_format.MessageToJson(response, ensure_ascii=False) + "\n")


def values(text: str) -> Iterator[Any]:
    """The JSON values in a text."""
    decoder = json.JSONDecoder()
    while text := text.lstrip():
        value, end = decoder.raw_decode(text)
        text = text[end:]
        yield value


if __name__ == "__main__":
    main()
