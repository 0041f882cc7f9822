"""The dashboard shows what servers export: nothing else, and all of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import grpc
import promql_parser
import pytest

from adamas.v1 import advisor_service_pb2 as pb
from tests.server.positions import limits, query
from tests.server.program import ROOT
from tests.server.telemetry.conftest import CALLS, Observed, Scrape

DASHBOARD = json.loads((ROOT / "deploy" / "grafana" / "adamas.json").read_text("utf-8"))
SCRAPED_LABELS = {"job", "instance"}
"""Prometheus adds them when it scrapes."""


def panels() -> list[dict[str, Any]]:
    return [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]


def parsed(expression: str) -> Any:
    """A query with Grafana's variables filled in."""
    for variable in ("$__rate_interval", "$__range"):
        expression = expression.replace(variable, "5m")
    return promql_parser.parse(expression)


def queries() -> Iterator[Any]:
    for panel in panels():
        for target in panel["targets"]:
            yield parsed(target["expr"])


def nodes(expression: Any, kind: type) -> list[Any]:
    found: list[Any] = []
    promql_parser.walk(expression, lambda node: found.append(node) if type(node) is kind else None)
    return found


@pytest.fixture(scope="module")
def scrape(observed: Observed) -> Scrape:
    """What a server exports that has answered and refused."""
    before = observed.scrape()
    asked = query(observed.rules, "dao", limits=limits(time=0.1))
    observed.advisor.Recommend(pb.RecommendRequest(query=asked))
    with pytest.raises(grpc.RpcError):
        observed.advisor.Recommend(pb.RecommendRequest())
    found = observed.settled(before, 3)
    assert found.total(CALLS) >= 3
    return found


def test_every_metric_and_label_of_the_dashboard_is_exported(scrape: Scrape) -> None:
    count = 0
    for expression in queries():
        for selector in nodes(expression, promql_parser.VectorSelector):
            count += 1
            assert selector.name in scrape.names
            labels = {
                label for (name, found) in scrape for label, _ in found if name == selector.name
            }
            matched = {matcher.name for matcher in selector.matchers.matchers}
            assert matched <= labels | SCRAPED_LABELS
            for aggregate in nodes(expression, promql_parser.AggregateExpr):
                if aggregate.modifier is not None:
                    assert set(aggregate.modifier.labels) <= labels | SCRAPED_LABELS
    assert count >= 20


def test_every_metric_of_ours_is_on_the_dashboard_and_documented(scrape: Scrape) -> None:
    def family(name: str) -> str:
        return re.sub("_(bucket|count|sum)$", "", name)

    shown = {
        family(selector.name)
        for expression in queries()
        for selector in nodes(expression, promql_parser.VectorSelector)
    }
    exported = {family(name) for name in scrape.names if name.startswith(("adamas_", "rpc_"))}
    assert exported <= shown
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")
    assert all(f"`{name}`" in page for name in exported)


def test_panels_are_complete_and_do_not_overlap() -> None:
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids)
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        cells = {
            (place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])
        }
        assert not cells & taken, panel["title"]
        taken |= cells
    for panel in panels():
        assert panel["title"]
        assert panel["description"]
        assert panel["fieldConfig"]["defaults"]["unit"]
        assert panel["datasource"]["uid"] == "${datasource}"


def test_the_variables_of_queries_are_defined() -> None:
    defined = {variable["name"] for variable in DASHBOARD["templating"]["list"]}
    text = json.dumps(panels())
    used = set(re.findall(r"\$\{?([a-z]\w*)", text)) - {"__rate_interval", "__range"}
    assert used <= defined
    assert {"job", "instance", "datasource"} <= used
