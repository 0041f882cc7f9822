"""Plays games: holds the connections to the referee and to all players."""

import threading
from collections.abc import Callable, Sequence

from adamas.client import Client
from adamas_tournament.config import Config
from adamas_tournament.entrants import Player, make_player
from adamas_tournament.match import Match
from adamas_tournament.plan import Plan
from adamas_tournament.processes.programs import Programs
from adamas_tournament.processes.server import ServerProcess
from adamas_tournament.records import GameRecord
from adamas_tournament.referee import Referee, RefereeLost
from adamas_tournament.schedule import ScheduledGame


class Worker:
    """Plays games, one in each thread that asks it to.

    Where the configuration names no referee, the worker has a server of its own, which referees
    and also searches for the entrants of the kind "service". It is started again if it dies.
    Likewise the programs of entrants that have a command.

    Args:
        config: The configuration.
        plan: What is played.
        server: A running server to use and to end; None: one is started when it is needed.
        programs: Running programs of entrants to use and to end; None: they are started when they
            are needed.
        server_flags: Flags of a server that is started.
    """

    def __init__(
        self,
        config: Config,
        plan: Plan,
        server: ServerProcess | None = None,
        programs: Programs | None = None,
        server_flags: Sequence[str] = (),
    ) -> None:
        self._config = config
        self._server_flags = server_flags
        self._plan = plan
        self._lock = threading.Lock()
        self._server = server
        self._programs = programs
        self._connected: tuple[Referee, list[Player]] | None = None
        self._closed = False

    def prepare(self) -> None:
        """Starts the worker's own server, if it needs one, and the programs of entrants.

        Raises:
            ServerError: If the server can't be started.
            ProgramError: If a program can't.
        """
        self._connections()

    def play(
        self, game: ScheduledGame, abandoned: Callable[[], bool] = lambda: False
    ) -> GameRecord:
        """Plays a game.

        Raises:
            RefereeLost: If the referee does not answer; the game can be played again.
            Abandoned: If `abandoned` says so.
        """
        referee, players = self._connections()
        return Match(
            game, self._plan, self._config.time, referee, self._config.names, players, abandoned
        ).play()

    def close(self) -> None:
        """Ends all connections and the worker's own server; games that still run fail."""
        with self._lock:
            self._closed = True
            self._disconnect()
            if self._server is not None:
                self._server.stop()
            if self._programs is not None:
                self._programs.close()

    def _connections(self) -> tuple[Referee, list[Player]]:
        with self._lock:
            if self._closed:
                raise RefereeLost("the worker has been closed")
            if self._server is not None and not self._server.running:
                self._disconnect()
                self._server = None
            if self._connected is None:
                self._connected = self._connect()
            return self._connected

    def _connect(self) -> tuple[Referee, list[Player]]:
        address = self._config.tournament.referee
        if address is None:
            if self._server is None:
                self._server = ServerProcess(self._server_flags)
            address = self._server.address
        referee = Referee(Client(address), self._plan)
        if self._programs is None:
            self._programs = Programs(self._config.entrants)
        players = [
            make_player(
                entrant,
                referee,
                self._programs.address_of(entrant.name) or address,
                self._config.time.patience,
            )
            for entrant in self._config.entrants
        ]
        return referee, players

    def _disconnect(self) -> None:
        if self._connected is not None:
            referee, players = self._connected
            for player in players:
                player.close()
            referee.close()
            self._connected = None
