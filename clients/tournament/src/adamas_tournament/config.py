"""The configuration of a tournament: one TOML file, checked field by field."""

import difflib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator

from adamas_tournament.entrant_config import (
    CasualEntrant,
    EndpointEntrant,
    Entrant,
    RandomEntrant,
    ServiceEntrant,
)
from adamas_tournament.section import LONGEST, Section

COMPARISON = re.compile(r"(?P<first>[^<>]+?)\s*>\s*(?P<second>[^<>]+)")
ALL_PAIRS = "all pairs"


class ConfigError(Exception):
    """A configuration that can't be used; the text names every wrong key."""


class TournamentSection(Section):
    """The tournament as a whole."""

    name: str = Field("Tournament", description="the title of the report", min_length=1)
    seed: int = Field(0, description="seed of every deal and every choice", ge=0, lt=2**63)
    deals: int = Field(description="how many deals are played at most", ge=1, le=10_000_000)
    parallel: int = Field(
        1, description="games at the same time in a local run; one a core is a good choice",
        ge=1, le=1024,
    )  # fmt: skip
    referee: str | None = Field(
        None,
        description="address of the server that referees, host:port; "
        "left out, a server is started here",
    )
    lineups: Literal["all", "balanced"] = Field(
        "all",
        description='"all": every deal is played by every choice of entrants that fills the '
        'table; "balanced": by one choice, such that all pairs meet equally often',
    )


class GameSection(Section):
    """What is played."""

    id: str = Field(description="the game's id, such as dao")
    seats: int = Field(description="how many seats the table has", ge=2, le=6)
    variant: str | None = Field(None, description="a variant of the game, such as classic")
    options: dict[str, bool | int | str] = Field(
        default_factory=dict, description="single options, laid over those of the variant"
    )
    teams: Annotated[tuple[Annotated[tuple[int, ...], Field(strict=False)], ...] | None,
                     Field(strict=False)] = Field(
        None,
        description="the seats of each team, such as [[0, 2], [1, 3]]; left out, partners sit "
        'opposite if the game\'s option "teams" is on, and nobody has a partner otherwise',
    )  # fmt: skip
    language: str = Field("en", description="language of the records, en or zh-TW")

    @field_validator("teams")
    @classmethod
    def _each_seat_once(
        cls, teams: tuple[tuple[int, ...], ...] | None, info: ValidationInfo
    ) -> tuple[tuple[int, ...], ...] | None:
        seats = info.data.get("seats")
        if teams is None or seats is None:
            return teams
        if sorted(seat for team in teams for seat in team) != list(range(seats)):
            raise ValueError(f"have to hold each seat from 0 to {seats - 1} exactly once")
        if len({len(team) for team in teams}) != 1 or len(teams) < 2:
            raise ValueError("have to be two or more, all of the same size")
        return teams


class TimeControl(Section):
    """How long moves may take. All in seconds."""

    move: float | None = Field(
        None, description="limit of a single move, in seconds", gt=0, le=LONGEST
    )
    total: float | None = Field(
        None, description="budget of a seat for a game, in seconds", gt=0, le=LONGEST
    )
    increment: float = Field(
        0.0, description="added to the budget after each move", ge=0, le=LONGEST
    )
    lag: float = Field(0.1, description="part of each move that is not charged", ge=0, le=LONGEST)
    hang: float = Field(
        60.0,
        description="a player that has not answered by then counts as hanging",
        gt=0,
        le=LONGEST,
    )
    patience: float = Field(
        3.0, description="how long a player that can't be reached is tried again", ge=0, le=LONGEST
    )

    @model_validator(mode="after")
    def _increment_needs_a_budget(self) -> Self:
        if self.increment and self.total is None:
            raise ValueError("increment goes with total: set both or neither")
        return self


class StopSection(Section):
    """When to stop before all deals are played."""

    when: Annotated[tuple[str, ...], Field(strict=False)] = Field(
        description='what has to be known: comparisons such as "A > B", or "all pairs"'
    )
    confidence: float = Field(0.95, description="between 0.5 and 1", gt=0.5, lt=1)

    @field_validator("when", mode="before")
    @classmethod
    def _one_or_many(cls, when: object) -> object:
        return (when,) if isinstance(when, str) else when

    @field_validator("when")
    @classmethod
    def _readable(cls, when: tuple[str, ...]) -> tuple[str, ...]:
        for question in when:
            if question != ALL_PAIRS and not COMPARISON.fullmatch(question):
                raise ValueError(f'{question!r} is not understood; use "A > B" or "{ALL_PAIRS}"')
        if not when:
            raise ValueError("is empty; leave the section [stop] out to play all deals")
        return when


class RatingSection(Section):
    """How ratings are shown. 400 points mean odds of ten to one."""

    anchor: str | None = Field(
        None, description="the entrant whose rating is fixed; left out, the mean of all is"
    )
    value: float = Field(1500.0, description="the rating of the anchor, or the mean of all")


