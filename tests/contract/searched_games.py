"""Games in which the search plays, checked at every move: ``make searched-games``.

Random games hardly ever get to positions that good players bring about: full safes, hands made for
a purpose, long rounds. So some seats are played by a search of 50 iterations, some by one of 500,
some by the casual player and some by the playout policy. At every move the state and every seat's
view go through the wire format and back, and samples are drawn of every view.

What a sample costs is told in random words, which are the same on every machine. A sampler that
tries until it succeeds needs many of them where attempts rarely succeed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
from google.protobuf import json_format
from google.protobuf.message import Message

from engines.contract import GAME_OVER, Game
from engines.events import NO_LOG
from engines.jit import Rng, Row
from engines.registry import game, game_ids
from engines.rng import GOLDEN_GAMMA, below, generator
from engines.violations import Report
from search.search import Search
from tests.contract.play import Setting, legal_moves, settings, view_of, without_transients

GAMES_A_LINE = 20
"""Games of one kind after which a line tells of them and the next kind's turn comes."""
SAMPLES = 8
"""Drawn of every view."""
WORDS_MASK = (1 << 64) - 1
GAMMA_INVERSE = pow(int(GOLDEN_GAMMA), -1, 1 << 64)

Player = Callable[[Game, Row, int, int], int]
"""Chooses a move: the game, the position, the seat to move and a seed."""


def searching(iterations: int) -> Player:
    """A player that searches so many iterations."""

    def choose(game: Game, row: Row, seat: int, seed: int) -> int:
        search = Search(game, view_of(game, row, seat), seed=seed, trees=1)
        search.run(iterations)
        return search.best_move()

    return choose


def casual(game: Game, row: Row, seat: int, seed: int) -> int:
    """The game's casual player."""
    return game.casual(view_of(game, row, seat), legal_moves(game, row))


def policy(game: Game, row: Row, seat: int, seed: int) -> int:
    """The playout policy."""
    return int(game.kernels.policy_move(row, generator(seed)))


PLAYERS = (searching(50), searching(500), casual, policy)


class Disagreement(Exception):
    """A position that does not survive what it is put through; names it and shows the state."""


@dataclass
class Costs:
    """What samples cost, over all views."""

    views: int = 0
    words: list[float] = field(default_factory=list)
    """Random words a sample, a mean for each view that has anything to draw."""
    rarest: float = 1.0
    """The least share that a sample's cheapest drawing has of the mean: about the acceptance."""
    where: str = ""

    def add(self, words: list[int], where: str) -> None:
        """Adds one view's samples."""
        self.views += 1
        mean = statistics.fmean(words)
        if mean == 0:
            return
        self.words.append(mean)
        if min(words) / mean < self.rarest:
            self.rarest, self.where = min(words) / mean, where


def words_between(before: int, after: int) -> int:
    """How many random words a generator gave between two of its states (see engines.rng)."""
    return ((after - before) * GAMMA_INVERSE) & WORDS_MASK


def through_the_wire(message: Message) -> Message:
    """The message as another program gets it."""
    return type(message).FromString(message.SerializeToString())


def check_state(game: Game, row: Row, where: str) -> None:
    """The state survives the wire format."""
    message, report = through_the_wire(game.codec.write_state(row)), Report()
    again = game.codec.read_state(message, "state", report)
    if report.violations:
        raise Disagreement(f"{where}: {report.violations}\n{json_format.MessageToJson(message)}")
    if without_transients(game, again) != without_transients(game, row):
        raise Disagreement(f"{where}: the state comes back as another one")


def check_view(game: Game, row: Row, seat: int, rng: Rng, where: str) -> list[int]:
    """A seat's view survives the wire format, and its samples agree with it; what they cost."""
    view, report = view_of(game, row, seat), Report()
    again = game.codec.read_view(through_the_wire(game.codec.write_view(view)), "view", report)
    if report.violations or again.tobytes() != view.tobytes():
        raise Disagreement(f"{where}: the view comes back as another one: {report.violations}")
    table, sample = game.new_table(), game.new_row()
    if not game.kernels.prepare(view, table):
        raise Disagreement(f"{where}: no sample")
    words = []
    for _ in range(SAMPLES):
        before = int(rng[0])
        game.kernels.determinize(view, table, rng, sample)
        words.append(words_between(before, int(rng[0])))
        if view_of(game, sample, seat).tobytes() != view.tobytes():
            raise Disagreement(f"{where}: a sample shows the seat something else")
    return words


def play(setting: Setting, seed: int, costs: Costs) -> int:
    """Plays and checks one game; returns its number of moves."""
    game, rng = setting.game, generator(seed, 5)
    players = [PLAYERS[below(rng, len(PLAYERS))] for _ in range(setting.seats)]
    row, ply = setting.deal(seed), 0
    while (seat := int(game.kernels.seat_to_move(row))) != GAME_OVER:
        where = f"{setting}, seed {seed}, move {ply}"
        check_state(game, row, where)
        for viewer in range(setting.seats):
            seen = f"{where}, seat {viewer}"
            costs.add(check_view(game, row, viewer, rng, seen), seen)
        game.kernels.apply_move(row, players[seat](game, row, seat, seed + ply), NO_LOG)
        ply += 1
    check_state(game, row, f"{setting}, seed {seed}, the end")
    return ply


def courses(game_id: str, seed: int) -> Iterator[tuple[Setting, int]]:
    """Settings and seeds without end: every other game with the defaults, at all numbers of seats
    in turn, the others with other options."""
    chosen = game(game_id)
    others = [setting for setting in settings() if setting.game is chosen]
    sizes = range(chosen.min_seats, chosen.max_seats + 1)
    while True:
        setting = others[seed // 2 % len(others)]
        if seed % 2 == 0:
            seats = sizes[seed // 2 % len(sizes)]
            setting = Setting(chosen, seats, "defaults")
        if setting.seats in {s.seats for s in others}:
            yield setting, seed
        seed += 1


class Run:
    """The games of one kind that have been played so far."""

    def __init__(self, game_id: str, seed: int) -> None:
        self._game_id = game_id
        self._courses = courses(game_id, seed)
        self._costs = Costs()
        self._games = self._moves = 0

    def go_on(self, games: int) -> None:
        """Plays so many more."""
        for setting, seed in islice(self._courses, games):
            self._moves += play(setting, seed, self._costs)
            self._games += 1

    def summary(self) -> str:
        """One line about the games so far."""
        costs = self._costs
        percentile = np.percentile(costs.words, [50, 99, 100]) if costs.words else (0, 0, 0)
        return (
            f"{self._game_id}: {self._games} games, {self._moves} moves, {costs.views} views; "
            f"random words a sample: {percentile[0]:.0f} median, {percentile[1]:.0f} at 99 %, "
            f"{percentile[2]:.0f} at most; rarest acceptance {costs.rarest:.4f} ({costs.where})"
        )


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.contract.searched_games")
    parser.add_argument("--game", choices=game_ids(), action="append", help="default: all games")
    parser.add_argument("--games", type=int, default=1000, help="of each (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    arguments = parser.parse_args()
    runs = [Run(game_id, arguments.seed) for game_id in arguments.game or game_ids()]
    for played in range(0, arguments.games, GAMES_A_LINE):
        for run in runs:
            run.go_on(min(GAMES_A_LINE, arguments.games - played))
            print(run.summary(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
