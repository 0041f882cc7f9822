"""Spoilt messages are messages of the same type, and differ from what they were."""

from __future__ import annotations

from random import Random

import pytest

from engines.registry import game_ids
from tests.fuzz.requests import METHODS, spares, valid_request
from tests.fuzz.service import request_type
from tests.fuzz.structure import spoil

SEED = 2


@pytest.mark.parametrize("method", METHODS)
def test_spoilt_messages_can_be_encoded_and_mostly_differ(method: str) -> None:
    pick = Random(method)
    changed = 0
    for _ in range(60):
        message = valid_request(method, pick.choice(game_ids()), SEED, pick)
        before = message.SerializeToString()
        spoil(message, pick, spares(SEED))
        after = message.SerializeToString()
        request_type(method).FromString(after)
        changed += after != before
    assert changed > 30
