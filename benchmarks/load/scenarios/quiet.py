"""One caller, nothing else to do."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.figures import Figure, at_least, at_most
from benchmarks.load.calls import Question
from benchmarks.load.clients import Identity
from benchmarks.load.generator import ClosedLoad, generator
from benchmarks.load.positions import positions
from benchmarks.load.scale import Scale
from benchmarks.load.summaries import answered, codes, lateness, percentile, share
from tools.server_process import serving

_LIMIT, _ON_TIME = 0.1, 0.110


def measure(scale: Scale) -> Iterator[Figure]:
    """With a limit of 100 ms and no load, 99 of 100 answers are there within 110 ms."""
    with serving() as server, generator(1) as load:
        asked = positions(server.address)
        questions = [Question(number, _LIMIT, timeout=5.0) for number in range(len(asked))]
        caller = ClosedLoad(
            Identity("one"), questions, callers=1, calls=scale.quiet_calls + len(asked), pause=0.01
        )
        outcomes = load.run(server.address, asked, [caller], seconds=3600.0)[len(asked) :]
    on_time = [outcome for outcome in answered(outcomes) if outcome.seconds <= _ON_TIME]
    took = [1000 * outcome.seconds for outcome in outcomes]
    note = f"{codes(outcomes)}; median {percentile(took, 50):.1f} ms, longest {max(took):.1f} ms"
    yield at_least("quiet.share_within_110_ms", share(outcomes, on_time), 0.99, "", note, pace=True)
    illegal = sum(not outcome.legal for outcome in answered(outcomes))
    yield at_most("quiet.illegal_moves", illegal, 0)
    yield lateness("quiet", outcomes)
