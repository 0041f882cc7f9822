"""Plays a game of a journal again, move by move, and compares it with what is written there."""

from collections.abc import Iterator
from dataclasses import dataclass

from google.protobuf import json_format

from adamas.games import Position
from adamas.v1 import game_pb2
from adamas_tournament.plan import Plan
from adamas_tournament.records import GameRecord, MoveRecord
from adamas_tournament.referee import IllegalMove, Referee, state_digest
from adamas_tournament.scoring import standings


class ReplayError(Exception):
    """A game does not go as the journal says; the text says where."""


@dataclass(frozen=True, slots=True)
class Step:
    """A position of a game that is played again.

    Attributes:
        move: The move that led to it; None for the deal.
        position: The position.
    """

    move: MoveRecord | None
    position: Position


def replay(game: GameRecord, plan: Plan, referee: Referee) -> Iterator[Step]:
    """Plays a game again.

    Yields:
        The position after the deal and after each move.

    Raises:
        ReplayError: If a move is not legal, or anything differs from the record.
        RefereeLost: If the referee does not answer.
    """
    position = referee.start(game.seed)
    yield Step(None, position)
    for move in game.moves:
        message = json_format.Parse(move.move, game_pb2.Move())
        try:
            position = referee.apply(position.state, message, move.seat)
        except IllegalMove as error:
            raise ReplayError(f"game {game.key}, move {move.ply}: {error}") from None
        _compare(game, move, position)
        yield Step(move, position)
    _compare_end(game, plan, position)


def verify(game: GameRecord, plan: Plan, referee: Referee) -> None:
    """Plays a game again and looks at nothing but whether it fits; as `replay`."""
    for _ in replay(game, plan, referee):
        pass


def _compare(game: GameRecord, move: MoveRecord, position: Position) -> None:
    events = tuple(event.words for event in position.events)
    scores = tuple(result.score for result in position.results)
    if events != move.events or scores != move.scores:
        raise ReplayError(
            f"game {game.key}, move {move.ply}: the record says {' '.join(move.events)!r} and "
            f"scores {move.scores}, the referee {' '.join(events)!r} and {scores}"
        )


def _compare_end(game: GameRecord, plan: Plan, position: Position) -> None:
    if state_digest(position.state) != game.digest:
        raise ReplayError(f"game {game.key}: the final state is not the one of the record")
    ends = standings(plan.sides, position.results, [forfeit.side for forfeit in game.forfeits])
    written = [(side.place, side.win_share, side.score) for side in game.sides]
    if written != [(end.place, end.win_share, end.score) for end in ends]:
        raise ReplayError(f"game {game.key}: the result is not the one of the record")
