"""What a person at a game is shown and asked; and the same for a program."""

import sys
from collections.abc import Sequence
from typing import Any, Protocol

from adamas.command.output import advice_lines, print_json, result_words
from adamas.command.sight import lines_of
from adamas.command.terms import Terms
from adamas.command.words import words_in
from adamas.games import Event, Game, LegalMove, SeatResult
from adamas.search import Advice

SHOWN_MOVES = 20
"""How many moves are listed; others are found by their words."""


class Screen(Protocol):
    """Shows a game to one seat, and asks it."""

    def begin(self, game: Game, seats: int, seat: int, level: int, seed: int) -> None:
        """A game begins."""

    def events(self, events: Sequence[Event]) -> None:
        """This has happened."""

    def decision(self, view: Any, moves: Sequence[LegalMove[Any]]) -> None:
        """The seat has to decide."""

    def ask(self, moves: int) -> str | None:
        """What the seat says; None: nothing more. A number from 1 chooses a move."""

    def find(self, said: str, moves: Sequence[LegalMove[Any]]) -> None:
        """The seat has said something else: perhaps words of a move."""

    def hint(self, advice: Advice[Any]) -> None:
        """The seat has asked for advice."""

    def say(self, text: str) -> None:
        """A remark."""

    def end(self, results: Sequence[SeatResult], seat: int) -> None:
        """The game is over."""


class TextScreen:
    """For a person at a terminal.

    Args:
        language: Of what is said beside the service's words.
    """

    def __init__(self, language: str) -> None:
        self._words = words_in(language)
        self._terms = Terms(language)

    def begin(self, game: Game, seats: int, seat: int, level: int, seed: int) -> None:
        """A game begins."""
        print(
            self._words["begin"].format(game=game.summary.name, seats=seats, seat=seat, level=level)
        )
        print(self._words["again"].format(seed=seed))

    def events(self, events: Sequence[Event]) -> None:
        """This has happened."""
        for event in events:
            if event.words:
                print(event.words)

    def decision(self, view: Any, moves: Sequence[LegalMove[Any]]) -> None:
        """The seat has to decide."""
        print()
        print("\n".join(lines_of(view, self._terms)))
        self._list(list(enumerate(moves, 1)))

    def ask(self, moves: int) -> str | None:
        """What the seat says."""
        try:
            return input(self._words["prompt"].format(moves=moves)).strip()
        except EOFError:
            print()
            return None

    def find(self, said: str, moves: Sequence[LegalMove[Any]]) -> None:
        """Lists the moves whose words hold what was said."""
        words = said.lower().split()
        found = [
            (number, move)
            for number, move in enumerate(moves, 1)
            if all(word in move.words.lower() for word in words)
        ]
        if found:
            self._list(found)
        else:
            print(self._words["not_found"].format(said=said))

    def hint(self, advice: Advice[Any]) -> None:
        """The seat has asked for advice."""
        print("\n".join(advice_lines(advice, self._words)))

    def say(self, text: str) -> None:
        """A remark."""
        print(text)

    def end(self, results: Sequence[SeatResult], seat: int) -> None:
        """The game is over."""
        print()
        for result in sorted(results, key=lambda result: -result.win_share):
            told = result_words(result, self._words)
            print(self._words["you"].format(result=told) if result.seat == seat else told)

    def _list(self, moves: list[tuple[int, LegalMove[Any]]]) -> None:
        for number, move in moves[:SHOWN_MOVES]:
            print(f"{number:4}. {move.words}")
        if len(moves) > SHOWN_MOVES:
            print(self._words["more"].format(more=len(moves) - SHOWN_MOVES))


class JsonScreen:
    """For a program: one JSON object a line, and the same answers as from a person."""

    def begin(self, game: Game, seats: int, seat: int, level: int, seed: int) -> None:
        """A game begins."""
        begin = {"game": game.summary.game_id, "seats": seats, "seat": seat, "level": level}
        print_json({"begin": begin | {"seed": str(seed)}})

    def events(self, events: Sequence[Event]) -> None:
        """This has happened."""
        print_json({"events": list(events)})

    def decision(self, view: Any, moves: Sequence[LegalMove[Any]]) -> None:
        """The seat has to decide."""
        print_json({"decision": {"view": view, "moves": list(moves)}})

    def ask(self, moves: int) -> str | None:
        """What the seat says."""
        line = sys.stdin.readline()
        return line.strip() if line else None

    def find(self, said: str, moves: Sequence[LegalMove[Any]]) -> None:
        """Such an answer is of no use."""
        self.say(f"{said!r} is neither a number from 1 to {len(moves)} nor hint, undo or quit")

    def hint(self, advice: Advice[Any]) -> None:
        """The seat has asked for advice."""
        print_json({"hint": advice})

    def say(self, text: str) -> None:
        """A remark."""
        print_json({"say": text})

    def end(self, results: Sequence[SeatResult], seat: int) -> None:
        """The game is over."""
        print_json({"end": list(results)})
