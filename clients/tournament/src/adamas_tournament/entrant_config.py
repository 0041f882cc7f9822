"""The tables [[entrants]] of a configuration: who plays, and how strongly."""

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from adamas_tournament.section import LONGEST, Section

PORT = "{port}"
"""Stands in an entrant's command for the port where its program is to listen."""
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
    address: str | None = Field(
        None, description="where the player listens, host:port; this or command"
    )
    command: Annotated[tuple[str, ...] | None, Field(strict=False)] = Field(
        None,
        description="how the player is started, a program and its arguments, of which one has "
        f'"{PORT}"; this or address',
    )
    tls: bool = Field(False, description="whether the connection to an address is encrypted")

    @field_validator("command")
    @classmethod
    def _listens_where_it_is_told(cls, command: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if command is not None and not any(PORT in part for part in command):
            raise ValueError(
                f"has no {PORT}, the port where the player is to listen; "
                f'such as ["python", "bot.py", "--port", "{PORT}"]'
            )
        return command

    @model_validator(mode="after")
    def _one_way_to_reach_it(self) -> Self:
        if (self.address is None) == (self.command is None):
            raise ValueError("use address for a player that runs, or command for one to be started")
        if self.command is not None and self.tls:
            raise ValueError("tls goes with address; a player started here is reached without")
        return self

    @property
    def description(self) -> str:
        """What plays, in words."""
        command = " ".join(self.command or ())
        where = f"program at {self.address}" if self.address else f"program: {command}"
        return ", ".join([where, *self._strength_and_limits()])


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
