"""New tables: from what a browser asks for, and from records."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from google.protobuf import json_format

from adamas.records import Record
from adamas.v1.game_pb2 import GameOptions
from web.host import refusals
from web.host.names import clean_name
from web.host.referee import Referee, as_refusals
from web.host.seats import Seat
from web.host.table import Table, UndoRule

MOST_LEVEL = 10
MOST_GAMES = 50
"""Games of one record."""
_MOST_SEATS = 8


class Opening:
    """Opens tables."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee

    async def new(self, values: Mapping[str, Any], browser: str) -> Table:
        """The table of a `NewTable`; raises Refusal."""
        options = _options(values.get("options"))
        seats = [
            read_seat(seat, browser, f"seats[{number}]")
            for number, seat in enumerate(_list(values.get("seats"), "seats"))
        ]
        if sum(seat.browser == browser for seat in seats) > 1:
            raise refusals.invalid("seats", "only one may be yours")
        seed = _seed(values.get("seed"))
        try:
            rule = UndoRule(values.get("undo", UndoRule.FAIR))
        except ValueError:
            raise refusals.invalid("undo", f"use {', '.join(UndoRule)}") from None
        hints = values.get("hints", True)
        if not isinstance(hints, bool):
            raise refusals.invalid("hints", "use true or false")
        with as_refusals("options"):
            deal = await self._referee.deal(options, len(seats), seed)
        return Table(
            key=new_key(),
            owner=browser,
            options=options,
            seed=seed,
            seats=seats,
            steps=[deal],
            undo_rule=rule,
            hints=hints,
        )

    async def of_record(self, record: Record, browser: str, names: list[str]) -> Table:
        """A table to look a recorded game through; raises Refusal if it can't be played."""
        if not 0 < record.seats <= _MOST_SEATS:
            raise refusals.invalid("seats", f"use 1 to {_MOST_SEATS}")
        if not 0 <= record.seed < 1 << 64:
            raise refusals.invalid("seed", "use a whole number of 64 bits")
        with as_refusals("the record"):
            deal = await self._referee.deal(record.options, record.seats, record.seed)
            played = [(played.seat, played.move) for played in record.moves]
            steps = await self._referee.replay(deal, played)
        seats = [Seat.bot(0) for _ in range(record.seats)]
        for seat, name in zip(seats, names, strict=False):
            seat.name = clean_name(name)
        return Table(
            key=new_key(),
            owner=browser,
            options=record.options,
            seed=record.seed,
            seats=seats,
            steps=steps,
            undo_rule=UndoRule.NONE,
            imported=True,
        )


def new_key() -> str:
    """An id that nobody guesses."""
    return secrets.token_urlsafe(12)


def read_seat(values: Any, browser: str, path: str) -> Seat:
    """Who is to sit in a seat; raises Refusal."""
    if not isinstance(values, dict):
        raise refusals.invalid(path, "use an object with a kind")
    match values.get("kind"):
        case "you":
            return Seat.person(browser, read_name(values.get("name", ""), f"{path}.name"))
        case "open":
            return Seat.open()
        case "bot":
            level = values.get("level", 0)
            if type(level) is not int or not 0 <= level <= MOST_LEVEL:
                raise refusals.invalid(f"{path}.level", f"use 0 to {MOST_LEVEL}")
            return Seat.bot(level)
        case _:
            raise refusals.invalid(f"{path}.kind", "use you, open or bot")


def read_name(value: Any, path: str) -> str:
    """A person's name, cleaned; raises Refusal."""
    if not isinstance(value, str):
        raise refusals.invalid(path, "use text")
    return clean_name(value)


def _options(values: Any) -> GameOptions:
    if not isinstance(values, dict):
        raise refusals.invalid("options", 'use an object such as {"dao": {}}')
    try:
        options = json_format.ParseDict(values, GameOptions())
    except (json_format.ParseError, RecursionError) as error:
        raise refusals.invalid("options", str(error)) from None
    if options.WhichOneof("game") is None:
        raise refusals.invalid("options", "name a game")
    return options


def _list(values: Any, path: str) -> list[Any]:
    if not isinstance(values, list) or not 0 < len(values) <= _MOST_SEATS:
        raise refusals.invalid(path, f"use a list of 1 to {_MOST_SEATS}")
    return values


def _seed(value: Any) -> int:
    if value is None:
        return secrets.randbits(64)
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 20:
        if int(value) < 1 << 64:
            return int(value)
    raise refusals.invalid("seed", "use a whole number of 64 bits, as text")
