"""Games as JSON and as text."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len, set_cell_size

from adamas.figures import number, percent
from adamas_tournament.entrant_config import Entrant
from adamas_tournament.plan import Plan
from adamas_tournament.records import Forfeit, GameRecord, MoveRecord

STAND_IN = "stand-in"


@dataclass(frozen=True, slots=True)
class Heading:
    """What games of a tournament have in common.

    Attributes:
        name: The tournament's name.
        created: When it was begun.
        plan: What is played.
        entrants: Who takes part.
        versions: When each session began, and its versions.
    """

    name: str
    created: str
    plan: Plan
    entrants: tuple[Entrant, ...]
    versions: list[tuple[str, dict[str, str]]]


def as_json(
    heading: Heading, games: Iterable[GameRecord], *, ascii_only: bool = False
) -> Iterator[str]:
    """A JSON document, in pieces: the tournament, then its games, one a line.

    Args:
        heading: The tournament.
        games: Its games.
        ascii_only: Whether letters beyond ASCII are escaped, for where they can't be written.
    """
    plan = heading.plan
    head = {
        "tournament": heading.name,
        "created": heading.created,
        "game": plan.game_id,
        "options": json.loads(plan.options),
        "seats": plan.seats,
        "sides": plan.sides,
        "entrants": [
            entrant.model_dump(exclude_none=True) | {"description": entrant.description}
            for entrant in heading.entrants
        ],
        "sessions": [
            {"started": started, "versions": versions} for started, versions in heading.versions
        ],
    }
    yield json.dumps(head, ensure_ascii=ascii_only)[:-1] + ', "games": [\n'
    separator = ""
    for game in games:
        yield separator + json.dumps(game_values(game), ensure_ascii=ascii_only)
        separator = ",\n"
    yield "\n]}\n"


def game_values(game: GameRecord) -> dict[str, Any]:
    """A game as plain values. The seed is text, since JSON's numbers may be too short for it."""
    return {
        "game": str(game.key),
        "seed": str(game.seed),
        "started": game.started,
        "seconds": round(game.seconds, 6),
        "host": game.host,
        "final_state_sha256": game.digest,
        "sides": [
            {
                "entrant": side.entrant,
                "seats": side.seats,
                "place": side.place,
                "win_share": side.win_share,
                "score": side.score,
                "seconds": round(side.seconds, 6),
            }
            for side in game.sides
        ],
        "moves": [_move_values(move) for move in game.moves],
        "forfeits": [
            {
                "side": forfeit.side,
                "seat": forfeit.seat,
                "ply": forfeit.ply,
                "offence": forfeit.offence.value,
                "detail": forfeit.detail,
            }
            for forfeit in game.forfeits
        ],
    }


def _move_values(move: MoveRecord) -> dict[str, Any]:
    values: dict[str, Any] = {
        "ply": move.ply,
        "seat": move.seat,
        "move": json.loads(move.move),
        "seconds": round(move.seconds, 6),
        "events": move.events,
        "scores": move.scores,
    }
    if move.win_probability is not None:
        values["win_probability"] = round(move.win_probability, 6)
    if move.iterations is not None:
        values["iterations"] = move.iterations
    if move.reason:
        values["reason"] = move.reason
    if move.stand_in:
        values["stand_in"] = True
    return values


def as_text(heading: Heading, games: Iterable[GameRecord]) -> Iterator[str]:
    """Games as people read them, in pieces."""
    for game in games:
        yield "\n".join(_lines(heading, game)) + "\n\n"


def _lines(heading: Heading, game: GameRecord) -> Iterator[str]:
    plan = heading.plan
    yield f"{heading.name}, game {game.key}: {plan.game_name}, {plan.seats} seats"
    yield f"seed {game.seed}, begun {game.started}, {game.seconds:.1f} s on {game.host}"
    yield ""
    names = [side.entrant for side in game.sides]
    names += [STAND_IN for move in game.moves if move.stand_in]
    width = max(map(cell_len, names))
    for side in sorted(game.sides, key=lambda side: side.place):
        seats = " and ".join(str(seat) for seat in side.seats)
        share = f", share of the victory {side.win_share:.3g}" if side.win_share else ""
        name = set_cell_size(side.entrant, width)
        yield f"  {side.place}. {name}  seat {seats}  {number(side.score)} points{share}"
    yield ""
    here = {side.entrant for side in game.sides}
    for entrant in heading.entrants:
        if entrant.name in here:
            yield f"  {entrant.name}: {entrant.description}"
    yield ""
    forfeits = {forfeit.ply: forfeit for forfeit in game.forfeits}
    for move in game.moves:
        if move.ply in forfeits:
            yield _forfeit_line(game, forfeits.pop(move.ply))
        start = _move_start(game, move, width)
        for event in move.events or ("",):
            yield start + event
            start = " " * cell_len(start)
        if move.reason:
            yield f"{start}({move.reason})"
    for forfeit in forfeits.values():
        yield _forfeit_line(game, forfeit)


def _move_start(game: GameRecord, move: MoveRecord, width: int) -> str:
    entrant = next(side.entrant for side in game.sides if move.seat in side.seats)
    who = STAND_IN if move.stand_in else entrant
    expects = "" if move.win_probability is None else f"win {percent(move.win_probability)}"
    return (
        f"  {move.ply:4}  seat {move.seat}  {set_cell_size(who, width)}  {move.seconds:7.3f} s"
        f"  {expects:10} "
    )


def _forfeit_line(game: GameRecord, forfeit: Forfeit) -> str:
    entrant = game.sides[forfeit.side].entrant
    return f"  {forfeit.ply:4}  seat {forfeit.seat}  {entrant} forfeits: {forfeit.offence}: " + (
        forfeit.detail.replace("\n", " ")
    )
