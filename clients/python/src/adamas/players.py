"""Simple players and whole matches between them.

A player is any callable that takes what its seat knows and returns a move. It keeps nothing of a
game, so one player may sit at several seats and several tables.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from adamas.envelopes import GameMessage
from adamas.families import MoveT, StateOf, ViewOf, ViewT
from adamas.games import Event, LegalMove, SeatResult
from adamas.limits import Limit
from adamas.queries import Detail
from adamas.search import BuiltinPlayer
from adamas.table import AsyncTable, Table

if TYPE_CHECKING:
    from adamas.aio import AsyncClient
    from adamas.client import Client

Player: TypeAlias = Callable[[ViewT], MoveT]
"""Takes a seat's view, returns the move it wants to play."""

AsyncPlayer: TypeAlias = Callable[[ViewT], Awaitable[MoveT]]
"""A player for asyncio."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One move of a match.

    Attributes:
        seat: Who moved, 0-based.
        move: The game's move message.
        events: What happened in front of everybody.
        results: The result of each seat after it.
        over: Whether the game has ended with it.
    """

    seat: int
    move: GameMessage
    events: tuple[Event, ...]
    results: tuple[SeatResult, ...]
    over: bool


class ServerPlayer(ABC):
    """A player that asks a server."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @abstractmethod
    def __call__(self, view: ViewOf[MoveT]) -> MoveT:
        """The move to play."""


class BotPlayer(ServerPlayer):
    """Plays the server's best move.

    Args:
        client: Where to ask.
        limit: How long to think; None: one second a move.
        seed: Seed of every search; None: a new one each time.
        player: Who chooses at the server; None: the search.
        level: How strongly the search plays, 1 to 10; None: full strength.
        target_rating: How strongly the search plays, as a rating; give this or `level`.
    """

    def __init__(
        self,
        client: Client,
        limit: Limit | None = None,
        *,
        seed: int | None = None,
        player: BuiltinPlayer | None = None,
        level: int | None = None,
        target_rating: float | None = None,
    ) -> None:
        super().__init__(client)
        self._limit = limit
        self._seed = seed
        self._player = player
        self._level = level
        self._target_rating = target_rating

    def __call__(self, view: ViewOf[MoveT]) -> MoveT:
        """The move to play."""
        advice = self._client.recommend(
            view,
            self._limit,
            candidates=1,
            detail=Detail.FIGURES,
            seed=self._seed,
            player=self._player,
            level=self._level,
            target_rating=self._target_rating,
        )
        return advice.best_move


class RandomPlayer(ServerPlayer):
    """Plays a random legal move.

    Args:
        client: Where to ask what is legal.
        seed: Seed of the choices; None: random.
    """

    def __init__(self, client: Client, *, seed: int | None = None) -> None:
        super().__init__(client)
        self._random = random.Random(seed)

    def __call__(self, view: ViewOf[MoveT]) -> MoveT:
        """The move to play."""
        return _choose(self._random, self._client.legal_moves(view))


class AsyncServerPlayer(ABC):
    """A player that asks a server, for asyncio."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    @abstractmethod
    async def __call__(self, view: ViewOf[MoveT]) -> MoveT:
        """The move to play."""


class AsyncBotPlayer(AsyncServerPlayer):
    """Plays the server's best move; the twin of `BotPlayer`."""

    def __init__(
        self,
        client: AsyncClient,
        limit: Limit | None = None,
        *,
        seed: int | None = None,
        player: BuiltinPlayer | None = None,
        level: int | None = None,
        target_rating: float | None = None,
    ) -> None:
        super().__init__(client)
        self._limit = limit
        self._seed = seed
        self._player = player
        self._level = level
        self._target_rating = target_rating

    async def __call__(self, view: ViewOf[MoveT]) -> MoveT:
        """The move to play."""
        advice = await self._client.recommend(
            view,
            self._limit,
            candidates=1,
            detail=Detail.FIGURES,
            seed=self._seed,
            player=self._player,
            level=self._level,
            target_rating=self._target_rating,
        )
        return advice.best_move


class AsyncRandomPlayer(AsyncServerPlayer):
    """Plays a random legal move; the twin of `RandomPlayer`."""

    def __init__(self, client: AsyncClient, *, seed: int | None = None) -> None:
        super().__init__(client)
        self._random = random.Random(seed)

    async def __call__(self, view: ViewOf[MoveT]) -> MoveT:
        """The move to play."""
        return _choose(self._random, await self._client.legal_moves(view))


def _choose(generator: random.Random, moves: Sequence[LegalMove[MoveT]]) -> MoveT:
    if not moves:
        raise ValueError("the seat of this view is not to move")
    return generator.choice(moves).move


def play_match(
    table: Table[StateOf[Any, ViewT, MoveT]],
    players: Sequence[Player[ViewT, MoveT]],
    watch: Callable[[Turn], object] | None = None,
) -> tuple[SeatResult, ...]:
    """Play a table to its end.

    Args:
        table: The table, at any position.
        players: One a seat, in seat order.
        watch: Called after every move.

    Returns:
        The result of each seat, in seat order.

    Raises:
        ValueError: If there is not one player for each seat.
        AdamasError: If a player fails or returns a move that is not legal.
    """
    _one_a_seat(table.seats, players)
    while not table.over:
        seat = table.seats_to_move[0]
        move = players[seat](table.view(seat))
        events = table.play(move, seat)
        if watch is not None:
            watch(Turn(seat, move, events, table.results, table.over))
    return table.results


async def play_match_async(
    table: AsyncTable[StateOf[Any, ViewT, MoveT]],
    players: Sequence[AsyncPlayer[ViewT, MoveT]],
    watch: Callable[[Turn], object] | None = None,
) -> tuple[SeatResult, ...]:
    """Play a table to its end; as `play_match`."""
    _one_a_seat(table.seats, players)
    while not table.over:
        seat = table.seats_to_move[0]
        move = await players[seat](await table.view(seat))
        events = await table.play(move, seat)
        if watch is not None:
            watch(Turn(seat, move, events, table.results, table.over))
    return table.results


def _one_a_seat(seats: int, players: Sequence[object]) -> None:
    if len(players) != seats:
        raise ValueError(f"{seats} seats need {seats} players, not {len(players)}")
