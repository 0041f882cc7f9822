"""Positions of Diamonds Club that tests and benchmarks share."""

from __future__ import annotations

from math import factorial

from tests.engines.wide import WidePosition
from tests.examples.diamonds_club import EXCHANGE, player, position


def widest() -> WidePosition:
    """Six mines, rights and ships: every right can go with every mine, and so can every ship."""
    tiles = "Mb Mb My Mg Mr Mr R2 R3 R3 R4 R5 R5 S2 S2 S3 S4 S4 S5"
    state = position(player(tiles), player("Mg R2 S3"), phase=EXCHANGE)
    sets = sum(tile.startswith("M") for tile in tiles.split())
    return WidePosition(state, seat=0, combinations=factorial(sets) ** 2)
