"""As much of grpcurl as the examples of docs/api.md use.

grpcurl -plaintext -d JSON ADDRESS SERVICE/METHOD, with @ for JSON from the standard input.
"""

from __future__ import annotations

import os
import sys
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
    request = GetMessageClass(method.input_type)()
    json_format.Parse(sys.stdin.read() if text == "@" else text, request)
    with grpc.insecure_channel(os.environ["ADAMAS_TEST_ADDRESS"]) as channel:
        call: Any = channel.unary_stream(
            f"/{target}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        for response in call(request, timeout=60):
            sys.stdout.write(json_format.MessageToJson(response, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
