"""A game hosted here: keeps the full state and hands each seat only what it knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic

from adamas.envelopes import GameMessage
from adamas.families import MoveT, StateOf, StateT_co, ViewT
from adamas.games import Event, LegalMove, Position, SeatResult

if TYPE_CHECKING:
    from adamas.aio import AsyncClient
    from adamas.client import Client


class _Table(Generic[StateT_co]):
    """The position of a game, as its host sees it."""

    def __init__(self, position: Position[StateT_co], language: str | None) -> None:
        self._position = position
        self._language = language

    @property
    def position(self) -> Position[StateT_co]:
        """The full position, hidden cards included."""
        return self._position

    @property
    def state(self) -> StateT_co:
        """The game's full state message; never show it to a seat."""
        return self._position.state

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened in the last move (or the deal)."""
        return self._position.events

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self._position.results)

    @property
    def seats_to_move(self) -> tuple[int, ...]:
        """Seats that may decide now, ascending; several while a decision is simultaneous."""
        return self._position.seats_to_move

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._position.over

    @property
    def results(self) -> tuple[SeatResult, ...]:
        """The result of each seat, in seat order; current scores while the game runs."""
        return self._position.results

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won or share the victory; empty while the game runs."""
        return tuple(result.seat for result in self.results if result.win_share > 0)

    def __repr__(self) -> str:
        game = self.state.DESCRIPTOR.name.removesuffix("State")
        status = "over" if self.over else f"to move: {', '.join(map(str, self.seats_to_move))}"
        return f"<{type(self).__name__} of {game}, {self.seats} seats, {status}>"


class Table(_Table[StateT_co]):
    """A game hosted here. Made by `Client.table`.

    while not table.over:
        for seat in table.seats_to_move:
            move = players[seat](table.view(seat))
            events = table.play(move, seat)
    """

    def __init__(
        self, client: Client, position: Position[StateT_co], language: str | None = None
    ) -> None:
        super().__init__(position, language)
        self._client = client

    def view(self: Table[StateOf[Any, ViewT, Any]], seat: int) -> ViewT:
        """What one seat knows: the game's view message."""
        return self._client.view(self.state, seat)

    def legal_moves(
        self: Table[StateOf[Any, Any, MoveT]], seat: int | None = None
    ) -> tuple[LegalMove[MoveT], ...]:
        """The legal moves of a seat; None: of the first seat to move."""
        return self._client.legal_moves(self.state, seat=seat, language=self._language)

    def play(self, move: GameMessage, seat: int | None = None) -> tuple[Event, ...]:
        """Play a move and return what happened; None: for the first seat to move.

        Raises:
            InvalidRequest: If the move is not legal; the table stays as it was.
        """
        self._position = self._client.apply(self.state, move, seat=seat, language=self._language)
        return self.events


class AsyncTable(_Table[StateT_co]):
    """A game hosted here, for asyncio. Made by `AsyncClient.table`; the twin of `Table`."""

    def __init__(
        self, client: AsyncClient, position: Position[StateT_co], language: str | None = None
    ) -> None:
        super().__init__(position, language)
        self._client = client

    async def view(self: AsyncTable[StateOf[Any, ViewT, Any]], seat: int) -> ViewT:
        """What one seat knows: the game's view message."""
        return await self._client.view(self.state, seat)

    async def legal_moves(
        self: AsyncTable[StateOf[Any, Any, MoveT]], seat: int | None = None
    ) -> tuple[LegalMove[MoveT], ...]:
        """The legal moves of a seat; None: of the first seat to move."""
        return await self._client.legal_moves(self.state, seat=seat, language=self._language)

    async def play(self, move: GameMessage, seat: int | None = None) -> tuple[Event, ...]:
        """Play a move and return what happened; as `Table.play`."""
        self._position = await self._client.apply(
            self.state, move, seat=seat, language=self._language
        )
        return self.events
