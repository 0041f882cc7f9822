"""Searches of DAO positions whose answer is known."""

from __future__ import annotations

import pytest

from adamas.v1 import dao_pb2 as pb
from engines.contract import RANDOM
from engines.dao import rules
from engines.jit import Row
from engines.registry import game
from engines.violations import Report
from search import NoStateAgrees, Search
from search.kernel import LEADERS_TURN
from search.strength import Strength
from tests.examples.test_dao import position

DAO = game("dao")


def view_of(state: pb.DaoState, seat: int = 0) -> Row:
    report = Report()
    row = DAO.codec.read_state(state, "state", report)
    report.raise_if_any()
    view = DAO.new_view()
    DAO.kernels.project(row, seat, view)
    return view


def best_move(search: Search) -> int:
    return search.result(1).candidates[0].figures.move


@pytest.mark.parametrize("policy", [RANDOM, 1])
def test_a_search_ends_the_game_while_it_leads(policy: int) -> None:
    """One card is left. Taking the last row card refills, which ends the game at once and wins."""
    state = position("E4", "F2", {0: "E3 E3 E2"}, seats=2)
    search = Search(DAO, view_of(state), seed=1, strength=Strength(policy=policy))
    search.run(500)
    assert best_move(search) == rules.TAKE
    assert search.result(1).candidates[0].figures.win_probability == 1


def test_figures_of_a_certain_result_have_no_error() -> None:
    state = position("E4", "F2", {0: "E3 E3 E2"}, seats=2)
    search = Search(DAO, view_of(state), seed=1)
    search.run(200)
    best = search.result(1).candidates[0].figures
    assert best.expected_score == 3 + 3 + 2 + 4
    assert best.score_standard_error == 0


def test_an_iteration_limit_is_divided_among_the_trees() -> None:
    search = Search(DAO, view_of(position("E4", "F2 M1 M1 A3", seats=2)), seed=1, trees=3)
    assert search.share(10) == (4, 3, 3)
    search.run(10)
    assert [tree.iterations for tree in search.trees] == [4, 3, 3]


def test_trees_of_one_search_differ() -> None:
    search = Search(DAO, view_of(position("E4", "F2 M1 M1 A3 A3 W1 W2", seats=2)), seed=1, trees=2)
    search.run(4000)
    first, second = (list(tree.arena.edges["utility"][:2]) for tree in search.trees)
    assert first != second


def test_a_view_that_no_state_agrees_with_is_refused() -> None:
    view = DAO.new_view()
    with pytest.raises(NoStateAgrees):
        Search(DAO, view, seed=1)


def test_the_leading_moves_are_certain_of_a_share() -> None:
    """Both moves of a DAO position get a fair number of iterations, however one of them looks."""
    state = position("E4", "F2 M1 M1 A3 A3 W1 W2 W3 M3 M4 A1", {0: "E3 E3 E2"}, seats=2)
    search = Search(DAO, view_of(state), seed=1, trees=1)
    search.run(800)
    visits = [candidate.figures.visits for candidate in search.result(2).candidates]
    assert sum(visits) == 800
    assert min(visits) >= 800 // (2 * LEADERS_TURN)


def test_a_game_explores_as_it_says() -> None:
    search = Search(DAO, view_of(position("E4", "F2", seats=2)), seed=1, trees=1)
    assert search.trees[0].plan.exploration == DAO.exploration
    other = Search(DAO, view_of(position("E4", "F2", seats=2)), seed=1, trees=1, exploration=0.5)
    assert other.trees[0].plan.exploration == 0.5
