"""Goes through everything that calls do with a game, so that nothing is left to compile for them.

Contract functions are compiled when a game is imported. But codecs, words and casual players also
call rules of their game directly, and such a rule is compiled at its first call, which takes a
second or more: longer than any answer may. So a game is played once ahead of time, where it is
compiled; a process that starts with compiled rules has only to load them, and looks at a few
positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.contract import GAME_OVER, CandidateFigures, Game
from engines.events import new_log
from engines.jit import Row
from engines.languages import LANGUAGES
from engines.registry import options_message
from engines.rng import below, generator
from engines.violations import Report

_SEEDS: Final = (0, 1)
_MOVES: Final = 12
"""Moves of a position that are written, read and put into words."""


def rehearse(game: Game, stride: int = 1) -> None:
    """Plays a few games at random; reads, writes and words positions, their moves and events.

    Every position, or only one in ``stride``.
    """
    for seed in _SEEDS:
        row = game.codec.new_game(options_message(game.game_id), game.min_seats, seed, new_log())
        rng = generator(seed)
        for ply in range(game.max_game_moves):
            if game.kernels.seat_to_move(row) == GAME_OVER:
                break
            moves = game.legal_moves(row)
            before, log = row.copy(), new_log()
            game.kernels.apply_move(row, moves[below(rng, len(moves))], log)
            if ply % stride:
                continue
            _rehearse_position(game, before, moves)
            for event in game.codec.write_events(before, row, log):
                for language in LANGUAGES:
                    game.words.event(event, language)
        _rehearse_position(game, row, [])


def _rehearse_position(game: Game, row: Row, moves: list[int]) -> None:
    codec, report = game.codec, Report()
    codec.read_state(codec.write_state(row), "", report)
    seat = max(int(game.kernels.seat_to_move(row)), 0)
    view = game.new_view()
    game.kernels.project(row, seat, view)
    codec.read_view(codec.write_view(view), "", report)
    report.raise_if_any()
    if moves:
        game.casual(view, moves)
        _rehearse_moves(game, row, moves[:: 1 + len(moves) // _MOVES])


def _rehearse_moves(game: Game, row: Row, moves: Sequence[int]) -> None:
    figures = [CandidateFigures(move, 9, 0.5, 1.0, 0.5, (move,)) for move in moves]
    for index, move in enumerate(moves):
        game.codec.read_move(row, game.codec.write_move(row, move), "", Report())
        for language in LANGUAGES:
            game.words.move(row, move, language)
            game.words.hidden_move(row, language)
            game.words.reason(row, figures, index, language)
