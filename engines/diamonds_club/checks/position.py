"""A position to be checked, as plain numbers: reading a record field by field takes its time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from engines.diamonds_club.rules.state import (
    ALL_PRINTED,
    COLUMNS,
    MONEY_TRACK,
    OPEN_FIELDS,
    PRINTED,
)

_FIELDS = [str(field[0]) for field in OPEN_FIELDS if field[0] not in ("strips", "prices")]


class Position(SimpleNamespace):
    """The open fields of a record by their names: numbers, and lists with an entry for each seat,
    cell and so on that there may be."""

    def __init__(self, record: Any) -> None:
        super().__init__(**{name: record[name].tolist() for name in _FIELDS})
        self.bought = {
            divmod(cell, COLUMNS): coins for cell, coins in enumerate(self.paid) if coins > 0
        }
        """Coins on the cells that have been bought this round, by row and column."""
        self.symbols = [self.cells[row * COLUMNS + column] for row, column in self.bought]
        """What those cells show."""
        self.spent = [
            self.income[self.levels[seat][MONEY_TRACK]] - self.coins[seat]
            for seat in range(self.seats)
        ]
        """Coins that each seat has spent this round: what its money track gives in a round, with a
        step of this round, less what is left."""

    def lights_free(self, seat: int) -> int:
        """Light spaces without a picture that are still free."""
        return int(self.light_size - PRINTED - self.light_tiles[seat])

    def is_full(self, seat: int) -> bool:
        """Whether all light spaces of a park are covered."""
        return bool(self.covered[seat] == ALL_PRINTED and self.lights_free(seat) == 0)
