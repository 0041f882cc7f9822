"""The tables [[entrants]] of a configuration: who plays, and how strongly."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from adamas_tournament.section import LONGEST, Section

LOWEST_LEVEL, HIGHEST_LEVEL = 1, 10
"""The strength levels of the service."""


class _Entrant(Section):
    name: str = Field(description="the entrant's name", min_length=1, max_length=60)

    @field_validator("name")
    @classmethod
    def _no_comparison(cls, name: str) -> str:
        if set(name) & set("<>\n") or name != name.strip():
            raise ValueError('has "<", ">", a line break or spaces around it; leave them out')
        return name


class _Searching(_Entrant):
    level: int | None = Field(
        None,
        description=f"strength level, {LOWEST_LEVEL} to {HIGHEST_LEVEL}; left out, full strength",
        ge=LOWEST_LEVEL,
        le=HIGHEST_LEVEL,
    )
    target_rating: float | None = Field(
        None, description="strength as a rating among those of the game's levels"
    )
    iterations: int | None = Field(None, description="iterations a move", ge=1, le=1_000_000_000)
    time: float | None = Field(
        None, description="thinking time a move, in seconds", gt=0, le=LONGEST
    )
    trees: int = Field(1, description="search trees; more use more cores", ge=1, le=64)

    @field_validator("target_rating")
    @classmethod
    def _one_strength(cls, rating: float | None, info: ValidationInfo) -> float | None:
        if rating is not None and info.data.get("level") is not None:
            raise ValueError("is set beside level; use one of them")
        return rating

    @property
    def strength_key(self) -> str | None:
        """The key that says how strongly it plays; None: it plays at full strength."""
        if self.level is not None:
            return "level"
        return None if self.target_rating is None else "target_rating"

    def _strength_and_limits(self) -> Iterator[str]:
        if self.level is not None:
            yield f"level {self.level}"
        if self.target_rating is not None:
            yield f"rating {self.target_rating:g}"
        if self.iterations is not None:
            yield f"{self.iterations:,} iterations a move"
        if self.time is not None:
            yield f"{self.time:g} s a move"
        if self.trees > 1:
            yield f"{self.trees} trees"


class ServiceEntrant(_Searching):
    """The service's own search, at the referee's server or another."""

    kind: Literal["service"]
    address: str | None = Field(None, description="host:port; left out, the referee's server")

    @property
    def description(self) -> str:
        """What plays, in words."""
        return ", ".join(["search", *self._strength_and_limits(), *_at(self.address)])


class EndpointEntrant(_Searching):
    """Any program that implements AdvisorService/Recommend."""

    kind: Literal["endpoint"]
    address: str = Field(description="where the player listens, host:port")
    tls: bool = Field(False, description="whether the connection is encrypted")

    @property
    def description(self) -> str:
        """What plays, in words."""
        return ", ".join([f"program at {self.address}", *self._strength_and_limits()])


class CasualEntrant(_Entrant):
    """The service's rule-based player."""

    kind: Literal["casual"]
    address: str | None = Field(None, description="host:port; left out, the referee's server")

    @property
    def description(self) -> str:
        """What plays, in words."""
        return ", ".join(["rule-based player", *_at(self.address)])


class RandomEntrant(_Entrant):
    """Plays uniformly random legal moves."""

    kind: Literal["random"]

    @property
    def description(self) -> str:
        """What plays, in words."""
        return "random legal moves"


Entrant = Annotated[
    ServiceEntrant | EndpointEntrant | CasualEntrant | RandomEntrant, Field(discriminator="kind")
]


def _at(address: str | None) -> tuple[str, ...]:
    return () if address is None else (f"at {address}",)
