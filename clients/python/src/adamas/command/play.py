"""`adamas play`: a person against bots, with hints and undo."""

import argparse
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adamas.client import Client
from adamas.command.connection import add_server_arguments, connect
from adamas.command.files import write_record
from adamas.command.screens import JsonScreen, Screen, TextScreen
from adamas.command.trouble import Trouble
from adamas.command.words import Words, words_in
from adamas.envelopes import wrap
from adamas.errors import AdamasError
from adamas.games import Game, LegalMove
from adamas.limits import Limit
from adamas.records import Played, Record
from adamas.table import Table
from adamas.v1.game_pb2 import GameOptions, Move

HINT = Limit(time=1.0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command line."""
    parser.add_argument("game", metavar="GAME", help="the id of a game; see `adamas games`")
    parser.add_argument("--seats", type=int, help="how many play, you included [the fewest]")
    parser.add_argument("--seat", type=int, default=0, help="yours, from 0 [%(default)s]")
    parser.add_argument("--variant", metavar="ID", help="one of the game's variants")
    parser.add_argument("--level", type=int, default=5, help="of the bots, 1 to 10 [%(default)s]")
    parser.add_argument("--seed", type=int, help="of the deal [a random one]")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep the game, for `review`")
    add_server_arguments(parser)


def main(arguments: argparse.Namespace) -> int:
    """Carries the command out."""
    words = words_in(arguments.language)
    screen: Screen = JsonScreen() if arguments.json else TextScreen(arguments.language)
    with connect(arguments) as client:
        game = client.game(arguments.game, seats=arguments.seats)
        seats = arguments.seats or game.summary.min_seats
        if not 0 <= arguments.seat < seats:
            raise Trouble(f"--seat is one of 0 to {seats - 1} where {seats} play")
        options = _options(game, arguments.variant)
        seed = random.getrandbits(63) if arguments.seed is None else arguments.seed
        table = client.table(options, seats, seed=seed)
        screen.begin(game, seats, arguments.seat, arguments.level, seed)
        session = Session(client, table, arguments.seat, arguments.level, screen, words)
        try:
            session.run()
        finally:
            if arguments.record is not None:
                write_record(Record(options, seats, seed, tuple(session.moves)), arguments.record)
                screen.say(words["kept"].format(path=arguments.record))
    return 0


def _options(game: Game, variant: str | None) -> GameOptions:
    if variant is None:
        options = GameOptions()
        getattr(options, game.summary.game_id).SetInParent()
        return options
    known = {each.variant_id: each.options for each in game.variants}
    if variant not in known:
        raise Trouble(f"{game.summary.game_id} has these variants: {', '.join(known)}")
    return wrap(GameOptions, known[variant])


class Left(Exception):
    """The person has had enough."""


@dataclass
class Session:
    """A game between a person and bots.

    Attributes:
        client: Who is asked for bots' moves and hints.
        table: The game.
        seat: The person's.
        level: How strongly the bots play.
        screen: Where all is shown and asked.
        words: The command's own.
        moves: What has been played.
    """

    client: Client
    table: Table[Any]
    seat: int
    level: int
    screen: Screen
    words: Words
    moves: list[Played] = field(default_factory=list)
    _decisions: list[tuple[Any, int]] = field(default_factory=list)
    """The state, and how many moves had been played, at each of the person's decisions."""

    def run(self) -> None:
        """Plays until the game is over or the person leaves."""
        try:
            while not self.table.over:
                if self.seat in self.table.seats_to_move:
                    self._decide()
                else:
                    seat = self.table.seats_to_move[0]
                    view = self.table.view(seat)
                    advice = self.client.recommend(view, candidates=1, level=self.level)
                    self._play(advice.best_move, seat)
        except Left:
            return
        self.screen.end(self.table.results, self.seat)

    def _play(self, move: Any, seat: int) -> None:
        events = self.table.play(move, seat)
        self.moves.append(Played(seat, wrap(Move, move)))
        self.screen.events(events)

    def _decide(self) -> None:
        """Lets the person decide once: to move, or to go back to the decision before."""
        view = self.table.view(self.seat)
        moves = self.table.legal_moves(self.seat)
        self.screen.decision(view, moves)
        while True:
            said = self.screen.ask(len(moves))
            if said is None or said in {"q", "quit"}:
                raise Left
            if said in {"h", "hint"}:
                self._hint(view)
            elif said in {"u", "undo"}:
                if self._undo():
                    return
                self.screen.say(self.words["no_undo"])
            elif (move := _chosen(said, moves)) is not None:
                self._decisions.append((self.table.state, len(self.moves)))
                self._play(move.move, self.seat)
                return
            else:
                self.screen.find(said, moves)

    def _hint(self, view: Any) -> None:
        try:
            self.screen.hint(self.client.recommend(view, HINT, candidates=3))
        except AdamasError as error:
            self.screen.say(str(error))

    def _undo(self) -> bool:
        if not self._decisions:
            return False
        state, played = self._decisions.pop()
        self.table = self.client.resume(state)
        del self.moves[played:]
        return True


def _chosen(said: str, moves: tuple[LegalMove[Any], ...]) -> LegalMove[Any] | None:
    if said.isdecimal() and 1 <= int(said) <= len(moves):
        return moves[int(said) - 1]
    return None
