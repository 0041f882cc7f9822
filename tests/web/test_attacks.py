"""Requests as an attacker would send them."""

from __future__ import annotations

import http.client
import json
from typing import Any

import pytest

from tests.web.visitor import OPEN, YOU, Visitor
from web.host.guard import HEADERS, LARGEST_BODY
from web.host.limits import Buckets
from web.host.names import LONGEST, clean_name
from web.host.refusals import Refusal

NEW = {"options": {"dao": {}}, "seats": [YOU, OPEN]}


@pytest.mark.parametrize("path", ["/", "/page/main.js", "/api/games", "/api/none", "/none"])
def test_every_answer_has_the_headers(ann: Visitor, path: str) -> None:
    answer = ann.ask("GET", path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "unsafe" not in HEADERS["content-security-policy"]
    assert "http" not in HEADERS["content-security-policy"]
    assert "server" not in answer.headers


def test_the_cookie_is_out_of_reach(ann: Visitor) -> None:
    given = ann.ask("GET", "/").headers["set-cookie"]
    assert "; HttpOnly" in given
    assert "; SameSite=Strict" in given
    assert "set-cookie" not in ann.ask("GET", "/").headers
    assert "set-cookie" in Visitor(ann.port, cookie="adamas=short").ask("GET", "/").headers


@pytest.mark.parametrize(
    "headers",
    [
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "none"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
    ],
    ids=str,
)
def test_other_sites_change_nothing(ann: Visitor, headers: dict[str, Any]) -> None:
    answer = ann.ask("POST", "/api/tables", NEW, **headers)
    assert (answer.status, answer.reason) == (403, "FORBIDDEN")
    assert ann.get("/api/tables") == {"tables": []}


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_forms_change_nothing(ann: Visitor, kind: str) -> None:
    assert ann.ask("POST", "/api/tables", NEW, content_type=kind).status == 400


def test_other_sites_read_nothing(ann: Visitor) -> None:
    assert ann.ask("GET", "/api/tables", sec_fetch_site="cross-site").status == 403


def test_a_name_that_points_here_is_no_way_in(ann: Visitor) -> None:
    """Another site's name may be made to lead to this address."""
    for host in ("evil.example", "localhost.evil.example", ""):
        assert ann.ask("GET", "/api/tables", host=host).status == 400
    assert ann.ask("GET", "/api/tables", host=f"localhost:{ann.port}").status == 200


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b"[]",
        b"3",
        b"\xff\xfe",
        b"[" * 30_000,
        b'{"options":' * 5_000,
        b'{"seats": "' + b"9" * 6_000 + b'"}',
        json.dumps({**NEW, "seed": 10**400}).encode(),
    ],
    ids=lambda data: str(data[:12]),
)
def test_bodies_that_are_none(ann: Visitor, data: bytes) -> None:
    answer = ann.ask("POST", "/api/tables", data=data)
    assert (answer.status, answer.reason) == (400, "INVALID")


def test_bodies_that_are_too_long(ann: Visitor) -> None:
    answer = ann.ask("POST", "/api/tables", data=b" " * (LARGEST_BODY + 1))
    assert (answer.status, answer.reason) == (413, "TOO_LARGE")
    chunks = (b" " * 8192 for _ in range(20))
    connection = http.client.HTTPConnection("127.0.0.1", ann.port, timeout=60)
    headers = ann.headers(content_type="application/json", transfer_encoding="chunked")
    try:
        connection.request("POST", "/api/tables", chunks, headers, encode_chunked=True)
        assert connection.getresponse().status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass  # it was cut off while it was still sending
    finally:
        connection.close()


@pytest.mark.parametrize(
    "path",
    [
        "/page/../host/app.py",
        "/page/%2e%2e/host/app.py",
        "/page/..%2fhost%2fapp.py",
        "/page//etc/passwd",
        "/api/tables/..%2f..",
        "/api/tables/%00",
        "/api/tables/x/seats/99999999999999999999",
    ],
)
def test_paths_that_lead_nowhere(ann: Visitor, path: str) -> None:
    assert ann.ask("GET", path).status in (404, 405)


def test_names_are_cleaned() -> None:
    assert clean_name("  Ann \n\t Lee ") == "Ann Lee"
    assert clean_name("\u202eevil\u2066\x00\x1b[31m\u200b") == "evil[31m"
    assert clean_name("e\u0301") == "é"
    assert len(clean_name("x" * 10_000)) == LONGEST
    assert clean_name("<script>alert(1)</script>") == "<script>alert(1)</script>"[:LONGEST]


def test_a_script_in_a_name_comes_as_text(ann: Visitor) -> None:
    name = "<img src=x onerror=a()>"
    answer = ann.ask("POST", "/api/tables", {**NEW, "seats": [{**YOU, "name": name}, OPEN]})
    assert answer.json["seats"][0]["name"] == name
    assert answer.headers["content-type"] == "application/json"


def test_floods_are_refused_and_others_are_not() -> None:
    now = [0.0]
    buckets = Buckets(per_second=2, size=5, clock=lambda: now[0])
    for _ in range(5):
        buckets.take("flood")
    with pytest.raises(Refusal) as refused:
        buckets.take("flood")
    assert refused.value.status == 429
    assert refused.value.retry_after >= 1
    buckets.take("other")
    now[0] += 0.5
    buckets.take("flood")
    with pytest.raises(Refusal):
        buckets.take("flood")
