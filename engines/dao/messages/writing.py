"""Public fields of states and views of DAO -> messages."""

from __future__ import annotations

from typing import Any

from adamas.v1 import dao_pb2 as pb
from engines.dao.messages.cards import write_card, write_copies
from engines.dao.options import OPTIONS
from engines.options import write_options


def write_public(source: Any, message: Any) -> None:
    """Options and public fields of a state or view record -> the message's fields."""
    write_options(OPTIONS, source, message.options)
    message.seats = int(source.seats)
    message.turn = int(source.turn)
    message.starter = int(source.starter)
    message.round = int(source.round_number)
    message.over = bool(source.over)
    message.row.extend(write_card(int(card)) for card in source.row[: source.row_size])
    for seat in range(source.seats):
        message.piles.append(pb.DaoPile(cards=write_copies(source.piles[seat])))
    if source.round_number == 2:
        message.first_half.extend(write_copies(source.first_half))
        message.first_round.extend(first_results(source))


def first_results(record: Any) -> list[pb.DaoRoundResult]:
    """The results of the first round of a split, one a seat."""
    return [
        pb.DaoRoundResult(score=int(record.first_score[seat]), cards=int(record.first_cards[seat]))
        for seat in range(record.seats)
    ]
