"""Puts the service together, starts it and stops it."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from grpc import aio
from grpc_health.v1 import health, health_pb2
from grpc_health.v1.health_pb2_grpc import add_HealthServicer_to_server
from grpc_reflection.v1alpha import reflection

from adamas.v1 import advisor_service_pb2, rules_service_pb2
from adamas.v1.advisor_service_pb2_grpc import add_AdvisorServiceServicer_to_server
from adamas.v1.rules_service_pb2_grpc import add_RulesServiceServicer_to_server
from engines.contract import Game
from server.access.guard import Guard
from server.access.interceptor import ReflectionGuard
from server.awake import AwakeClock
from server.calls.decoding import DecodingInterceptor
from server.calls.gate import Gate
from server.calls.handling import Handling
from server.calls.interceptor import CallInterceptor
from server.calls.transport import Transport
from server.loading import compile_games, load_games, must_compile
from server.log import LineWriter, make_logger
from server.requests.messages import Reader
from server.services.advisor import Advisor
from server.services.health import Health
from server.services.offload import Offload
from server.services.rules import Rules
from server.services.searches import Searches
from server.settings import Settings
from server.suspects.hosts import Hosts
from server.suspects.quarantine import Quarantine
from server.telemetry.metrics import Gauge
from server.telemetry.telemetry import Telemetry
from server.turns.course import Latencies
from server.turns.scheduler import Scheduler
from server.web.endpoints import Offer
from server.web.front import WebFront
from server.workers.pool import Workers

ADVISOR = advisor_service_pb2.DESCRIPTOR.services_by_name["AdvisorService"]
RULES = rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"]
_HEALTH = health_pb2.DESCRIPTOR.services_by_name["Health"]
T = TypeVar("T")
_SERVICES = (ADVISOR.full_name, RULES.full_name)
_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
_SWITCH_INTERVAL = 0.001
"""How long a thread may keep the interpreter lock while another wants it, in seconds."""
_SENDING = 0.5
"""How long the last answers may take to be sent when the server stops, in seconds."""
_CALM, _LONGEST_UNREST = 0.01, 0.5
"""gRPC cancels calls that come in the very moment in which it shuts down, and nobody tries these
again. So that moment is one in which nobody has come for a while, if there is one; in seconds."""


class RunningServer:
    """A server that has been started. ``stop`` ends it; it can't be started again."""

    def __init__(self, settings: Settings, writer: LineWriter) -> None:
        self.settings = settings
        self._telemetry = Telemetry(settings)
        metrics = self._telemetry.metrics
        self.logger = make_logger(
            writer, settings.log_format, settings.log_level, self._telemetry.log_processors
        )
        self._writer = writer
        self._guard = Guard(settings, self.logger)
        self._gate = Gate(settings.max_calls)
        self._awake = AwakeClock()
        self._ticking: asyncio.Task[None] | None = None
        quarantine = Quarantine(self.logger, metrics)
        self._workers = Workers(
            settings.workers,
            settings.threads,
            self.logger,
            metrics,
            quarantine.suspect,
            self._awake.now,
        )
        self._scheduler = Scheduler(settings.threads, metrics, self._awake.now)
        self._offload = Offload()
        self._games: dict[str, Game] = {}
        self._health = Health(_SERVICES)
        self._stopping: asyncio.Task[None] | None = None
        reader = Reader(self._games)
        hosts = Hosts(self._workers, quarantine)
        latencies = Latencies(settings.threads, self._awake.now)
        searches = Searches(hosts, self._scheduler, latencies, settings, metrics)
        self._advisor = Advisor(reader, searches, self._offload, settings, metrics)
        self._rules = Rules(reader, self._games, self._offload)
        metrics.observe(Gauge.ACTIVE_CALLS, lambda: self._gate.active)
        calls = Handling(self._gate, self._guard, self.logger, self._telemetry)
        interceptors = (
            *self._telemetry.interceptors,
            # First whose calls are many: each interceptor before it costs them something.
            CallInterceptor(_SERVICES, calls, settings.max_message_bytes),
            ReflectionGuard(self._guard),
            DecodingInterceptor(),
        )
        self._transport = Transport(settings, interceptors, self._register, self.logger)
        self._web = WebFront(
            settings,
            [Offer.whole(ADVISOR, self._advisor), Offer.whole(RULES, self._rules)],
            [Offer(_HEALTH, self._health, ("Check", "List"))],
            calls,
            self._offload,
            self.logger,
        )

    @property
    def port(self) -> int:
        """The port that the server listens on."""
        return self._transport.port

    @property
    def address(self) -> str:
        """Where clients connect to."""
        return self._transport.address

    @property
    def web_port(self) -> int | None:
        """The port for browsers, if there is one."""
        return self._web.port

    @property
    def metrics_port(self) -> int | None:
        """The port that metrics are served on, if they are."""
        return self._telemetry.metrics_port

    def reload(self) -> None:
        """Reads the list of clients again."""
        self._guard.reload()

    async def open(self) -> None:
        """Listens, not serving yet. Raises OSError if the port can't be had."""
        self._ticking = asyncio.create_task(self._awake.run())
        await self._health.announce(_NOT_SERVING)
        self._telemetry.open()
        await self._transport.open()
        await self._web.open()
        await self._workers.start()
        self.logger.info(
            "listening",
            address=self.address,
            tls=bool(self.settings.tls_cert),
            authentication=self.settings.authenticates,
            web_port=self.web_port,
            metrics_port=self.metrics_port,
        )

    async def load(self, *, compiling: bool) -> None:
        """Compiles the games if that is left to do, loads them, then serves."""
        if compiling:
            await compile_games(self.logger)
        games, _ = await asyncio.gather(_in_daemon_thread(load_games), self._workers.load())
        self._games.update(games)
        if self._stopping is not None:
            return
        self._gate.refusal = None
        await self._health.announce(_SERVING)
        self.logger.info("serving", address=self.address, games=list(self._games))

    async def stop(self) -> None:
        """Refuses new calls, ends running searches with what they have, and lets calls finish.

        Before that it goes on for the lingering time, while the health check already tells
        balancers to send calls elsewhere. Calls that are still running when the drain time is over
        are cancelled.
        """
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop())
        await asyncio.shield(self._stopping)

    async def _stop(self) -> None:
        self.logger.info("stopping", calls=self._gate.active)
        await self._health.enter_graceful_shutdown()
        await asyncio.sleep(self.settings.linger)
        self._gate.close()
        self._scheduler.drain()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.settings.drain):
                await self._gate.emptied()
        with suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST_UNREST):
                await self._gate.calm(_CALM)
        # What is left now are answers on their way and streams of the health check.
        await asyncio.gather(self._transport.stop(_SENDING), self._web.stop(_SENDING))
        await self._workers.close()
        self._offload.close()
        if self._ticking is not None:
            self._ticking.cancel()
        await asyncio.to_thread(self._telemetry.close)
        self.logger.info("stopped")
        self._writer.close()

    def _register(self, server: aio.Server) -> None:
        """Adds the services to a gRPC server."""
        add_AdvisorServiceServicer_to_server(self._advisor, server)
        add_RulesServiceServicer_to_server(self._rules, server)
        add_HealthServicer_to_server(self._health, server)
        if self.settings.reflection:
            reflection.enable_server_reflection(
                (*_SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME), server
            )


async def start(settings: Settings, writer: LineWriter | None = None) -> RunningServer:
    """Starts a server and returns once it serves. Log lines go to stderr unless told otherwise."""
    sys.setswitchinterval(min(sys.getswitchinterval(), _SWITCH_INTERVAL))
    compiling = await _in_daemon_thread(must_compile)  # before anybody hears of a server
    server = RunningServer(settings, writer or LineWriter(sys.stderr))
    try:
        await server.open()
        await server.load(compiling=compiling)
    except BaseException:
        await server.stop()
        raise
    return server


async def _in_daemon_thread(function: Callable[[], T]) -> T:
    """Runs a long function in a thread that does not hold up the end of the process."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(set_outcome: Callable[[], None]) -> None:
        if not done.cancelled():
            set_outcome()

    def run() -> None:
        try:
            set_outcome = partial(done.set_result, function())
        except BaseException as error:
            set_outcome = partial(done.set_exception, error)
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, set_outcome)

    threading.Thread(target=run, name="adamas-load", daemon=True).start()
    return await done