class Config(Section):
    """A whole configuration."""

    tournament: TournamentSection
    game: GameSection
    entrants: Annotated[tuple[Entrant, ...], Field(strict=False)] = Field(
        description="who takes part, one table [[entrants]] each", min_length=2, max_length=100
    )
    time: TimeControl = TimeControl()
    stop: StopSection | None = None
    rating: RatingSection = RatingSection()

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names, in the order of the file."""
        return tuple(entrant.name for entrant in self.entrants)

    def questions(self) -> tuple[tuple[str, str], ...]:
        """The pairs of entrants that the stopping rule asks about; empty without one."""
        pairs: dict[frozenset[str], tuple[str, str]] = {}
        for question in self.stop.when if self.stop else ():
            match = COMPARISON.fullmatch(question)
            asked = (
                [(match["first"], match["second"])]
                if match
                else [
                    (first, second)
                    for index, first in enumerate(self.names)
                    for second in self.names[index + 1 :]
                ]
            )
            for pair in asked:
                pairs.setdefault(frozenset(pair), pair)
        return tuple(pairs.values())

    @model_validator(mode="after")
    def _names_fit(self) -> Self:
        doubled = sorted({name for name in self.names if self.names.count(name) > 1})
        if doubled:
            raise ValueError(f"two entrants are called {doubled[0]!r}; give each its own name")
        known = ", ".join(self.names)
        for pair in self.questions():
            for name in pair:
                if name not in self.names:
                    raise ValueError(f"stop.when: there is no entrant {name!r}; there are: {known}")
            if pair[0] == pair[1]:
                raise ValueError(f"stop.when: compares {pair[0]!r} with itself")
        if self.rating.anchor is not None and self.rating.anchor not in self.names:
            raise ValueError(
                f"rating.anchor: there is no entrant {self.rating.anchor!r}; there are: {known}"
            )
        return self


def load_config(path: Path) -> tuple[Config, str]:
    """Reads a configuration.

    Returns:
        The configuration, and the text of the file.

    Raises:
        ConfigError: If there is no such file, or anything is wrong with it.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: can't be read: {error}") from None
    return parse_config(text, str(path)), text


def parse_config(text: str, source: str) -> Config:
    """Reads a configuration from the text of a TOML file.

    Args:
        text: The text.
        source: Where it is from, for messages.

    Raises:
        ConfigError: If anything is wrong with it.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{source}: is no TOML: {error}") from None
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        raise ConfigError("\n".join(_explain(error, source))) from None


def _explain(error: ValidationError, source: str) -> list[str]:
    violations = error.errors()
    inside = {violation["loc"][0] for violation in violations if len(violation["loc"]) > 1}
    return [
        f"{source}: {_violation(violation)}"
        for violation in violations
        # A list counts as too short when its wrong items are taken out, which says nothing new.
        if not (violation["type"] == "too_short" and violation["loc"][0] in inside)
    ]


def _violation(violation: Mapping[str, Any]) -> str:
    location = violation["loc"]
    section, path = _follow(location)
    field = section.model_fields.get(str(location[-1])) if section and location else None
    hint = f" ({field.description})" if field and field.description else ""
    match violation["type"]:
        case "missing":
            return f"{path}: is missing{hint}"
        case "extra_forbidden":
            known = list(section.model_fields) if section else []
            close = difflib.get_close_matches(str(location[-1]), known, 1)
            meant = f"; did you mean {close[0]}?" if close else "."
            return f"{path}: is not a setting{meant} What there is: {', '.join(known)}"
        case "too_short":
            there, needed = len(violation["input"]), violation["ctx"]["min_length"]
            return f"{path}: there have to be {needed} or more, not {there}{hint}"
        case "value_error":
            text = str(violation["ctx"]["error"])
            return f"{path}: {text}" if path else text
        case "union_tag_not_found":
            return f'{path}.kind: is missing; use "service", "endpoint", "casual" or "random"'
        case "union_tag_invalid":
            return (
                f"{path}.kind: is {violation['ctx']['tag']!r}; "
                'use "service", "endpoint", "casual" or "random"'
            )
        case _:
            text = violation["msg"].replace("Input should", "should")
            return f"{path}: {text}, not {violation['input']!r}{hint}"


_KINDS: dict[str, type[Section]] = {
    "service": ServiceEntrant,
    "endpoint": EndpointEntrant,
    "casual": CasualEntrant,
    "random": RandomEntrant,
}
_SECTIONS: dict[str, type[Section]] = {
    "tournament": TournamentSection,
    "game": GameSection,
    "time": TimeControl,
    "stop": StopSection,
    "rating": RatingSection,
}


def _follow(location: tuple[str | int, ...]) -> tuple[type[Section] | None, str]:
    """The section that holds the last part of a location, and the location as people write it."""
    section: type[Section] | None = Config
    path = ""
    for depth, part in enumerate(location):
        if location[0] == "entrants" and depth == 2 and part in _KINDS:
            section = _KINDS[str(part)]  # pydantic names the kind of an entrant, the file does not
            continue
        if depth == 1:
            section = _SECTIONS.get(str(location[0]))
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return section, path
