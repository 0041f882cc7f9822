"""Loads the games: compiles what is not compiled yet, then searches each once."""

from __future__ import annotations

from collections.abc import Mapping

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import game_pb2
from engines.contract import Game
from engines.events import new_log
from engines.rehearsal import rehearse
from server.advice import Frame, compose
from server.languages import LANGUAGES
from server.messages import State

_ITERATIONS = 4096
"""Enough for a tree to grow its memory at least once."""


def compile_games() -> None:
    """Compiles what is not compiled yet: takes minutes at the very first start."""
    from search.warmup import warm_up

    warm_up()


def load_games() -> Mapping[str, Game]:
    """All games, ready to be searched without further delay. They must have been compiled.

    Takes a second or two, so it is meant for a thread of its own.
    """
    # Importing it compiles the games.
    from engines.registry import games

    loaded = games()
    for game in loaded.values():
        rehearse(game)
        _search_once(game)
    return loaded


def _search_once(game: Game) -> None:
    """Goes once through what a call does: the first run of compiled code takes its time."""
    from search import Search

    options = getattr(game_pb2.GameOptions(), game.game_id)
    row = game.codec.new_game(options, game.min_seats, 0, new_log())
    state = State(game, row)
    view = state.view_of(state.first_to_move())
    search = Search(game, view.row, seed=0, trees=1, memory_bytes=64 << 20)
    search.trees[0].run(_ITERATIONS)
    for language in LANGUAGES:
        frame = Frame(game, search.sample, candidates=5, language=language, seed=0, started=0.0)
        compose(frame, search.result(5), pb.STOP_REASON_ITERATIONS)
