"""Our games as OpenSpiel games."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

pytest.importorskip("pyspiel")
import pyspiel

from engines.contract import GAME_OVER, MAX_SEATS, RESULT_ROWS, UTILITY, Game
from engines.events import NO_LOG
from engines.rng import below, generator
from environments.openspiel.games import SHORT_NAME, AdamasState
from environments.openspiel.resampler import Resampler
from tests.contract.play import Setting, legal_moves, plies, view_of
from tests.environments.openspiel_games import GAMES, SETTINGS, decisions, loaded


@SETTINGS
def test_openspiels_own_checks_of_a_game_pass(setting: Setting) -> None:
    pyspiel.random_sim_test(loaded(setting, 4), num_sims=1, serialize=True, verbose=False)


@SETTINGS
def test_a_game_in_openspiel_is_the_game_in_the_engine(setting: Setting) -> None:
    game = setting.game
    rng = generator(5)
    for seed in range(3):
        state, row = loaded(setting, seed).new_initial_state(), setting.deal(seed)
        while (seat := int(game.kernels.seat_to_move(row))) != GAME_OVER:
            actions = state.legal_actions()
            assert state.current_player() == seat
            assert [state.move(action) for action in actions] == legal_moves(game, row)
            assert state.returns() == [0.0] * setting.seats
            action = actions[below(rng, len(actions))]
            game.kernels.apply_move(row, state.move(action), NO_LOG)
            state.apply_action(action)
            assert np.array_equal(state.row, row)
        assert state.is_terminal()
        results = np.zeros((RESULT_ROWS, MAX_SEATS))
        game.kernels.evaluate(row, results)
        expected = 2 * results[UTILITY, : setting.seats] - 1
        assert state.returns() == pytest.approx(expected.tolist())
        assert all(-1 <= value <= 1 for value in state.returns())


def test_a_variant_is_played_by_its_rules() -> None:
    parameters = {"game": "diamonds", "players": 3, "seed": 4}
    perfect = pyspiel.load_game(SHORT_NAME, parameters | {"variant": "perfect"})
    standard = pyspiel.load_game(SHORT_NAME, parameters)
    assert "perfect: true" in str(perfect.new_initial_state())
    assert "perfect: true" not in str(standard.new_initial_state())


@SETTINGS
def test_a_copy_goes_its_own_way(setting: Setting) -> None:
    state = loaded(setting, 1).new_initial_state()
    copy = state.clone()
    assert np.array_equal(copy.row, state.row)
    copy.apply_action(copy.legal_actions()[0])
    assert not np.array_equal(copy.row, state.row)
    assert np.array_equal(state.row, setting.deal(1))


@SETTINGS
def test_samples_of_an_information_state_are_one_to_the_player(setting: Setting) -> None:
    game = loaded(setting, 1)
    resample = Resampler(setting.game, seed=3)
    differing = 0
    for row, move in itertools.islice(plies(setting, 7), 200):
        if move < 0:
            break
        state = AdamasState(game, row)
        seat = state.current_player()
        for _ in range(3):
            sample = resample(state, seat)
            assert sample.current_player() == seat
            assert sample.information_state_string() == state.information_state_string()
            assert sample.legal_actions() == state.legal_actions()
            actions = state.legal_actions()
            assert list(map(sample.move, actions)) == list(map(state.move, actions))
            differing += not np.array_equal(sample.row, state.row)
    assert differing > 0


@GAMES
def test_a_sample_shows_nothing_of_what_was_hidden(game: Game) -> None:
    for row in decisions(game):
        seat = int(game.kernels.seat_to_move(row))
        hidden_otherwise = Resampler(game, seed=8).sample(view_of(game, row, seat))
        state = AdamasState(hidden_otherwise.get_game(), row)
        assert not np.array_equal(hidden_otherwise.row, row)
        first, second = (Resampler(game, 9)(one, seat) for one in (state, hidden_otherwise))
        assert np.array_equal(first.row, second.row)


def test_what_is_no_game_of_ours_is_refused() -> None:
    with pytest.raises(ValueError, match="no game 'chess'; there are dao, "):
        pyspiel.load_game(SHORT_NAME, {"game": "chess"})
    with pytest.raises(ValueError, match="dao has 2 to 6 players, not 7"):
        pyspiel.load_game(SHORT_NAME, {"game": "dao", "players": 7})
    with pytest.raises(ValueError, match="dao has no variant 'wild'"):
        pyspiel.load_game(SHORT_NAME, {"game": "dao", "variant": "wild"})
