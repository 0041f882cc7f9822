"""A few hundred messages of every kind; ``make fuzz`` sends very many more."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adamas.v1 import advisor_service_pb2, rules_service_pb2
from engines.jit import JIT_ENABLED
from engines.registry import game_ids
from tests.fuzz.campaign import Campaign
from tests.fuzz.failures import Failure
from tests.fuzz.messages import Case, case, within_bounds
from tests.fuzz.oracle import problems
from tests.fuzz.requests import METHODS
from tests.fuzz.service import InProcess, OverGrpc, request_type
from tests.fuzz.strategies import messages

SEED = 11
ROOT = Path(__file__).parent.parent.parent
COMPILING = 300
IN_PROCESS, OVER_GRPC = 150, 25
"""Messages a game."""

GAMES = pytest.mark.parametrize("game_id", game_ids())


def test_every_call_is_fuzzed() -> None:
    services = (
        advisor_service_pb2.DESCRIPTOR.services_by_name["AdvisorService"],
        rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"],
    )
    calls = {f"/{s.full_name}/{m.name}" for s in services for m in s.methods}
    assert set(METHODS) == calls


@GAMES
def test_spoilt_messages(service: InProcess, game_id: str, tmp_path: Path) -> None:
    send(Campaign(service, SEED, timed=False, folder=tmp_path), game_id, range(IN_PROCESS))


@GAMES
def test_spoilt_messages_over_grpc(wire: OverGrpc, game_id: str, tmp_path: Path) -> None:
    numbers = range(IN_PROCESS, IN_PROCESS + OVER_GRPC)
    send(Campaign(wire, SEED, timed=False, folder=tmp_path), game_id, numbers)


@pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")
def test_nothing_is_compiled_while_calls_are_handled(tmp_path: Path) -> None:
    """In a process of its own, as other tests compile what calls must not."""
    program = textwrap.dedent(
        f"""
        from pathlib import Path
        from tests.fuzz.campaign import Campaign
        from tests.fuzz.late import compiled, compiled_since
        from tests.fuzz.messages import case
        from tests.fuzz.service import in_process_service
        with in_process_service() as service:
            before = compiled()
            campaign = Campaign(service, {SEED}, timed=False, folder=Path({str(tmp_path)!r}))
            for number in range({COMPILING}):
                campaign.send(case({SEED}, number))
            print(",".join(compiled_since(before)))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def send(campaign: Campaign, game_id: str, numbers: range) -> None:
    for number in numbers:
        one = case(SEED, number, [game_id])
        assert campaign.send(one) == (), one


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_messages_from_descriptors(service: InProcess, data: st.DataObject) -> None:
    method = data.draw(st.sampled_from(METHODS))
    kind = request_type(method)
    message = data.draw(messages(kind.DESCRIPTOR))
    encoded = within_bounds(kind, message.SerializeToString())
    outcome = service.call(method, encoded)
    assert list(problems(service, method, encoded, outcome)) == []


def test_a_message_is_fixed_by_seed_and_number() -> None:
    assert case(3, 5) == case(3, 5)
    assert case(3, 5) != case(3, 6)
    assert case(3, 5) != case(4, 5)


def test_a_failure_survives_the_way_through_its_file(tmp_path: Path) -> None:
    failure = Failure(Case(7, "bytes", "dao", METHODS[0], b"\0\xff"), 3, ("長", "b"))
    assert Failure.load(failure.save(tmp_path)) == failure
