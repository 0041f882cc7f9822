"""What strengths below full do to a search."""

from __future__ import annotations

import numpy as np
import pytest

from engines.jit import Row
from engines.registry import game
from search import Search
from search.strength import FULL_STRENGTH, Strength
from search.tree import Tree
from tests.contract.play import Setting, position_after, view_of
from tests.examples.test_dao import position
from tests.search.test_search import view_of as dao_view_of

DAO = game("dao")
UNLIMITED = Strength(iterations=1 << 40, reach=1 << 20)


def opening() -> Row:
    row = Setting(DAO, 3, "standard").deal(5)
    return view_of(DAO, row, int(DAO.kernels.seat_to_move(row)))


def searched(strength: Strength, *, seed: int = 1, iterations: int = 600, trees: int = 1) -> Search:
    search = Search(DAO, opening(), seed=seed, trees=trees, strength=strength)
    search.run(iterations)
    return search


def answer(search: Search) -> list[object]:
    return [(c.figures, [(s.seat, s.move) for s in c.line]) for c in search.result(9).candidates]


def outcomes_seen(tree: Tree) -> frozenset[tuple[int, int]]:
    """What chance brought after each move, over all determinizations."""
    grown = tree.arena.children[: tree.arena.tree[0].children]
    return frozenset((int(child["edge"]), int(child["outcome"])) for child in grown)


def test_limits_that_are_never_reached_change_nothing() -> None:
    assert answer(searched(UNLIMITED)) == answer(searched(FULL_STRENGTH))


def test_known_worlds_are_sampled_again_and_again() -> None:
    few, many = searched(Strength(worlds=2, reach=1)), searched(Strength(reach=1))
    moves = len(few.moves)
    assert len(outcomes_seen(few.trees[0])) <= 2 * moves < len(outcomes_seen(many.trees[0]))
    assert few.result(1).determinizations == 2
    assert many.result(1).determinizations == 600


def test_trees_know_the_same_worlds() -> None:
    first, second = searched(Strength(worlds=2, reach=1), trees=2).trees
    assert outcomes_seen(first) == outcomes_seen(second)


def test_another_seed_knows_other_worlds() -> None:
    strength = Strength(worlds=1, reach=1)
    assert len({outcomes_seen(searched(strength, seed=i).trees[0]) for i in range(8)}) > 1


def test_no_more_worlds_count_than_were_sampled() -> None:
    assert searched(Strength(worlds=50), iterations=7).result(1).determinizations == 7


@pytest.mark.parametrize("reach", [1, 2, 3])
def test_reach_bounds_how_far_the_tree_looks_ahead(reach: int) -> None:
    lengths = [len(c.line) for c in searched(Strength(reach=reach)).result(9).candidates]
    assert max(lengths) == reach
    assert max(len(c.line) for c in searched(FULL_STRENGTH).result(9).candidates) > 3


def test_without_blur_utilities_are_seen_as_they_are() -> None:
    utilities = np.array([0.2, 0.7, 0.69])
    assert FULL_STRENGTH.blurred(utilities, seed=1) is utilities


def test_blur_follows_a_logit_choice() -> None:
    utilities, blur = np.array([0.5, 0.6, 0.2]), 0.1
    weights = np.exp(utilities / blur)
    chosen = [int(Strength(blur=blur).blurred(utilities, seed).argmax()) for seed in range(3000)]
    shares = np.bincount(chosen, minlength=3) / 3000
    assert shares == pytest.approx(weights / weights.sum(), abs=0.03)


def test_a_blurred_choice_is_fixed_by_the_seed() -> None:
    strength = Strength(blur=1.0)
    assert answer(searched(strength)) == answer(searched(strength))
    best = {searched(strength, seed=i).result(1).candidates[0].figures.move for i in range(20)}
    assert len(best) == 2


def test_blur_hides_no_move_that_stands_out() -> None:
    """Taking the last row card wins at once; turning a card may lose."""
    view = dao_view_of(position("E4", "F2", {0: "E3 E3 E2"}, seats=2))
    for seed in range(20):
        search = Search(DAO, view, seed=seed, trees=1, strength=Strength(blur=0.01))
        search.run(100)
        assert search.result(1).candidates[0].figures.win_probability == 1


def test_moves_that_were_not_tried_come_last() -> None:
    diamonds = game("diamonds")
    row = position_after(Setting(diamonds, 3, "standard"), 1, 1)
    view = view_of(diamonds, row, int(diamonds.kernels.seat_to_move(row)))
    search = Search(diamonds, view, seed=1, trees=1, strength=Strength(blur=1.0))
    search.run(3)
    visits = [c.figures.visits for c in search.result(99).candidates]
    assert len(visits) > 3
    assert [n > 0 for n in visits] == sorted((n > 0 for n in visits), reverse=True)


def test_a_limit_of_the_strength_holds_beside_the_one_asked_for() -> None:
    search = Search(DAO, opening(), seed=1, strength=Strength(iterations=50))
    assert (search.limit(None), search.limit(20), search.limit(80)) == (50, 20, 50)
    assert Search(DAO, opening(), seed=1).limit(None) is None


def test_limited_iterations_go_into_one_tree() -> None:
    assert Strength(iterations=50).trees == 1
    assert FULL_STRENGTH.trees is None


@pytest.mark.parametrize(
    ("wrong", "named"),
    [({"iterations": 0}, "iterations"), ({"worlds": -1}, "worlds"), ({"reach": 0}, "reach"),
     ({"blur": -0.1}, "blur"), ({"blur": float("nan")}, "blur")],
)  # fmt: skip
def test_impossible_strengths_are_refused(wrong: dict[str, float], named: str) -> None:
    with pytest.raises(ValueError, match=f"^{named} is"):
        Strength(**wrong)  # type: ignore[arg-type]


def test_contenders_are_the_moves_that_look_alike() -> None:
    certain = Search(DAO, dao_view_of(position("E4", "F2", {0: "E3 E3 E2"}, seats=2)), seed=1)
    certain.run(2000)
    contenders = certain.result(1).contenders
    assert 1 <= contenders <= 2
    assert searched(FULL_STRENGTH, iterations=2).result(1).contenders <= 2
    assert Search(DAO, opening(), seed=1).result(1).contenders == 2
