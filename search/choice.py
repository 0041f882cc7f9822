"""Which of the legal moves of a position a search looks at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Choice:
    """The moves to consider at the root, and one to be compared with the best; all are legal.

    Raises ValueError if nothing is to be considered, or not the move to compare.
    """

    only: frozenset[int] | None = None
    """None: all legal ones."""
    compared: int | None = None

    def __post_init__(self) -> None:
        if self.only is None:
            return
        if not self.only:
            raise ValueError("there is no move to consider")
        if self.compared is not None and self.compared not in self.only:
            raise ValueError("the move to compare is not one to consider")

    def among(self, legal: tuple[int, ...]) -> tuple[int, ...]:
        """The moves to consider, in the order of the legal ones."""
        return legal if self.only is None else tuple(move for move in legal if move in self.only)


ALL_MOVES: Final = Choice()
