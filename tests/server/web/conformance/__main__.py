"""A server for the suite: ``python -m tests.server.web.conformance DESCRIPTORS``.

It reads what the server has to be like from stdin and writes where it listens to stdout, each a
message with its length before it.
"""

from __future__ import annotations

import asyncio
import signal
import struct
import sys
import tempfile
from pathlib import Path
from typing import Any

from google.protobuf import any_pb2, descriptor_pb2, struct_pb2  # noqa: F401  (the suite's need them)
from google.protobuf.descriptor_pool import Default
from google.protobuf.message_factory import GetMessageClass

from server.access.guard import Guard
from server.access.tls import Certificates
from server.calls.gate import Gate
from server.calls.handling import Handling
from server.log import LineWriter, make_logger
from server.services.offload import Offload
from server.settings import Settings
from server.telemetry.telemetry import Telemetry
from server.web.application import Application
from server.web.endpoints import Offer
from server.web.listener import Listener
from tests.server.web.conformance.service import METHODS, Conformance, ConformanceEndpoints

PACKAGE = "connectrpc.conformance.v1"


def load(descriptors: Path) -> dict[str, type[Any]]:
    """The suite's messages by their names in its package."""
    pool = Default()
    found = descriptor_pb2.FileDescriptorSet.FromString(descriptors.read_bytes())
    for file in found.file:
        if file.name.startswith("connectrpc/"):
            pool.AddSerializedFile(file.SerializeToString())
    types = {}
    for file in found.file:
        for name, kind in pool.FindFileByName(file.name).message_types_by_name.items():
            types[name] = GetMessageClass(kind)
            for inner, nested in kind.nested_types_by_name.items():
                types[f"{name}.{inner}"] = GetMessageClass(nested)
    return types


def settings(wanted: Any, folder: Path) -> Settings:
    """Of a server as the suite wants it."""
    tls: dict[str, str] = {}
    if wanted.use_tls:
        for name, data in (
            ("tls_cert", wanted.server_creds.cert),
            ("tls_key", wanted.server_creds.key),
            ("tls_client_ca", wanted.client_tls_cert),
        ):
            if data:
                (folder / name).write_bytes(data)
                tls[name] = str(folder / name)
    return Settings(web_port=0, **tls)


async def serve(types: dict[str, type[Any]], wanted: Any, folder: Path) -> None:
    """Serves until SIGTERM."""
    chosen = settings(wanted, folder)
    logger = make_logger(LineWriter(sys.stderr), "json", "error")
    calls = Handling(Gate(1000, refusal=None), Guard(chosen, logger), logger, Telemetry(chosen, {}))
    service = Default().FindServiceByName(f"{PACKAGE}.ConformanceService")
    endpoints = ConformanceEndpoints(calls, Offload(), chosen.max_message_bytes)
    listener = Listener(
        Application(
            endpoints.of(Offer(service, Conformance(types), METHODS)), calls, chosen, logger
        ),
        chosen,
        Certificates(chosen, logger).contexts() if chosen.tls_cert else None,
        logger,
    )
    listener.open("127.0.0.1", 0)
    answer = types["ServerCompatResponse"](
        host="127.0.0.1", port=listener.port, pem_cert=wanted.server_creds.cert
    ).SerializeToString()
    sys.stdout.buffer.write(struct.pack(">I", len(answer)) + answer)
    sys.stdout.buffer.flush()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()
    await listener.stop(0.1)


def main() -> None:
    types = load(Path(sys.argv[1]))
    (length,) = struct.unpack(">I", sys.stdin.buffer.read(4))
    wanted = types["ServerCompatRequest"].FromString(sys.stdin.buffer.read(length))
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(serve(types, wanted, Path(folder)))


if __name__ == "__main__":
    main()
