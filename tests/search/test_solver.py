"""Endings are solved exactly, and the search says so."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from google.protobuf import json_format

from adamas.v1 import game_pb2
from engines.contract import GAME_OVER, MAX_UNSEEN, RESULT_ROWS, SCORE, WIN_SHARE, Game
from engines.dao.rules import STATE
from engines.events import NO_LOG, new_log
from engines.jit import Row
from engines.registry import game, games, options_message
from engines.rng import below, generator
from engines.violations import Report
from search import Search
from search.solver import solver_of
from search.strength import Strength
from tests.search.test_dao_endgames import endgame_position, solve

CASES = sorted(Path(__file__).with_name("cases").glob("*.json"))
MEMORY = 64 << 20
ENDLESS = 1 << 40


class Case:
    """A position with the exact values of its moves, found by another program."""

    def __init__(self, path: Path) -> None:
        case: Any = json.loads(path.read_text("utf-8"))
        view = json_format.ParseDict(case["position"], game_pb2.PlayerView())
        [(field, message)] = view.ListFields()
        self.game = game(field.name)
        report = Report()
        self.view = self.game.codec.read_view(message, "view", report)
        report.raise_if_any()
        self.search = Search(self.game, self.view, seed=1, trees=1)
        self.values = {
            self._number(value["move"]): (Fraction(value["win"]), Fraction(value["margin"]))
            for value in case["moves"]
        }

    def _number(self, move: Any) -> int:
        row = self.search.sample
        message = type(self.game.codec.write_move(row, self.search.moves[0]))()
        json_format.ParseDict(move, message)
        return int(self.game.codec.read_move(row, message, "move", Report()))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_known_values_are_found(path: Path) -> None:
    case = Case(path)
    solver = solver_of(case.game, case.search.sample, len(case.search.moves), MEMORY)
    assert solver is not None
    solver.run(ENDLESS)
    assert solver.solved
    assert case.values.keys() == set(case.search.moves)
    for move, found in zip(case.search.moves, solver.values(), strict=True):
        win, margin = case.values[move]
        assert found.win_share == pytest.approx(float(win), abs=1e-12)
        assert found.margin == pytest.approx(float(margin), abs=1e-9)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_best_move_by_victory_then_margin_comes_first(path: Path) -> None:
    case = Case(path)
    case.search.run(2_000)
    result = case.search.result(99)
    assert result.solved
    ranked = [case.values[candidate.figures.move] for candidate in result.candidates]
    assert ranked == sorted(ranked, reverse=True)
    for candidate in result.candidates:
        win, _ = case.values[candidate.figures.move]
        assert candidate.figures.win_probability == pytest.approx(float(win))
        assert candidate.figures.win_standard_error == 0.0
        assert candidate.figures.score_standard_error == 0.0


@pytest.mark.parametrize("split", [False, True])
def test_win_probabilities_in_dao_are_those_of_the_rules_page(split: bool) -> None:
    """Up to four cards in the deck, against an expectimax that was written without the engine."""
    dao = game("dao")
    compared = 0
    for seed in range(1, 25):
        row = endgame_position(seed, split)
        if row is None or not 1 <= row.view(STATE)[0].deck_size <= 4:
            continue
        solver = solver_of(dao, row, 2, MEMORY)
        assert solver is not None
        solver.run(ENDLESS)
        exact = solve(row)
        for move, value in enumerate(solver.values()):
            assert value.win_share == pytest.approx(exact[move], abs=1e-12)
        compared += 1
    assert compared >= 5


def endings(found: Game, seats: int, options: Any, seeds: range) -> list[Row]:
    """The last position with a choice of each game played by the policy, where it is an ending."""
    rows = []
    for seed in seeds:
        row = found.codec.new_game(options, seats, seed, new_log())
        rng = generator(seed, 3)
        last = None
        out = np.zeros(found.max_moves, dtype=np.int64)
        for _ in range(found.max_game_moves):
            if found.kernels.seat_to_move(row) == GAME_OVER:
                break
            cards = np.zeros(MAX_UNSEEN, dtype=np.int64)
            assert found.endings is not None
            if found.kernels.legal_moves(row, out) > 1 and found.endings.unseen(row, cards) >= 0:
                last = row.copy()
            found.kernels.apply_move(row, found.kernels.policy_move(row, rng), NO_LOG)
        if last is not None:
            rows.append(last)
    return rows


def outcomes(found: Game, row: Row, move: int) -> tuple[float, float, int]:
    """Mean win share and score over random orders of the cards to be turned, where that is all
    that is left to happen; how often it was."""
    mover = int(found.kernels.seat_to_move(row))
    cards = np.zeros(MAX_UNSEEN, dtype=np.int64)
    assert found.endings is not None
    n = int(found.endings.unseen(row, cards))
    rng = generator(11)
    results = np.zeros((RESULT_ROWS, 6))
    wins, scores, ended = [], [], 0
    for _ in range(400):
        after = row.copy()
        order = cards.copy()
        for i in range(n - 1, 0, -1):
            j = below(rng, i + 1)
            order[[i, j]] = order[[j, i]]
        found.endings.reorder(after, order, n)
        found.kernels.apply_move(after, move, NO_LOG)
        if found.kernels.seat_to_move(after) == GAME_OVER:
            found.kernels.evaluate(after, results)
            wins.append(results[WIN_SHARE, mover])
            scores.append(results[SCORE, mover])
            ended += 1
    if not ended:
        return 0.0, 0.0, 0
    return float(np.mean(wins)), float(np.mean(scores)), ended


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_values_of_dao_are_means_over_what_may_be_turned(seats: int) -> None:
    """Where a move ends the game whatever is turned, random orders must agree with its value."""
    dao = game("dao")
    options = options_message("dao")
    options.two_round_split = False  # type: ignore[attr-defined]
    compared = 0
    for row in endings(dao, seats, options, range(12)):
        solver = solver_of(dao, row, 2, MEMORY)
        assert solver is not None
        solver.run(ENDLESS)
        for move, value in enumerate(solver.values()):
            win, score, ended = outcomes(dao, row, move)
            if ended == 400:
                assert value.win_share == pytest.approx(win, abs=0.1)
                assert value.score == pytest.approx(score, abs=0.6)
                compared += 1
    assert compared >= 3


def test_slicing_a_solver_changes_nothing() -> None:
    case = Case(CASES[0])
    whole, sliced = (
        solver_of(case.game, case.search.sample, len(case.search.moves), MEMORY) for _ in range(2)
    )
    assert whole is not None
    assert sliced is not None
    whole.run(ENDLESS)
    for steps in range(0, whole.steps + 100, 37):
        sliced.run(steps)
        assert sliced.steps <= steps
    assert sliced.solved
    assert sliced.steps == whole.steps
    assert sliced.values() == whole.values()


def test_a_limited_search_does_not_solve() -> None:
    """A weak level would play its endings like the strongest one."""
    case = Case(CASES[0])
    weak = Search(case.game, case.view, seed=1, trees=1, strength=Strength(blur=0.05))
    weak.run(2_000)
    assert not weak.solved
    assert not weak.result(3).solved


def test_an_ending_that_takes_too_much_memory_is_left_to_the_search() -> None:
    dao = game("dao")
    row = endgame_position(5, split=False, most=6)
    assert row is not None
    solver = solver_of(dao, row, 2, 0)
    assert solver is not None
    solver.run(ENDLESS)
    assert not solver.solved


@pytest.mark.parametrize("found", games().values(), ids=games().keys())
def test_a_new_game_is_no_ending(found: Game) -> None:
    row = found.codec.new_game(options_message(found.game_id), found.min_seats, 1, new_log())
    assert solver_of(found, row, 2, MEMORY) is None
