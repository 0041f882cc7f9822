"""The games, their options and variants as messages, built from what each game declares."""

from __future__ import annotations

from collections.abc import Mapping

from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as pb
from engines.contract import Game
from engines.options import (
    BoolOption,
    ChoiceOption,
    IntOption,
    NameOption,
    OptionSpec,
    VariantSpec,
)
from search.levels import NoLevels, levels


def summary(game: Game, language: str) -> pb.GameSummary:
    """A game in short."""
    return pb.GameSummary(
        game_id=game.game_id,
        name=game.words.name(language),
        min_seats=game.min_seats,
        max_seats=game.max_seats,
    )


def description(game: Game, seats: int, language: str) -> pb.GetGameResponse:
    """A game with its variants and its options, with the defaults for a number of seats."""
    return pb.GetGameResponse(
        levels=_levels(game.game_id),
        summary=summary(game, language),
        description=game.words.description(language),
        variants=[_variant(game, spec, language) for spec in game.variants],
        options=[_option(game, spec, seats, language) for spec in game.options],
    )


def _levels(game_id: str) -> list[pb.Level]:
    try:
        found = levels(game_id)
    except NoLevels:
        return []
    return [
        pb.Level(level=one.level, rating=one.rating, rating_low=one.low, rating_high=one.high)
        for one in found
    ]


def _variant(game: Game, spec: VariantSpec, language: str) -> pb.Variant:
    return pb.Variant(
        variant_id=spec.variant_id,
        name=spec.name[language],
        description=spec.description[language],
        options=_options(game, spec.values),
        seats=sorted(spec.seats),
    )


def _options(game: Game, values: Mapping[str, int]) -> game_pb2.GameOptions:
    """Values by name as the game's options message; all others stay absent."""
    options = game_pb2.GameOptions()
    message = getattr(options, game.game_id)
    message.SetInParent()
    for spec in game.options:
        if spec.name in values:
            spec.write(values[spec.name], message)
    return options


def _option(game: Game, spec: OptionSpec, seats: int, language: str) -> pb.Option:
    default = spec.default(seats)
    option = pb.Option(
        name=spec.name,
        title=spec.title[language],
        description=spec.description[language],
        seats=sorted(spec.seats) if spec.seats else range(game.min_seats, game.max_seats + 1),
    )
    if isinstance(spec, BoolOption):
        option.bool_option.default_value = bool(default)
        option.bool_option.SetInParent()
    elif isinstance(spec, IntOption):
        option.int_option.default_value = default
        option.int_option.min_value = spec.min_value
        option.int_option.max_value = spec.max_value
        option.int_option.SetInParent()
    elif isinstance(spec, ChoiceOption):
        option.choice_option.default_value = spec.enum.Name(default)
        for number, title in spec.choices.items():
            option.choice_option.choices.add(value=spec.enum.Name(number), title=title[language])
    elif isinstance(spec, NameOption):
        option.choice_option.default_value = list(spec.names)[default]
        for name, title in spec.names.items():
            option.choice_option.choices.add(value=name, title=title[language])
    return option
