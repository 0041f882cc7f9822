"""What the referee says to a configuration: the game's options as a message, and the sides."""

from dataclasses import dataclass

from google.protobuf import json_format

from adamas.client import Client
from adamas.errors import AdamasError, InvalidRequest
from adamas.games import Game, Option
from adamas.v1 import game_pb2
from adamas_tournament.config import Config, ConfigError


@dataclass(frozen=True, slots=True)
class Plan:
    """A game that is ready to be started.

    Attributes:
        game_id: The game.
        game_name: Its name.
        options: Its options, as the JSON of a `GameOptions` message.
        seats: How many seats there are.
        sides: The seats of each side; one seat a side unless there are teams.
        language: Language of words.
    """

    game_id: str
    game_name: str
    options: str
    seats: int
    sides: tuple[tuple[int, ...], ...]
    language: str

    def options_message(self) -> game_pb2.GameOptions:
        """The options as a message."""
        return json_format.Parse(self.options, game_pb2.GameOptions())


def make_plan(config: Config, client: Client, source: str) -> Plan:
    """Checks the game's part of a configuration with the referee.

    Args:
        config: The configuration.
        client: A client of the referee.
        source: Where the configuration is from, for messages.

    Raises:
        ConfigError: If the referee does not know the game, the variant or an option, or if they
            don't go with the number of seats.
    """
    wanted = config.game
    known = {game.game_id: game for game in client.games(language=wanted.language)}
    if wanted.id not in known:
        raise ConfigError(
            f"{source}: game.id: there is no game {wanted.id!r}; there are: {', '.join(known)}"
        )
    summary = known[wanted.id]
    if not summary.min_seats <= wanted.seats <= summary.max_seats:
        raise ConfigError(
            f"{source}: game.seats: is {wanted.seats}; "
            f"{summary.name} has {summary.min_seats} to {summary.max_seats}"
        )
    game = client.game(wanted.id, seats=wanted.seats, language=wanted.language)
    message = _variant(config, game, source)
    problems = _set_options(config, game, message)
    if problems:
        raise ConfigError("\n".join(f"{source}: game.options.{problem}" for problem in problems))
    try:
        client.start(message, wanted.seats, seed=0)
    except InvalidRequest as error:
        raise ConfigError(f"{source}: game: {error}") from None
    return Plan(
        game_id=wanted.id,
        game_name=summary.name,
        options=json_format.MessageToJson(message, indent=None, preserving_proto_field_name=True),
        seats=wanted.seats,
        sides=_sides(config, message),
        language=wanted.language,
    )


def _variant(config: Config, game: Game, source: str) -> game_pb2.GameOptions:
    wanted = config.game
    message = game_pb2.GameOptions()
    getattr(message, wanted.id).SetInParent()
    if wanted.variant is None:
        return message
    variants = {variant.variant_id: variant for variant in game.variants}
    fitting = [name for name, variant in variants.items() if wanted.seats in variant.seats]
    if wanted.variant not in fitting:
        trouble = "does not go with this number of seats" if wanted.variant in variants else (
            "is not known"
        )  # fmt: skip
        raise ConfigError(
            f"{source}: game.variant: {wanted.variant!r} {trouble}; "
            f"what there is for {wanted.seats} seats: {', '.join(fitting)}"
        )
    getattr(message, wanted.id).CopyFrom(variants[wanted.variant].options)
    return message


def _set_options(config: Config, game: Game, message: game_pb2.GameOptions) -> list[str]:
    """Sets the single options; returns what is wrong with them."""
    known = {option.name: option for option in game.options}
    target = getattr(message, config.game.id)
    problems = []
    for name, value in config.game.options.items():
        option = known.get(name)
        if option is None:
            problems.append(f"{name}: is not known; there are: {', '.join(known)}")
            continue
        try:
            json_format.ParseDict({name: _exact(option, value)}, target)
        except (ValueError, json_format.ParseError) as error:
            problems.append(f"{name}: {error}")
    return problems


def _exact(option: Option, value: bool | int | str) -> bool | int | str:
    """The value, if it is one of the option's.

    Raises:
        ValueError: If not; says what is.
    """
    if option.choices:
        choices = [choice.value for choice in option.choices]
        if value not in choices:
            raise ValueError(f"is {value!r}; use one of: {', '.join(choices)}")
    elif isinstance(option.default, bool):
        if not isinstance(value, bool):
            raise ValueError(f"is {value!r}; use true or false")
    elif (
        isinstance(value, bool)
        or not isinstance(value, int)
        or not (option.min_value or 0) <= value <= (option.max_value or 0)
    ):
        raise ValueError(f"is {value!r}; use {option.min_value} to {option.max_value}")
    return value


def _sides(config: Config, message: game_pb2.GameOptions) -> tuple[tuple[int, ...], ...]:
    seats = config.game.seats
    if config.game.teams is not None:
        return config.game.teams
    if getattr(getattr(message, config.game.id), "teams", False) is True:
        return tuple((team, team + seats // 2) for team in range(seats // 2))
    return tuple((seat,) for seat in range(seats))


def check_referee(client: Client, address: str) -> None:
    """Waits for the referee.

    Raises:
        ConfigError: If nothing answers there.
    """
    try:
        client.wait_ready(timeout=30)
    except AdamasError as error:
        raise ConfigError(
            f"no referee answers at {address}: {error}\n"
            "Start a server there, or leave tournament.referee out to have one started here."
        ) from None
