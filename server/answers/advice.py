"""From what a search found to the message: moves, words, reasons and figures."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adamas.v1 import advisor_service_pb2 as pb
from engines.contract import CandidateFigures, Game
from engines.jit import Row
from server.answers import pace
from server.requests.durations import duration
from server.requests.messages import State

if TYPE_CHECKING:  # importing the search compiles it; see server.loading
    from search import LineStep, Result
    from search.search import ComparedMove


@dataclass(frozen=True)
class Frame:
    """What stays the same over all advice of one search."""

    game: Game
    sample: Row
    """A determinization of the view, for words."""
    language: str
    detail: int
    """An adamas.v1.Detail."""
    seed: int
    started: float

    @property
    def has_lines(self) -> bool:
        """Whether lines, words and reasons belong to the advice."""
        return self.detail != pb.DETAIL_FIGURES


def compose(frame: Frame, result: Result, stop_reason: pb.StopReason.ValueType) -> pb.Advice:
    """The advice for a result."""
    figures = [candidate.figures for candidate in result.candidates]
    if result.next_best is not None:
        figures.append(result.next_best)
    candidates = [
        _candidate(frame, figures, index, candidate.line)
        for index, candidate in enumerate(result.candidates)
    ]
    return pb.Advice(
        best_move=candidates[0].move,
        candidates=candidates,
        legal_moves=result.legal_moves,
        compared=_compared(frame, figures, result.compared),
        suggested_delay=pace.suggested_delay(
            pace.Decision(result.legal_moves, result.contenders, frame.seed, frame.sample),
            frame.started,
        ),
        search=pb.SearchFigures(
            iterations=result.iterations,
            determinizations=result.determinizations,
            nodes=result.nodes,
            trees=result.trees,
            elapsed=duration(time.monotonic() - frame.started),
            stop_reason=stop_reason,
            seed=frame.seed,
            memory_bound_reached=result.memory_bound_reached,
            widened=result.widened,
            solved=result.solved,
        ),
    )


def _compared(
    frame: Frame, figures: Sequence[CandidateFigures], compared: ComparedMove | None
) -> pb.ComparedMove | None:
    """The move to compare with the best of those ranked, or with the next best if it leads."""
    if compared is None:
        return None
    move, index = compared.move, compared.rank - 1
    if index >= len(figures):
        figures, index = (*figures, move.figures), len(figures)
    candidate = _candidate(frame, figures, index, move.line)
    return pb.ComparedMove(candidate=candidate, rank=compared.rank)


def _candidate(
    frame: Frame,
    figures: Sequence[CandidateFigures],
    index: int,
    line: Sequence[LineStep],
) -> pb.Candidate:
    own = figures[index]
    root = State(frame.game, frame.sample)
    candidate = pb.Candidate(
        move=root.move_message(own.move),
        visits=own.visits,
        win_probability=own.win_probability,
        expected_score=own.expected_score,
        score_standard_error=own.score_standard_error,
        win_standard_error=own.win_standard_error,
    )
    if frame.has_lines:
        words = frame.game.words
        candidate.words = words.move(root.row, own.move, frame.language)
        candidate.reason = words.reason(root.row, figures, index, frame.language)
        # The line begins with the candidate itself, which has been written already.
        first, *later = line
        candidate.principal_variation.add(
            seat=first.seat, move=candidate.move, words=candidate.words
        )
        candidate.principal_variation.extend(_line_move(frame, step) for step in later)
    return candidate


def _line_move(frame: Frame, step: LineStep) -> pb.LineMove:
    words = frame.game.words
    if step.move is None:
        return pb.LineMove(seat=step.seat, words=words.hidden_move(step.row, frame.language))
    return pb.LineMove(
        seat=step.seat,
        move=State(frame.game, step.row).move_message(step.move),
        words=words.move(step.row, step.move, frame.language),
    )
