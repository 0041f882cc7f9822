"""A search in a worker, as the server sees it."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING, Any

from engines.contract import Game
from engines.jit import Row
from search.strength import FULL_STRENGTH, Strength
from server.workers.connection import Answer, Worker
from server.workers.messages import Close, Open, Opened, Rank, Request, Slice

if TYPE_CHECKING:  # importing the search compiles it; see server.loading
    from search import Result

_numbers = count()


class RemoteSearch:
    """One search; it lives in one worker from ``open`` to ``close``."""

    def __init__(self, worker: Worker, *, background: bool = False) -> None:
        """``background``: nobody waits for it."""
        self._worker = worker
        self._background = background
        self._number = next(_numbers)
        self._asked = 0
        self._closed = False
        worker.searches += 1

    async def open(
        self,
        game: Game,
        view: Row,
        *,
        seed: int,
        trees: int,
        memory_bytes: int,
        iterations: int | None,
        strength: Strength = FULL_STRENGTH,
    ) -> Opened:
        """Prepares it, with one iteration a tree. Raises WorkerDied or SearchFailed."""
        request = Open(
            self._number,
            game.game_id,
            view.tobytes(),
            seed,
            trees,
            memory_bytes,
            iterations,
            strength,
        )
        opened: Opened = await self._ask(request)
        return opened

    def run(self, tree: int, seconds: float, until: float, answer: Answer) -> None:
        """Runs a tree for some seconds, but not past a time; answers with messages.Ran."""
        self._post(Slice(self._number, tree, seconds, until, self._background), answer)

    async def rank(self, candidates: int) -> Result:
        """The best candidates so far, while no tree runs. Raises WorkerDied or SearchFailed."""
        result: Result = await self._ask(Rank(self._number, candidates))
        return result

    def close(self) -> None:
        """Frees its memory, as soon as the worker has answered what it has been asked."""
        if not self._closed:
            self._closed = True
            self._worker.searches -= 1
            if not self._asked:
                self._worker.tell(Close(self._number))

    def _post(self, request: Request, answer: Answer) -> None:
        def answered(message: Any) -> None:
            self._asked -= 1
            if self._closed and not self._asked:
                self._worker.tell(Close(self._number))
            answer(message)

        self._asked += 1
        self._worker.post(request, answered)

    async def _ask(self, request: Request) -> Any:
        answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def settle(message: Any) -> None:
            if answered.cancelled():
                return
            if isinstance(message, Exception):
                answered.set_exception(message)
            else:
                answered.set_result(message)

        self._post(request, settle)
        return await answered
