"""Searches that look at some of the legal moves, in every game."""

from __future__ import annotations

import pytest

from engines.contract import Game
from engines.dao import rules
from engines.jit import Row
from engines.registry import game, games
from search import Search
from search.choice import Choice
from tests.contract.play import Setting, legal_moves, plies, view_of

GAMES = pytest.mark.parametrize("game", games().values(), ids=games().keys())


def wide_position(game: Game, at_least: int = 4) -> tuple[Row, list[int]]:
    """A view with several legal moves, as far as the game has so many, and these."""
    at_least = min(at_least, game.max_moves)
    for row, move in plies(Setting(game, game.min_seats, "standard"), seed=3):
        if move >= 0 and len(moves := legal_moves(game, row)) >= at_least:
            return view_of(game, row, int(game.kernels.seat_to_move(row))), moves
    raise AssertionError(f"no position of {game.game_id} has {at_least} moves")


@GAMES
def test_only_the_moves_to_consider_are_searched(game: Game) -> None:
    view, moves = wide_position(game)
    some = frozenset(moves[1::2])
    search = Search(game, view, seed=3, choice=Choice(some))
    search.run(200)
    result = search.result(1000)
    assert {candidate.figures.move for candidate in result.candidates} == some
    assert sum(candidate.figures.visits for candidate in result.candidates) == 200
    assert result.legal_moves == len(moves)
    assert search.best_move() == result.candidates[0].figures.move


@GAMES
def test_considering_all_moves_changes_nothing(game: Game) -> None:
    view, moves = wide_position(game)
    every, chosen = (
        Search(game, view, seed=3),
        Search(game, view, seed=3, choice=Choice(frozenset(moves))),
    )
    for search in (every, chosen):
        search.run(200)
    assert every.result(1000).candidates[0].figures == chosen.result(1000).candidates[0].figures
    assert every.result(1000).nodes == chosen.result(1000).nodes


@GAMES
def test_a_single_move_to_consider_is_searched_unless_it_is_forced(game: Game) -> None:
    view, moves = wide_position(game)
    search = Search(game, view, seed=3, choice=Choice(frozenset(moves[-1:])))
    assert not search.forced
    search.run(50)
    assert [c.figures.visits for c in search.result(9).candidates] == [50]


@GAMES
def test_a_move_to_compare_is_tried_and_ranked_wherever_it_stands(game: Game) -> None:
    view, moves = wide_position(game)
    for move in (moves[0], moves[-1]):
        search = Search(game, view, seed=3, choice=Choice(compared=move))
        search.run(2)
        assert search.result(1).compared is not None
        search.run(200)
        result = search.result(1)
        assert result.compared is not None
        ranked = [candidate.figures.move for candidate in search.result(1000).candidates]
        assert ranked[result.compared.rank - 1] == move == result.compared.move.figures.move
        assert result.compared.move.figures.visits > 0
        assert result.compared.move.line[0].move == move


@GAMES
def test_the_first_iteration_tries_the_move_to_compare(game: Game) -> None:
    """Where there are more moves than can all be tried, it would else be left to chance."""
    view, moves = wide_position(game)
    for move in (moves[0], moves[-1]):
        search = Search(game, view, seed=3, trees=1, choice=Choice(compared=move))
        search.run(1)
        compared = search.result(1).compared
        assert compared is not None
        assert compared.move.figures.visits == 1


@pytest.mark.parametrize(
    "choice",
    [(frozenset(), None), (frozenset({1}), 0)],
    ids=["nothing", "compared with what is left out"],
)
def test_choices_that_make_no_sense_are_refused(choice: tuple[frozenset[int], int | None]) -> None:
    with pytest.raises(ValueError, match="consider"):
        Choice(*choice)


def test_a_solved_position_gives_the_exact_values_of_the_moves_to_consider() -> None:
    dao = game("dao")
    endings = [
        view_of(dao, row, int(dao.kernels.seat_to_move(row)))
        for row, move in plies(Setting(dao, 2, "standard"), seed=5)
        if move >= 0 and legal_moves(dao, row) == [rules.TAKE, rules.REVEAL]
    ]
    every = Search(dao, endings[-1], seed=1)
    one = Search(dao, endings[-1], seed=1, choice=Choice(frozenset({rules.REVEAL})))
    for search in (every, one):
        search.run(4000)
        assert search.solved
    values = {c.figures.move: c.figures for c in every.result(2).candidates}
    (found,) = one.result(2).candidates
    assert found.figures.move == rules.REVEAL
    assert found.figures.win_probability == values[rules.REVEAL].win_probability
    assert found.figures.expected_score == values[rules.REVEAL].expected_score
