"""The process that handles the messages of a campaign."""

from __future__ import annotations

import argparse
import faulthandler
import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis import strategies as st

from engines.registry import game_ids
from tests.fuzz.campaign import Campaign
from tests.fuzz.failures import FOLDER, Failure
from tests.fuzz.late import compiled, compiled_since
from tests.fuzz.messages import Case, case, within_bounds
from tests.fuzz.requests import METHODS, prepare_positions
from tests.fuzz.service import SETTINGS, grpc_service, in_process_service, request_type
from tests.fuzz.strategies import messages

REPORT = Path("build/fuzz.json")
_STRATEGY_SHARE = 0.1
_GRPC_SHARE = 0.02
_EVERY = 10_000
"""Messages between two lines of progress."""
_SHOWN = 20
"""Failures that are printed in full."""


def run(arguments: argparse.Namespace) -> int:
    """Sends all messages; returns 0 if nothing was wrong with any answer."""
    faulthandler.enable()
    seed, games = arguments.seed, tuple(arguments.game or game_ids())
    if unknown := set(games) - set(game_ids()):
        raise SystemExit(f"no such game: {', '.join(unknown)}; there are {', '.join(game_ids())}")
    prepare_positions(seed)
    measured = not (arguments.bounds_check or arguments.plain_python)
    from_strategies = round(_STRATEGY_SHARE * arguments.count)
    over_grpc = arguments.over_grpc
    if over_grpc is None:
        over_grpc = round(_GRPC_SHARE * arguments.count)
    begin = time.monotonic()
    with in_process_service(SETTINGS) as service:
        before = compiled()
        campaign = Campaign(service, seed, timed=measured)
        numbers = range(arguments.count - from_strategies)
        _send_all(campaign, (case(seed, number, games) for number in numbers))
        _send_from_strategies(campaign, from_strategies, seed)
        campaign.finish()
        late = compiled_since(before)
    with grpc_service(SETTINGS) as wire:
        remote = Campaign(wire, seed, timed=False)
        first = arguments.count
        _send_all(remote, (case(seed, first + n, games) for n in range(over_grpc)))
        remote.finish()
    report = {
        "seed": seed,
        "games": games,
        "bounds_check": arguments.bounds_check,
        "plain_python": arguments.plain_python,
        "seconds": round(time.monotonic() - begin, 1),
        "compiled_late": late,
        "in_process": campaign.figures.summary(),
        "over_grpc": remote.figures.summary(),
    }
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(json.dumps(report, indent=1), encoding="utf-8")
    print(json.dumps(report, indent=1))
    failures = campaign.figures.failures + remote.figures.failures
    print(f"{failures} answers are wrong" + (f"; see {FOLDER}" if failures else ""))
    if late:
        print(f"compiled only when a call needed it: {', '.join(late)}")
    return int(failures > 0 or bool(late))


def replay(path: Path) -> int:
    """Sends a saved message again; returns 0 if nothing is wrong with its answer now."""
    faulthandler.enable()
    saved = Failure.load(path)
    with in_process_service(SETTINGS) as service:
        print(request_type(saved.case.method).__name__, len(saved.case.data), "bytes")
        found = Campaign(service, saved.seed, timed=True, folder=FOLDER / "again").send(saved.case)
    _tell(saved.case, found)
    return int(bool(found))


def _send_all(campaign: Campaign, cases: Iterable[Case]) -> None:
    for count, one in enumerate(cases, start=1):
        found = campaign.send(one)
        if found and campaign.figures.failures <= _SHOWN:
            _tell(one, found)
        if count % _EVERY == 0:
            print(f"{count} messages, {campaign.figures.failures} wrong answers", flush=True)


def _send_from_strategies(campaign: Campaign, count: int, seed: int) -> None:
    """Messages that Hypothesis makes up from the descriptors alone."""
    sent: list[Case] = []

    @with_seed(seed)
    @settings(
        max_examples=max(count, 1),
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def send(data: st.DataObject) -> None:
        method = data.draw(st.sampled_from(METHODS))
        kind = request_type(method)
        message = data.draw(messages(kind.DESCRIPTOR))
        encoded = within_bounds(kind, message.SerializeToString())
        sent.append(Case(len(sent), "strategy", "any", method, encoded))
        _send_all(campaign, sent[-1:])

    if count:
        send()


def _tell(one: Case, found: Sequence[str]) -> None:
    print(f"message {one.number} ({one.origin}, {one.game_id}) to {one.method}:")
    for problem in found:
        print(f"  {problem}")
