"""Surrounds every call with its log line, its errors, and the gate that refuses it.

Whichever way a call came in, it runs inside ``Handling.call``: with a Call as context variable. It
raises ``Refused`` or ``InvalidMessage`` for what it will not answer, and anything else it raises is
a fault of the server: logged with a traceback, told to the client as an incident only.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager

import grpc

from engines.violations import InvalidMessage
from server import errors
from server.access.guard import Guard
from server.access.origin import Origin
from server.calls.call import Call, current
from server.calls.gate import Gate
from server.calls.stream import Read, RequestStream
from server.errors import Refused
from server.log import Logger
from server.telemetry.telemetry import Telemetry


class Handling:
    """What all calls of Adamas's own services go through, one a server."""

    def __init__(self, gate: Gate, guard: Guard, logger: Logger, telemetry: Telemetry) -> None:
        self._gate = gate
        self._guard = guard
        self._logger = logger
        self._telemetry = telemetry

    @contextmanager
    def call(self, call: Call, origin: Origin) -> Iterator[None]:
        """Lets a call in; whatever is raised inside comes out as Refused."""
        with self.record("call", call):
            call.caller = self._guard.identify(origin)
            with self._gate.inside(), call.caller.account.calling():
                yield

    def refuse_strangers(self, call: Call, origin: Origin) -> None:
        """Raises Refused if nobody known calls, before anything else is done for a call."""
        try:
            self._guard.identify(origin)
        except Refused:
            with self.record("call", call):
                raise

    def web_call(
        self, method: str, headers: Iterable[tuple[bytes, bytes]]
    ) -> AbstractContextManager[object]:
        """Surrounds all that is done for a call that came over HTTP with its span."""
        return self._telemetry.web_call(method, headers)

    def requests(self, call: Call, read: Read) -> RequestStream:
        """The requests of a call that streams them."""
        return RequestStream(call, read, self._gate, self.record)

    @contextmanager
    def record(self, event: str, call: Call) -> Iterator[None]:
        """Surrounds a call, or one request of a stream, with its log line; raises Refused."""
        token = current.set(call)
        code = grpc.StatusCode.OK
        try:
            yield
        except (asyncio.CancelledError, GeneratorExit):
            past = call.deadline is not None and time.monotonic() >= call.deadline
            code = grpc.StatusCode.DEADLINE_EXCEEDED if past else grpc.StatusCode.CANCELLED
            raise
        except Exception as error:
            refused = self._refused(error, call)
            code = refused.code
            raise refused from None
        finally:
            current.reset(token)
            self._log(event, call, code)

    def _refused(self, error: Exception, call: Call) -> Refused:
        if isinstance(error, Refused):
            call.note(reason=error.message)
            self._telemetry.metrics.call_refused(error.reason)
            return error
        if isinstance(error, InvalidMessage):
            refused = errors.invalid_message(error)
            call.note(field=error.violations[0].field, violations=len(error.violations))
            self._telemetry.metrics.call_refused(refused.reason)
            return refused
        incident = secrets.token_hex(6)
        call.note(incident=incident)
        self._logger.error("incident", incident=incident, method=call.method, exc_info=error)
        return errors.internal(incident)

    def _log(self, event: str, call: Call, code: grpc.StatusCode) -> None:
        elapsed = time.monotonic() - call.started
        if call.request_id:
            call.note(request_id=call.request_id[:128])
        if call.client:
            call.note(client=call.client)
        self._logger.info(
            event,
            method=call.method,
            code=code.name,
            elapsed_ms=round(1000 * elapsed, 3),
            peer=call.peer,
            bytes=call.size,
            **call.fields,
        )
        if event == "call":
            self._telemetry.call_ended(call.method, code, elapsed, call.fields)
