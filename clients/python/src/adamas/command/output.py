"""What commands print: text for people, JSON for programs."""

import json
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

from adamas.command.words import Words
from adamas.figures import number, percent
from adamas.games import SeatResult
from adamas.search import Advice, Candidate


def print_json(value: object) -> None:
    """Prints a value of this package as one line of JSON; messages inside as protobuf's."""
    print(json.dumps(plain(value), ensure_ascii=not writes_unicode()), flush=True)


def writes_unicode() -> bool:
    """Whether standard output takes every letter."""
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def plain(value: object) -> Any:
    """A value of this package as what JSON knows."""
    if isinstance(value, Message):
        return json_format.MessageToDict(value, preserving_proto_field_name=True)
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: plain(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [plain(held) for held in value]
    if isinstance(value, Enum):
        return value.value
    return value


def result_words(result: SeatResult, words: Words) -> str:
    """A seat's result, for people."""
    return words["result_wins" if result.win_share else "result"].format(
        seat=result.seat, score=number(result.score), share=result.win_share
    )


def advice_lines(advice: Advice, words: Words) -> Iterator[str]:
    """Ranked moves with their reasons, for people."""
    for rank, candidate in enumerate(advice.candidates, 1):
        yield f"{rank}. {candidate.words}"
        yield from _candidate_lines(candidate, words)
    if (compared := advice.compared) is not None:
        yield words["compared"].format(rank=compared.rank, words=compared.candidate.words)
        yield from _candidate_lines(compared.candidate, words)
    search = advice.search
    yield words["search" if advice.final else "so_far"].format(
        iterations=search.iterations,
        seconds=search.elapsed,
        nodes=search.nodes,
        reason=words[search.stop_reason],
    )


def _candidate_lines(candidate: Candidate[Any], words: Words) -> Iterator[str]:
    if candidate.visits:
        yield words["figures"].format(
            win=percent(candidate.win_probability),
            score=number(candidate.expected_score, ".2f"),
            visits=candidate.visits,
        )
    if candidate.reason:
        yield f"   {candidate.reason}"
