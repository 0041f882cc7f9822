"""The referee: a server's RulesService, which deals, shows each seat its view and judges moves."""

import hashlib

from adamas.client import Client
from adamas.errors import AdamasError, InvalidRequest
from adamas.families import StateOf, ViewOf
from adamas.games import LegalMove, Position
from adamas.v1 import game_pb2
from adamas_tournament.plan import Plan


class RefereeLost(Exception):
    """The referee does not answer. Nobody's fault: the game has to be played anew."""


class IllegalMove(Exception):
    """The referee refused a move; the text says why."""


class Referee:
    """Referees the games of one plan. May be used by many threads."""

    def __init__(self, client: Client, plan: Plan) -> None:
        self._client = client
        self._plan = plan
        self._options = plan.options_message()

    def start(self, seed: int) -> Position:
        """Deals a game.

        Raises:
            RefereeLost: If the referee does not answer, as for all methods.
        """
        try:
            return self._client.start(self._options, self._plan.seats, seed=seed)
        except AdamasError as error:
            raise RefereeLost(str(error)) from error

    def view(self, state: StateOf, seat: int) -> ViewOf:
        """What a seat knows."""
        try:
            return self._client.view(state, seat)
        except AdamasError as error:
            raise RefereeLost(str(error)) from error

    def legal_moves(self, view: ViewOf) -> tuple[LegalMove, ...]:
        """The legal moves of the seat whose view it is."""
        try:
            return self._client.legal_moves(view, language=self._plan.language)
        except AdamasError as error:
            raise RefereeLost(str(error)) from error

    def apply(self, state: StateOf, move: game_pb2.Move, seat: int) -> Position:
        """Plays a move.

        Raises:
            IllegalMove: If the rules don't allow it.
        """
        try:
            return self._client.apply(state, move, seat=seat, language=self._plan.language)
        except InvalidRequest as error:
            raise IllegalMove(str(error)) from error
        except AdamasError as error:
            raise RefereeLost(str(error)) from error

    def check(self) -> None:
        """Asks for a sign of life.

        Raises:
            RefereeLost: If there is none.
        """
        try:
            self._client.games()
        except AdamasError as error:
            raise RefereeLost(str(error)) from error

    def close(self) -> None:
        """Ends the connection; calls that still run fail."""
        self._client.close()


def state_digest(state: StateOf) -> str:
    """SHA-256 of a full state, in hexadecimal: the same for the same state."""
    return hashlib.sha256(state.SerializeToString(deterministic=True)).hexdigest()
