"""How an impossible position is written down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import game_pb2

Change = Callable[[Any], object]


@dataclass(frozen=True)
class Impossible:
    """A request that is refused, and how."""

    name: str
    request: Callable[[], pb.RecommendRequest]
    field: str
    """Path of the field that is named first."""
    phrase: str
    """Part of what is said about it."""

    def __str__(self) -> str:
        """The test's name."""
        return self.name


@dataclass(frozen=True)
class Cases:
    """The impossible positions of a game: functions that spoil a good view or state."""

    game_id: str
    found: list[Impossible] = field(default_factory=list)

    def view(self, good: Callable[[], Any], path: str, phrase: str) -> Callable[[Change], Change]:
        """A change that makes a view wrong at a path below the game's message."""

        def request(spoil: Change) -> pb.RecommendRequest:
            inner = good()
            spoil(inner)
            view = game_pb2.PlayerView(**{self.game_id: inner})
            return pb.RecommendRequest(query=pb.SearchQuery(view=view))

        return self._register("view", request, f"query.view.{self.game_id}", path, phrase)

    def state(
        self, good: Callable[[], Any], path: str, phrase: str, *, seat: int = 0
    ) -> Callable[[Change], Change]:
        """A change that makes a state wrong at a path below the game's message."""

        def request(spoil: Change) -> pb.RecommendRequest:
            inner = good()
            spoil(inner)
            state = game_pb2.GameState(**{self.game_id: inner})
            of_seat = pb.StateOfSeat(state=state, seat=seat)
            return pb.RecommendRequest(query=pb.SearchQuery(state=of_seat))

        return self._register("state", request, f"query.state.state.{self.game_id}", path, phrase)

    def _register(
        self,
        kind: str,
        request: Callable[[Change], pb.RecommendRequest],
        start: str,
        path: str,
        phrase: str,
    ) -> Callable[[Change], Change]:
        def register(spoil: Change) -> Change:
            name = f"{self.game_id}-{kind}-{spoil.__name__}"
            whole = f"{start}.{path}" if path else start
            self.found.append(Impossible(name, lambda: request(spoil), whole, phrase))
            return spoil

        return register
