"""Public fields of states and views of Diamonds -> messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adamas.v1 import diamonds_pb2 as pb
from engines.diamonds.messages.cards import write_card
from engines.diamonds.rules.options import OPTIONS
from engines.diamonds.rules.state import RANKS
from engines.options import write_options


def write_public(source: Any, message: Any) -> None:
    """Options and public fields of a state or view record -> the message's fields."""
    write_options(OPTIONS, source, message.options)
    message.seats = int(source.seats)
    message.dealer = int(source.dealer)
    message.round = int(source.round_number)
    message.phase = int(source.phase)
    message.pass_count = int(source.pass_count)
    message.tricks.extend(_write_tricks(source))
    message.vaults.extend(by_side(source, source.vaults))
    message.showrooms.extend(by_side(source, source.showrooms))
    message.supply_left = int(source.supply_left)
    message.thief = int(source.thief)
    message.victim_reason = int(source.victim_reason)
    message.bonus_actions_left = int(source.bonus_left)


def by_side(record: Any, figures: Any) -> list[int]:
    """The figures that a seat, or in a partnership a team, has each."""
    return [int(figure) for figure in figures[: record.sides]]


def _write_tricks(record: Any) -> Iterator[pb.DiamondsTrick]:
    """The tricks of the round, from the cards in the order of play."""
    leader = (int(record.dealer) + 1) % int(record.seats)
    plays = [int(card) for card in record.plays[: record.played]]
    full = int(record.trick_length)
    for start in range(0, len(plays), full):
        cards = plays[start : start + full]
        trick = pb.DiamondsTrick(leader=leader, cards=(write_card(card) for card in cards))
        if len(cards) == full:
            following = [card for card in cards if card // RANKS == cards[0] // RANKS]
            leader = (leader + cards.index(max(following))) % int(record.seats)
            trick.winner = leader
        yield trick
