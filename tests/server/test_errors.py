"""Errors stay small enough to travel."""

from __future__ import annotations

from google.rpc.error_details_pb2 import BadRequest

from engines.violations import InvalidMessage, Violation
from server.errors import invalid_message

TRAILER_LIMIT = 8192


def test_many_long_violations_fit_in_the_trailers() -> None:
    long = "長" * 5000
    violations = [Violation(f"query.view.hand[{i}]", long) for i in range(1000)]
    status = invalid_message(InvalidMessage(violations)).status()
    # Binary details travel in base64, the message percent-encoded.
    encoded = 4 * len(status.SerializeToString()) / 3 + 3 * len(status.message.encode())
    assert encoded < TRAILER_LIMIT
    assert "and 999 more" in status.message


def test_what_fits_is_told() -> None:
    violations = [Violation(f"query.view.hand[{i}]", "is not a card") for i in range(12)]
    status = invalid_message(InvalidMessage(violations)).status()
    bad_request = BadRequest()
    status.details[0].Unpack(bad_request)
    assert [v.field for v in bad_request.field_violations] == [v.field for v in violations]


def test_the_message_tells_all_violations_that_fit_in_a_line() -> None:
    violations = [Violation(f"view.{name}", "use 0 to 3") for name in ("seat", "turn", "dealer")]
    message = invalid_message(InvalidMessage(violations)).message
    assert message == "view.seat: use 0 to 3; view.turn: use 0 to 3; view.dealer: use 0 to 3"
    long = [*violations, Violation("view.round", "is wrong " * 40)]
    message = invalid_message(InvalidMessage(long)).message
    assert message.endswith("view.dealer: use 0 to 3 (and 1 more)")
