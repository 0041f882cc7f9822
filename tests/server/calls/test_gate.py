"""The gate, while a server stops."""

from __future__ import annotations

import asyncio

import pytest

from server.calls.gate import Gate
from server.errors import Refused


async def test_a_closed_gate_is_calm_once_nobody_has_knocked_for_a_while() -> None:
    gate = Gate(max_calls=1, refusal=None)
    gate.close()
    calm = asyncio.create_task(gate.calm(0.5))
    for _ in range(10):
        await asyncio.sleep(0.1)
        with pytest.raises(Refused), gate.inside():
            pass
        assert not calm.done()
    await asyncio.wait_for(calm, 10)
