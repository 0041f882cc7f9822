"""What the host asks the service: deals, moves, views, and errors as refusals."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from adamas import (
    AsyncClient,
    DeadlineExceeded,
    InvalidRequest,
    LegalMove,
    Overloaded,
    Position,
    Unavailable,
)
from adamas.v1.game_pb2 import GameOptions, Move
from web.host import refusals
from web.host.refusals import LANGUAGES
from web.host.table import Step

SAMPLES = 16
"""Worlds in which a move is played again to see whether it brought something to light."""


@contextmanager
def as_refusals(what: str = "") -> Iterator[None]:
    """Turns errors of the service into refusals; ``what`` is the field that may be wrong."""
    try:
        yield
    except InvalidRequest as error:
        raise refusals.invalid(what or "the request", str(error)) from None
    except (Unavailable, DeadlineExceeded, Overloaded):
        raise refusals.unavailable() from None


class Referee:
    """The rules of all games, asked of the service."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def deal(self, options: GameOptions, seats: int, seed: int) -> Step:
        """A new game. Raises AdamasError."""
        position = await self._client.start(options, seats, seed=seed)
        return Step(None, None, position, dict.fromkeys(LANGUAGES, ()))

    async def play(self, position: Position[Any], seat: int, move: Move) -> Step:
        """A move played. Raises AdamasError, InvalidRequest if it is not legal."""
        applied = await asyncio.gather(
            *(
                self._client.apply(position.state, move, seat=seat, language=language)
                for language in LANGUAGES
            )
        )
        words = {
            language: tuple(event.words for event in found.events)
            for language, found in zip(LANGUAGES, applied, strict=True)
        }
        return Step(seat, move, applied[0], words)

    async def replay(self, first: Step, played: list[tuple[int, Move]]) -> list[Step]:
        """A game played again from its deal. Raises AdamasError."""
        steps = [first]
        for seat, move in played:
            steps.append(await self.play(steps[-1].position, seat, move))
        return steps

    async def view(self, position: Position[Any], seat: int) -> Any:
        """What a seat knows. Raises AdamasError."""
        return await self._client.view(position.state, seat)

    async def moves(
        self, position: Position[Any], seat: int, language: str
    ) -> tuple[LegalMove[Any], ...]:
        """The legal moves of a seat that is to move. Raises AdamasError."""
        return await self._client.legal_moves(position.state, seat=seat, language=language)

    async def foreseen(self, observer: int, before: Position[Any], step: Step) -> bool:
        """Whether a move told an observer nothing that it could not foresee, knowing the move.

        The move is played again in worlds that agree with all that the observer knew before it.
        What it sees then has to be what it saw: if that differs in one of them, or the move can't
        be played there, something that was hidden has come to light.
        """
        view = await self.view(before, observer)
        seen = await self.view(step.position, observer)
        worlds = await self._client.sample_worlds(view, samples=SAMPLES, states=SAMPLES)
        for world in worlds.states:
            state: Any = world
            try:
                there = await self._client.apply(state, step.played, seat=step.seat)
            except InvalidRequest:
                return False
            if await self.view(there, observer) != seen:
                return False
        return True
