"""What must hold for the casual player of every game: see engines.contract.CasualPlayer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engines.contract import GAME_OVER, MAX_SEATS, RESULT_ROWS, WIN_SHARE, Game
from engines.events import NO_LOG
from engines.jit import Row
from engines.registry import games
from engines.rng import below, generator
from tests.contract.play import Setting, legal_moves, plies, settings, variants, view_of

ALL_SETTINGS = pytest.mark.parametrize("setting", settings(), ids=str)
VARIANTS = pytest.mark.parametrize("setting", variants(), ids=str)
GAMES = pytest.mark.parametrize("game", games().values(), ids=games().keys())


def casual_plies(setting: Setting, seed: int) -> Iterator[tuple[Row, int]]:
    """A game of casual players only: each position and the move about to be played."""
    kernels = setting.game.kernels
    row = setting.deal(seed)
    while (seat := int(kernels.seat_to_move(row))) != GAME_OVER:
        move = setting.game.casual(view_of(setting.game, row, seat), legal_moves(setting.game, row))
        yield row.copy(), move
        kernels.apply_move(row, move, NO_LOG)


def win_share_against_random(game: Game, seed: int, first: int) -> float:
    """The casual player's share of one two-seat game, at seat ``first``."""
    setting = Setting(game, 2, "standard")
    row = setting.deal(seed)
    rng = generator(seed, 3)
    while (seat := int(game.kernels.seat_to_move(row))) != GAME_OVER:
        moves = legal_moves(game, row)
        if seat == first:
            move = game.casual(view_of(game, row, seat), moves)
        else:
            move = moves[below(rng, len(moves))]
        game.kernels.apply_move(row, move, NO_LOG)
    results = np.zeros((RESULT_ROWS, MAX_SEATS))
    game.kernels.evaluate(row, results)
    return float(results[WIN_SHARE, first])


@ALL_SETTINGS
def test_casual_players_play_whole_games_with_legal_moves(setting: Setting) -> None:
    for row, move in casual_plies(setting, 21):
        assert type(move) is int
        assert move in legal_moves(setting.game, row)


@VARIANTS
def test_any_position_has_a_casual_move(setting: Setting) -> None:
    """Also those that casual players would never come to."""
    game = setting.game
    for row, _ in plies(setting, 22):
        moves = legal_moves(game, row)
        if moves:
            view = view_of(game, row, int(game.kernels.seat_to_move(row)))
            assert game.casual(view, moves) in moves


@VARIANTS
def test_a_casual_move_depends_on_nothing_but_the_view(setting: Setting) -> None:
    """Every other state that the seat can't tell from the true one gives the same move."""
    game = setting.game
    rng = generator(23)
    for ply, (row, move) in enumerate(casual_plies(setting, 23)):
        if ply % 7 == 0:
            seat = int(game.kernels.seat_to_move(row))
            view = view_of(game, row, seat)
            before = view.tobytes()
            table = game.new_table()
            assert game.kernels.prepare(view, table)
            swapped = game.new_row()
            game.kernels.determinize(view, table, rng, swapped)
            again = game.casual(view_of(game, swapped, seat), legal_moves(game, swapped))
            assert again == move == game.casual(view, legal_moves(game, row))
            assert view.tobytes() == before


@GAMES
def test_a_casual_player_beats_a_random_one(game: Game) -> None:
    """Over 80 % of the games in the long run (docs/search.md), so that less than 60 % of these
    would be many standard errors away; and the deals are always the same ones."""
    shares = [win_share_against_random(game, seed, first) for seed in range(30) for first in (0, 1)]
    assert sum(shares) / len(shares) > 0.6
