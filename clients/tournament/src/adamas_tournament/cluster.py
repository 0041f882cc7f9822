"""Plays games on the nodes of a Ray cluster. Needs the extra `adamas-tournament[ray]`.

One actor a processor plays one game at a time. Where the configuration names no referee, each actor
has a server of its own on its node, with one search thread. Actors only play; what they return is
written down by the driver. If a node is lost, so are the games that ran on it, and they are handed
out again; a node that joins the cluster gets actors within seconds.
"""

import logging
import time
from collections.abc import Sequence
from typing import Any

import ray
from ray.exceptions import RayActorError

from adamas_tournament.config import Config
from adamas_tournament.executor import Outcome, outcome_of
from adamas_tournament.plan import Plan
from adamas_tournament.records import GameRecord
from adamas_tournament.schedule import ScheduledGame
from adamas_tournament.worker import Worker

LOOK_EVERY = 2.0
"""Seconds between two looks at how many processors the cluster has."""
SERVER_FLAGS = ("--threads", "1")


class GameActor:
    """Plays games on a node, one after another.

    Args:
        config: The configuration.
        plan: What is played.
    """

    def __init__(self, config: Config, plan: Plan) -> None:
        self._worker = Worker(config, plan, server_flags=SERVER_FLAGS)

    def prepare(self) -> None:
        """Starts the server, if one is needed here."""
        self._worker.prepare()

    def play(self, game: ScheduledGame) -> GameRecord:
        """Plays a game; as `Worker.play`."""
        return self._worker.play(game)


class RayExecutor:
    """Plays games on a Ray cluster.

    Args:
        config: The configuration.
        plan: What is played.
        address: The cluster's address; "auto" is the one of this machine.
        most: How many actors there may be; None: one for each processor of the cluster.
    """

    def __init__(self, config: Config, plan: Plan, address: str, most: int | None = None) -> None:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        self._config = ray.put(config)
        self._plan = ray.put(plan)
        self._most = most
        self._actor_type: Any = ray.remote(num_cpus=1, max_restarts=0)(GameActor)
        self._starting: dict[Any, Any] = {}  # what tells that it is ready -> actor
        self._idle: list[Any] = []
        self._running: dict[Any, tuple[Any, ScheduledGame]] = {}  # what it returns -> actor, game
        self._looked = -LOOK_EVERY

    @property
    def capacity(self) -> int:
        """How many actors are there now."""
        self._look()
        return len(self._idle) + len(self._running)

    def submit(self, game: ScheduledGame) -> None:
        """Begins a game."""
        actor = self._idle.pop()
        self._running[actor.play.remote(game)] = (actor, game)

    def wait(self, timeout: float) -> Sequence[Outcome]:
        """Waits for games to end."""
        self._look()
        pending = [*self._starting, *self._running]
        if not pending:
            time.sleep(timeout)
            return []
        done, _ = ray.wait(pending, num_returns=1, timeout=timeout)
        outcomes = []
        for result in done:
            if result in self._starting:
                self._take_actor(result)
            else:
                outcomes.append(self._take_game(result))
        return outcomes

    def close(self) -> None:
        """Ends the actors and leaves the cluster."""
        running = [actor for actor, _ in self._running.values()]
        for actor in [*self._idle, *self._starting.values(), *running]:
            ray.kill(actor)
        ray.shutdown()

    def _look(self) -> None:
        """Starts actors where the cluster has processors without one."""
        if time.monotonic() - self._looked < LOOK_EVERY:
            return
        self._looked = time.monotonic()
        wanted = int(ray.cluster_resources().get("CPU", 0))
        if self._most is not None:
            wanted = min(wanted, self._most)
        there = len(self._idle) + len(self._starting) + len(self._running)
        for _ in range(wanted - there):
            actor = self._actor_type.remote(self._config, self._plan)
            self._starting[actor.prepare.remote()] = actor

    def _take_actor(self, result: Any) -> None:
        actor = self._starting.pop(result)
        try:
            ray.get(result)
        except RayActorError:
            return  # its node went before it was ready
        self._idle.append(actor)

    def _take_game(self, result: Any) -> Outcome:
        actor, game = self._running.pop(result)
        try:
            outcome = outcome_of(game, lambda: ray.get(result))
        except RayActorError as error:
            text = str(error).partition("\n")[0]
            return Outcome(game, None, f"its node was lost: {text}", blameless=True)
        self._idle.append(actor)
        return outcome
