"""What must hold for a search of any game."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from engines.contract import GAME_OVER, Game
from engines.registry import games
from engines.rng import generator
from search import Search
from tests.contract.play import Setting, legal_moves, plies, position_after, variants, view_of

GAMES = pytest.mark.parametrize("game", games().values(), ids=games().keys())
VARIANTS = pytest.mark.parametrize("setting", variants(), ids=str)


def positions(game: Game) -> list[tuple[np.ndarray, int]]:
    """Positions with a decision to search, and who decides."""
    found = []
    for seed, depth in ((1, 2), (2, 9), (3, 25)):
        setting = Setting(game, game.min_seats + seed % 2, "standard")
        row = position_after(setting, seed, depth)
        found.append((row, int(game.kernels.seat_to_move(row))))
    return found


def answer(game: Game, view: np.ndarray, seed: int, iterations: int = 400) -> list[object]:
    """Everything that a search says, as plain values."""
    search = Search(game, view, seed=seed)
    search.run(iterations)
    return [(c.figures, [(s.seat, s.move) for s in c.line]) for c in search.result(99).candidates]


@VARIANTS
def test_candidates_are_the_legal_moves_and_visits_add_up(setting: Setting) -> None:
    game = setting.game
    row = position_after(setting, 4, 6)
    seat = int(game.kernels.seat_to_move(row))
    search = Search(game, view_of(game, row, seat), seed=3)
    search.run(300)
    result = search.result(10_000)
    assert sorted(c.figures.move for c in result.candidates) == legal_moves(game, row)
    assert sum(c.figures.visits for c in result.candidates) == 300 == result.iterations
    visits = [c.figures.visits for c in result.candidates]
    assert visits == sorted(visits, reverse=True)
    for candidate in result.candidates:
        assert 0 <= candidate.figures.win_probability <= 1
        assert candidate.line[0].move == candidate.figures.move


@GAMES
def test_the_best_move_that_is_no_candidate_is_known(game: Game) -> None:
    row, seat = positions(game)[0]
    search = Search(game, view_of(game, row, seat), seed=5)
    search.run(100)
    everything = search.result(10_000)
    assert everything.next_best is None
    for number in range(1, min(3, len(everything.candidates))):
        left_out = search.result(number).next_best
        assert left_out is not None
        assert left_out == replace(everything.candidates[number].figures, line=())


@GAMES
def test_a_seed_and_iterations_fix_the_answer(game: Game) -> None:
    for row, seat in positions(game):
        view = view_of(game, row, seat)
        assert answer(game, view, 5) == answer(game, view, 5)


@GAMES
def test_slicing_a_search_changes_nothing(game: Game) -> None:
    for row, seat in positions(game):
        view = view_of(game, row, seat)
        whole, sliced = (Search(game, view, seed=6, trees=1) for _ in range(2))
        whole.run(9_000)
        for part in (1, 17, 2_982, 6_000):
            sliced.run(part)
        assert whole.result(99).candidates[0].figures == sliced.result(99).candidates[0].figures
        assert whole.trees[0].nodes == sliced.trees[0].nodes


@GAMES
def test_another_process_gives_the_same_answer(game: Game) -> None:
    program = (
        "from engines.registry import game\n"
        "from tests.contract.test_search import answer, positions, view_of\n"
        f"g = game({game.game_id!r})\n"
        "print([answer(g, view_of(g, row, seat), 7) for row, seat in positions(g)])"
    )
    elsewhere = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    here = [answer(game, view_of(game, row, seat), 7) for row, seat in positions(game)]
    assert elsewhere.stdout.strip() == str(here)


@GAMES
def test_hidden_cards_never_change_the_answer(game: Game) -> None:
    for row, seat in positions(game):
        view = view_of(game, row, seat)
        table = game.new_table()
        game.kernels.prepare(view, table)
        swapped = game.new_row()
        game.kernels.determinize(view, table, generator(99), swapped)
        assert swapped.tobytes() != row.tobytes()
        assert answer(game, view_of(game, swapped, seat), 8) == answer(game, view, 8)


@GAMES
def test_other_seeds_search_otherwise(game: Game) -> None:
    row, seat = positions(game)[0]
    view = view_of(game, row, seat)
    assert answer(game, view, 1) != answer(game, view, 2)


@GAMES
def test_memory_is_bounded_and_the_search_goes_on(game: Game) -> None:
    row, seat = positions(game)[0]
    view = view_of(game, row, seat)
    search = Search(game, view, seed=1, trees=1, memory_bytes=1 << 20)
    search.run(40_000)
    result = search.result(3)
    assert result.iterations == 40_000
    assert search.trees[0].arena.bytes <= max(
        1 << 20, 2 * Search(game, view, seed=1, trees=1).trees[0].arena.bytes
    )


@GAMES
def test_without_iterations_there_is_still_a_legal_move(game: Game) -> None:
    row, seat = positions(game)[0]
    result = Search(game, view_of(game, row, seat), seed=1).result(3)
    assert result.candidates[0].figures.move in legal_moves(game, row)
    assert result.candidates[0].figures.visits == 0


@GAMES
def test_a_seat_that_is_not_to_move_has_no_moves(game: Game) -> None:
    for row, move in plies(Setting(game, game.max_seats, "standard"), 3):
        deciding = int(game.kernels.seats_to_move(row))
        for seat in range(game.max_seats):
            if not deciding >> seat & 1:
                assert Search(game, view_of(game, row, seat), seed=1).moves == ()
                return
        assert move != GAME_OVER


@GAMES
def test_reasons_have_words_for_every_candidate(game: Game) -> None:
    for row, seat in positions(game):
        search = Search(game, view_of(game, row, seat), seed=2)
        search.run(500)
        figures = [c.figures for c in search.result(20).candidates]
        for language in ("en", "zh-TW"):
            for i in range(len(figures)):
                words = game.words.reason(search.sample, figures, i, language)
                assert words
                assert "{" not in words
                assert "\n" not in words
