"""A server with metrics, and what it shows of itself."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass

import grpc
import pytest
from prometheus_client.parser import text_string_to_metric_families

from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from server.embedded import embedded_server
from server.log import LineWriter
from server.settings import Settings
from tests.server.positions import Memory, eventually

CALLS = "rpc_server_call_duration_seconds_count"


class Scrape(dict[tuple[str, frozenset[tuple[str, str]]], float]):
    """The samples at one moment, by name and labels."""

    def total(self, name: str, **labels: str) -> float:
        """The sum of all samples of a name that have these labels."""
        wanted = labels.items()
        return sum(v for (n, found), v in self.items() if n == name and wanted <= found)

    @property
    def names(self) -> set[str]:
        """The names of all samples."""
        return {name for name, _ in self}


@dataclass
class Observed:
    """A server and where its metrics are."""

    url: str
    channel: grpc.Channel

    def scrape(self) -> Scrape:
        with urllib.request.urlopen(self.url, timeout=20) as response:  # noqa: S310
            text = response.read().decode()
        return Scrape(
            ((sample.name, frozenset(sample.labels.items())), sample.value)
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        )

    @property
    def advisor(self) -> AdvisorServiceStub:
        return AdvisorServiceStub(self.channel)

    @property
    def rules(self) -> RulesServiceStub:
        return RulesServiceStub(self.channel)

    def settled(self, before: Scrape, calls: int) -> Scrape:
        """Waits until calls are counted: that happens just after they were answered."""

        def found() -> Scrape | None:
            now = self.scrape()
            return now if now.total(CALLS) - before.total(CALLS) == calls else None

        settled: Scrape = eventually(found)
        return settled


@pytest.fixture(scope="module")
def observed() -> Iterator[Observed]:
    """A server with one place for a search, none to wait, and little memory for it."""
    log = Memory()
    settings = Settings(
        port=0,
        threads=2,
        metrics_port=0,
        max_searches=1,
        max_waiting=0,
        search_memory_mib=1,
        deadline_margin_ms=100,
    )
    with (
        embedded_server(settings, LineWriter(log)) as address,
        grpc.insecure_channel(address) as channel,
    ):
        (line,) = eventually(lambda: log.lines(event="listening"))
        yield Observed(f"http://127.0.0.1:{line['metrics_port']}/metrics", channel)
