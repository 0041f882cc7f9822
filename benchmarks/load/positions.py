"""Positions of all games to ask a server about, with the moves that are legal in them."""

from __future__ import annotations

import random
from dataclasses import dataclass

from adamas import Client, GameSummary, Table
from adamas.envelopes import wrap
from adamas.v1 import game_pb2
from benchmarks.load.clients import ANYBODY, Identity

_SEATS = 4
_MOVES_PLAYED = 12
_TRIES = 40


@dataclass(frozen=True)
class AskedPosition:
    """What a seat knows, and its legal moves, as bytes that every process can be given."""

    game_id: str
    view: bytes
    """A PlayerView."""
    legal: frozenset[bytes]
    """Every legal Move, written deterministically."""

    def allows(self, move: game_pb2.Move) -> bool:
        """Whether a move is legal here."""
        return move.SerializeToString(deterministic=True) in self.legal


def positions(
    address: str, *, per_game: int = 2, seed: int = 1, identity: Identity = ANYBODY
) -> list[AskedPosition]:
    """Positions a few moves into games between random players, all games in turn.

    The seat to move has several legal moves in each.
    """
    with Client(address, metadata=identity.metadata) as client:
        games = client.games()
        return [_position(client, g, seed + number) for number in range(per_game) for g in games]


def _position(client: Client, game: GameSummary, seed: int) -> AskedPosition:
    chooser = random.Random(f"{game.game_id} {seed}")
    options = game_pb2.GameOptions()
    getattr(options, game.game_id).SetInParent()
    for attempt in range(_TRIES):
        seats = min(_SEATS, game.max_seats)
        table = client.table(options, seats, seed=seed + 100 * attempt)
        _play_on(table, chooser)
        if table.over:
            continue
        view = table.view(table.seats_to_move[0])
        moves = [wrap(game_pb2.Move, legal.move) for legal in client.legal_moves(view)]
        if len(moves) > 1:
            return AskedPosition(
                game.game_id,
                wrap(game_pb2.PlayerView, view).SerializeToString(),
                frozenset(move.SerializeToString(deterministic=True) for move in moves),
            )
    raise RuntimeError(f"no position of {game.game_id} with a choice was found")


def _play_on(table: Table, chooser: random.Random) -> None:
    """Plays some random moves."""
    for _ in range(chooser.randrange(_MOVES_PLAYED)):
        if table.over:
            return
        table.play(chooser.choice(table.legal_moves()).move)
