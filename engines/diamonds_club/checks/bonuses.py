"""Bonus cards: who must have which (section 1.5). Buildings stay, so the parks tell."""

from __future__ import annotations

from adamas.v1 import diamonds_club_pb2 as pb
from engines.diamonds_club.checks.position import Position
from engines.diamonds_club.rules.state import (
    ALL_FOUR,
    BUILDINGS,
    FIVE_OF_A_KIND,
    THREE_OF_A_KIND,
)
from engines.violations import Report


def check_bonuses(position: Position, table: str, report: Report) -> None:
    """A card has been taken exactly if somebody has what it is for, and by one who has."""
    cards = _Cards(position, f"{table}.bonuses", report)
    buildings = [own[:BUILDINGS] for own in position.landscape[: position.seats]]
    for kind in range(BUILDINGS):
        cards.check(THREE_OF_A_KIND + kind, [int(own[kind] >= 3) for own in buildings])
    cards.check_pair(ALL_FOUR, [min(own) for own in buildings])
    cards.check_pair(FIVE_OF_A_KIND, [sum(number >= 5 for number in own) for own in buildings])


class _Cards:
    """The cards that have been taken."""

    def __init__(self, position: Position, path: str, report: Report) -> None:
        self.owners = [owner - 1 for owner in position.bonus_owner]
        self.both_to_one = bool(position.second_bonus_same_player)
        self.path = path
        self.report = report

    def check_pair(self, first: int, achieved: list[int]) -> None:
        """The first card is the first achievement's; the second one is another seat's first or, if
        the same seat may have it, its second."""
        if not self.check(first, achieved):
            return
        left, owner = list(achieved), self.owners[first]
        if owner >= 0:
            left[owner] = left[owner] - 1 if self.both_to_one else 0
        self.check(first + 1, left)

    def check(self, card: int, achieved: list[int]) -> bool:
        """Whether a card is where the achievements say; those of each seat that are without one."""
        owner = self.owners[card]
        entitled = [seat for seat, number in enumerate(achieved) if number > 0]
        if owner in entitled or (owner < 0 and not entitled):
            return True
        name = pb.DiamondsClubBonusCard.Name(pb.DiamondsClubBonusCard.ValueType(card + 1))
        due = " or ".join(f"seat {seat}" for seat in entitled) or "nobody"
        self.report.add(
            self.path,
            f"have {name} with {f'seat {owner}' if owner >= 0 else 'nobody'}; by the buildings in "
            f"the parks it is with {due}",
        )
        return False
