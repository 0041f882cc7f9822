"""Reviews of finished games, which grow while their decisions are searched."""

from __future__ import annotations

import asyncio
from typing import Any

import structlog

from adamas import AdamasError, Advice, AsyncClient, Limit, Priority, Query
from adamas.review import (
    MOST_CANDIDATES,
    Decision,
    decisions_of,
    deeper,
    mistakes_of,
    turns_of,
)
from web.host import wording
from web.host.table import Table
from web.host.watchers import Watchers

SEED = 0
"""So that a game gets the same review every time."""
_WINDOW = 4
AT_ONCE = 2
"""Reviews that are searched at the same time."""
_KEPT = 200
"""How many reviews are kept, the latest ones."""

Json = dict[str, Any]


class Review:
    """The review of one game, as far as it is."""

    def __init__(self, table: Table, language: str) -> None:
        self.language = language
        self.key = table.key
        self._moves = table.record().moves
        self.found: dict[int, Advice[Any]] = {}
        self.done = 0
        self.of = len(self._moves)
        self.final = False

    def decisions(self) -> tuple[Decision, ...]:
        """What is known by now."""
        return decisions_of(self._moves, self.found)

    def told(self) -> Json:
        """A `Review`."""
        decisions = self.decisions()
        mistakes = {each.ply for each in mistakes_of(decisions)}
        return {
            "table": self.key,
            "done": self.done,
            "of": self.of,
            "final": self.final,
            "decisions": [
                {
                    "ply": each.ply,
                    "seat": each.seat,
                    "played": wording.candidate(each.played),
                    "best": wording.candidate(each.best),
                    "loss": each.loss,
                    "mistake": each.ply in mistakes,
                }
                for each in decisions
            ],
            "turns": [
                {
                    "seat": turn.seat,
                    "first": turn.first,
                    "then": turn.then,
                    "before": turn.before,
                    "after": turn.after,
                }
                for turn in turns_of(decisions)
            ],
        }


class Reviews:
    """Reviews of all games, one a game and language."""

    def __init__(self, client: AsyncClient, watchers: Watchers, iterations: int) -> None:
        self._client = client
        self._watchers = watchers
        self._limit = Limit(iterations=iterations)
        self._reviews: dict[tuple[str, str], Review] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._log = structlog.get_logger()

    def known(self, table: Table, language: str) -> Review | None:
        """The review of a game, if somebody has asked for it."""
        return self._reviews.get((table.key, language))

    def get(self, table: Table, language: str) -> Review:
        """The review of a game that is over; begins it if nobody has asked for it before."""
        name = table.key, language
        if name not in self._reviews:
            while len(self._reviews) >= _KEPT:
                del self._reviews[next(iter(self._reviews))]
            review = self._reviews[name] = Review(table, language)
            task = asyncio.create_task(self._run(table, review))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return self._reviews[name]

    async def close(self) -> None:
        """Ends all that still run."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, table: Table, review: Review) -> None:
        try:
            async with self._turns:
                views = {
                    ply: await self._client.view(table.steps[ply].position.state, step.seat)
                    for ply, step in enumerate(table.steps[1:])
                    if step.seat is not None
                }
                await self._search(review, views, self._limit)
                doubtful = {each.ply for each in mistakes_of(review.decisions())}
                review.of += len(doubtful)
                again = {ply: views[ply] for ply in sorted(doubtful)}
                await self._search(review, again, deeper(self._limit))
                review.final = True
                self._tell(review)
        except AdamasError as error:
            self._log.warning("review failed", table=table.key, reason=str(error))
            self._reviews.pop((table.key, review.language), None)

    async def _search(self, review: Review, views: dict[int, Any], limit: Limit) -> None:
        queries = [
            Query(
                view,
                limit,
                candidates=MOST_CANDIDATES,
                seed=SEED,
                language=review.language,
                priority=Priority.BACKGROUND,
                request_id=str(ply),
            )
            for ply, view in views.items()
        ]
        async with self._client.recommend_batch(queries, window=_WINDOW) as batch:
            async for result in batch:
                review.found[int(result.request_id)] = result.get()
                review.done += 1
                self._tell(review)

    def _tell(self, review: Review) -> None:
        for watcher in self._watchers.of_table(review.key):
            watcher.tell("review")
