"""Calls from a page in a real browser, with what browsers have by themselves: fetch and JSON."""

from __future__ import annotations

from functools import partial

import pytest
from google.protobuf.json_format import MessageToJson

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from tests.server.positions import eventually, limits, query
from tests.server.web.browser import found_by_page
from tests.server.web.conftest import Web
from tests.server.web.front import EMPTY, front_alone

SCRIPT = """\
const [server, query] = [SERVER, QUERY];
const path = `${server}/adamas.v1.AdvisorService`;
const found = {};

function post(method, message, options = {}) {
  const type = options.type ?? "application/json";
  const headers = { "content-type": type, "connect-protocol-version": "1", ...options.headers };
  return fetch(`${path}/${method}`, {
    method: "POST", headers, body: options.body ?? JSON.stringify(message), signal: options.signal,
  });
}

function envelope(message) {
  const text = new TextEncoder().encode(JSON.stringify(message));
  const body = new Uint8Array(5 + text.length);
  new DataView(body.buffer).setUint32(1, text.length);
  body.set(text, 5);
  return body;
}

async function unary() {
  const response = await post("Recommend", { query });
  return { status: response.status, answer: await response.json() };
}

async function refused() {
  const response = await post("Recommend", { query: { ...query, candidates: -1 } });
  return { status: response.status, answer: await response.json() };
}

async function deadline() {
  const slow = { ...query, limits: { time: "15s" } };
  const headers = { "connect-timeout-ms": "1500" };
  const response = await post("Recommend", { query: slow }, { headers });
  return (await response.json()).advice.search.stopReason;
}

async function stream() {
  const slow = { ...query, limits: { time: "1s" } };
  const type = "application/connect+json";
  const body = envelope({ query: slow, updateInterval: "0.1s" });
  const response = await post("Analyze", null, { type, body });
  const arrivals = [];
  let [left, messages] = [new Uint8Array(), []];
  const began = performance.now();
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    left = new Uint8Array([...left, ...value]);
    while (left.length >= 5) {
      const length = new DataView(left.buffer, left.byteOffset).getUint32(1);
      if (left.length < 5 + length) break;
      messages.push([left[0], JSON.parse(new TextDecoder().decode(left.slice(5, 5 + length)))]);
      arrivals.push(performance.now() - began);
      left = left.slice(5 + length);
    }
  }
  return { messages, arrivals };
}

async function abort() {
  const call = new AbortController();
  setTimeout(() => call.abort(), 700);
  const slow = { ...query, limits: { time: "15s" } };
  try {
    const message = { query: slow, requestId: "aborted in a browser" };
    await post("Recommend", message, { signal: call.signal });
    return "answered";
  } catch (error) {
    return error.name;
  }
}

for (const scenario of [unary, refused, deadline, stream, abort]) {
  found[scenario.name] = await scenario().catch((error) => `${error}`);
}
await fetch("results", { method: "POST", body: JSON.stringify(found) });
"""


@pytest.fixture
def script(web: Web, web_rules: RulesServiceStub) -> str:
    asked = query(web_rules, "dao", limits=limits(200), seed=3, candidates=3)
    return SCRIPT.replace("SERVER", f'"{web.url}"').replace("QUERY", MessageToJson(asked))


def test_a_page_gets_answers_streams_and_errors_and_can_stop(web: Web, script: str) -> None:
    found = found_by_page(script)
    assert found["unary"]["status"] == 200
    assert len(found["unary"]["answer"]["advice"]["candidates"]) == 2
    assert found["refused"]["status"] == 400
    (bad, _) = found["refused"]["answer"]["details"]
    assert bad["debug"]["fieldViolations"][0]["field"] == "query.candidates"
    assert found["deadline"] == pb.StopReason.Name(pb.STOP_REASON_DEADLINE)
    *updates, final, end = found["stream"]["messages"]
    assert len(updates) > 1
    assert all(flags == 0 and "final" not in message for flags, message in updates)
    assert final[1]["final"] is True
    assert end == [2, {}]
    assert found["stream"]["arrivals"][0] < 700  # not all at once, at the end
    assert found["abort"] == "AbortError"
    (line,) = eventually(partial(web.log.lines, request_id="aborted in a browser"))
    assert line["code"] == "CANCELLED"
    assert line["elapsed_ms"] < 10_000


def test_a_page_that_is_not_listed_can_do_nothing() -> None:
    others_can_reach_it = {"host": "0.0.0.0", "insecure_no_tls": True, "insecure_no_auth": True}  # noqa: S104
    with front_alone(EMPTY, web_origins="https://play.example", **others_can_reach_it) as web:
        lines = SCRIPT.replace("SERVER", f'"{web.url}"').replace("QUERY", "{}")
        found = found_by_page(lines.replace("[unary, refused, deadline, stream, abort]", "[unary]"))
        assert found["unary"] == "TypeError: Failed to fetch"
        assert not web.log.lines(event="call")
