"""Our games as OpenSpiel games, and OpenSpiel's bot at our table."""

from __future__ import annotations

import itertools

import pytest

pytest.importorskip("pyspiel")

from benchmarks.intervals import share_of
from benchmarks.matches import SearchPlayer, play_deal, play_deals, random_player
from benchmarks.openspiel.player import FEWEST_SIMULATIONS, OpenSpielPlayer
from benchmarks.strength import OPENSPIEL_ITERATIONS, OPENSPIEL_TIME, Terms, search_against
from engines.contract import Game
from engines.registry import games
from environments.openspiel.resampler import Resampler
from tests.contract.play import legal_moves, view_of
from tests.environments.openspiel_games import GAMES, decisions


@GAMES
def test_the_bots_move_is_legal_and_does_not_depend_on_what_is_hidden(game: Game) -> None:
    player = OpenSpielPlayer(iterations=30)
    for row in decisions(game):
        view = view_of(game, row, int(game.kernels.seat_to_move(row)))
        move, simulations = player.choose(game, view, seed=2)
        assert move in legal_moves(game, row)
        assert simulations == 30
        assert player(game, view, seed=2) == move
        for seed in (10, 11):
            root = Resampler(game, seed).sample(view)
            assert root.move(int(player.bot(root, seed=2, begin=0.0).step(root))) == move


def test_the_bot_plays_for_its_own_seat() -> None:
    """Better than random play already with few iterations; for another seat it would be worse."""
    player, diamonds = OpenSpielPlayer(iterations=30), games()["diamonds"]
    pairs = [play_deal(diamonds, (player, random_player), seed) for seed in range(4)]
    assert share_of(pairs).share > 0.6


def test_no_simulation_begins_when_the_time_is_up() -> None:
    """The clock goes on by one whenever it is looked at, first at the beginning."""
    dao = games()["dao"]
    row = decisions(dao)[0]
    view = view_of(dao, row, int(dao.kernels.seat_to_move(row)))
    for seconds, simulations in ((10, FEWEST_SIMULATIONS + 9), (0, FEWEST_SIMULATIONS)):
        player = OpenSpielPlayer(seconds=seconds, clock=itertools.count().__next__)
        move, done = player.choose(dao, view, seed=1)
        assert done == simulations
        assert move in legal_moves(dao, row)


def test_a_match_is_played_in_other_processes() -> None:
    terms = Terms(OPENSPIEL_ITERATIONS, iterations=FEWEST_SIMULATIONS)
    ((ahead, behind),) = play_deals("dao", search_against, terms, deals=1, processes=1)
    assert {ahead, behind} <= {0.0, 0.5, 1.0}


def test_both_players_of_a_match_have_the_same_limit() -> None:
    for terms in (Terms(OPENSPIEL_TIME, seconds=0.3), Terms(OPENSPIEL_ITERATIONS, iterations=70)):
        search, bot = search_against(terms)
        assert isinstance(search, SearchPlayer)
        assert isinstance(bot, OpenSpielPlayer)
        assert (search.seconds, search.iterations) == (bot.seconds, bot.iterations)
        assert terms.seconds in {None, bot.seconds}
        assert terms.iterations in {None, bot.iterations}
        assert search.clock is bot.clock


def test_openspiels_constant_can_be_chosen() -> None:
    _, bot = search_against(Terms(OPENSPIEL_TIME, seconds=0.3, uct_c=0.7))
    assert isinstance(bot, OpenSpielPlayer)
    assert bot.uct_c == 0.7
