"""Writes down what the server of this checkout answers to the vectors of clients/conformance.

Run by `make vectors`, after a change that is meant to change answers. Read the difference.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import BadRequest
from grpc_status import rpc_status

from adamas.v1 import advisor_service_pb2, rules_service_pb2
from server.embedded import embedded_server

VECTORS = Path(__file__).resolve().parent.parent / "clients" / "conformance" / "vectors"
_SERVICES = {
    service.name: service
    for file in (advisor_service_pb2, rules_service_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
}


def ask(channel: grpc.Channel, vector: dict[str, Any]) -> dict[str, Any]:
    """What a vector should hold beside its request: `responses` or `error`."""
    service_name, _, call = vector["call"].partition("/")
    method = _SERVICES[service_name].methods_by_name[call]
    request_type = GetMessageClass(method.input_type)
    response_type = GetMessageClass(method.output_type)
    requests = [ParseDict(request, request_type()) for request in vector["requests"]]
    kind = f"{'stream' if method.client_streaming else 'unary'}_"
    kind += "stream" if method.server_streaming else "unary"
    stub = getattr(channel, kind)(
        f"/{method.containing_service.full_name}/{call}",
        request_serializer=request_type.SerializeToString,
        response_deserializer=response_type.FromString,
    )
    argument = iter(requests) if method.client_streaming else requests[0]
    try:
        answer = stub(argument, timeout=60)
        responses = list(answer) if method.server_streaming else [answer]
    except grpc.RpcError as error:
        return {"error": _error(error)}
    if call == "Analyze":
        responses = responses[-1:]
    if call == "RecommendBatch":
        responses.sort(key=lambda response: response.request_id)
    for response in responses:
        clear_incomparable(response)
    return {"responses": [MessageToDict(r, preserving_proto_field_name=True) for r in responses]}


def clear_incomparable(response: Message) -> None:
    """Clears what depends on the clock, and details of errors, whose bytes may be in any order."""
    for name in ("advice", "error"):
        if name in response.DESCRIPTOR.fields_by_name and response.HasField(name):
            part = getattr(response, name)
            if name == "error":
                part.ClearField("details")
            else:
                part.ClearField("suggested_delay")
                part.search.ClearField("elapsed")


def _error(error: grpc.RpcError) -> dict[str, Any]:
    call: Any = error
    violations = []
    status = rpc_status.from_call(call)
    for detail in status.details if status is not None else ():
        wrong = BadRequest()
        if detail.Unpack(wrong):
            violations += [
                {"field": v.field, "description": v.description} for v in wrong.field_violations
            ]
    return {"code": call.code().name, "message": call.details(), "violations": violations}


def main() -> None:
    """Asks all vectors."""
    changed = 0
    with embedded_server() as address, grpc.insecure_channel(address) as channel:
        for path in sorted(VECTORS.glob("*.json")):
            vector = json.loads(path.read_text("utf-8"))
            asked = {key: vector[key] for key in ("about", "call", "requests")}
            text = json.dumps(asked | ask(channel, asked), indent=1, ensure_ascii=False) + "\n"
            if text != path.read_text("utf-8"):
                path.write_text(text, "utf-8")
                changed += 1
    print(f"vectors: {changed} changed")


if __name__ == "__main__":
    main()
