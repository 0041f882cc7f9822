"""What has to agree between the parts of a state or view of Diam's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engines.diams.checks.contradictions import Contradiction
from engines.diams.checks.open_safes import follow_open_safes
from engines.diams.checks.own_round import follow_own_round
from engines.diams.hidden.prepared import IMPOSSIBLE, TABLE
from engines.diams.hidden.sampling import prepare
from engines.diams.hidden.view import VIEW, project
from engines.diams.messages.cards import card_name
from engines.diams.messages.history import removed_by_history, sizes_by_history
from engines.diams.rules.kernels import MAX_MOVES, legal_moves
from engines.diams.rules.state import (
    CARDS,
    DIAMONDS,
    LIMIT,
    OVER,
    PILE_SIZE,
    PLAY,
    STATE,
    TAKE,
    copies_of,
)
from engines.jit import Row
from engines.violations import Report

MAX_OVER_LIMIT = 8
"""More cards over the hand limit than one turn can bring."""


def public_cards(record: Any) -> Any:
    """Cards in the market and out of the game, as counts by card."""
    held = record.removed.astype(np.int64)
    held[:DIAMONDS] += record.market
    return held


def check_copies(record: Any, held: Any, exact: bool, path: str, report: Report) -> None:
    """No card more often than the pile has it; with ``exact`` not less often either."""
    for card in range(CARDS):
        copies = int(copies_of(record, card))
        if held[card] > copies or (exact and held[card] < copies):
            report.add(path, f"has {card_name(card)} {held[card]} times; the pile has {copies}")


def check_unseen(v: Any, held: Any, path: str, report: Report) -> None:
    """As many cards are unseen as lie where the seat can't look."""
    unseen = PILE_SIZE - 1 - int(held.sum())
    places = int(v.deck_size) - (0 if v.closed else 1)
    for seat in range(v.seats):
        if seat != v.seat:
            places += int(v.hand_sizes[seat]) + (0 if v.open_safes else int(v.safe_sizes[seat]))
    report.check(
        unseen == places,
        path,
        f"shows {int(held.sum())} of {PILE_SIZE - 1} cards, but by deck_size and sizes of hands "
        f"and safes {places} are not to be seen, so "
        + (f"{unseen - places} are missing" if unseen > places else f"{places - unseen} too many"),
    )


def check_sizes(
    record: Any,
    hands: Sequence[int],
    safes: Sequence[int],
    names: tuple[str, str],
    path: str,
    report: Report,
) -> None:
    """Hands and safes have the sizes that the history leads to, and no hand is too large."""
    told = sizes_by_history(record)
    for sizes, wanted, name in zip((hands, safes), told, names, strict=True):
        for seat in range(record.seats):
            report.check(
                sizes[seat] == wanted[seat],
                f"{path}.{name}[{seat}]",
                f"has {sizes[seat]} cards, but by the history it has {wanted[seat]}",
            )
    for seat in range(record.seats):
        limit = int(record.hand_limit)
        if seat == record.turn:
            limit += {PLAY: 1, TAKE: MAX_OVER_LIMIT, LIMIT: MAX_OVER_LIMIT}.get(
                int(record.phase), 0
            )
        report.check(
            hands[seat] <= limit,
            f"{path}.{names[0]}[{seat}]",
            f"has {hands[seat]} cards; here it has at most {limit}",
        )
    if record.phase == LIMIT:
        report.check(
            hands[record.turn] > record.hand_limit,
            f"{path}.phase",
            "is DIAMS_PHASE_LIMIT, but the seat to move is not over the hand limit",
        )


def check_removed(record: Any, path: str, report: Report) -> None:
    """Cards that left the game in the history are out of it."""
    gone = removed_by_history(record)
    for card in range(CARDS):
        report.check(
            record.removed[card] >= gone[card],
            f"{path}.removed",
            f"has {card_name(card)} {record.removed[card]} times, but by the history it left the "
            f"game {gone[card]} times",
        )


def _round_agrees(view: Row, table: Row, path: str, report: Report) -> bool:
    """Whether the history leads to what the viewing seat holds, and what lies in open safes."""
    try:
        follow_open_safes(view.view(VIEW)[0])
        follow_own_round(view, table)
    except Contradiction as contradiction:
        report.add(
            f"{path}.history",
            f"can't have happened: {contradiction}; give all events of the round in order, and the "
            "hand and the safe as they are now",
        )
        return False
    return True


def check_history(view: Row, path: str, report: Report) -> None:
    """The history leads to what the seat holds, and with some deal of the unseen cards to what it
    has seen."""
    table = np.zeros(TABLE.itemsize, dtype=np.uint8)
    if not _round_agrees(view, table, path, report):
        return
    if prepare(view, table):
        _check_moves(table.view(TABLE)[0].last_sample, path, report)
        return
    impossible = table.view(TABLE)[0].verdict == IMPOSSIBLE
    report.add(
        f"{path}.history",
        "can't have happened: no deal of the unseen cards leads to it"
        if impossible
        else "is more than can be checked: no deal of the unseen cards was found to lead to it",
    )


def _check_moves(row: Row, path: str, report: Report) -> None:
    """The seat to move has a move."""
    out = np.zeros(MAX_MOVES, dtype=np.int64)
    over = row.view(STATE)[0].phase == OVER
    report.check(
        bool(over) or legal_moves(row, out) > 0,
        f"{path}.step",
        "can't be: the seat to move could not go on",
    )


def check_agreement(row: Row, path: str, report: Report) -> None:
    """The seat to move has a move, and the history leads to what every seat holds.

    With all cards in their places that is enough for every seat's view to be possible: the state
    itself is a deal of the cards that the seat does not see.
    """
    _check_moves(row, path, report)
    table = np.zeros(TABLE.itemsize, dtype=np.uint8)
    for seat in range(int(row.view(STATE)[0].seats)):
        view = np.zeros(VIEW.itemsize, dtype=np.uint8)
        project(row, seat, view)
        if not _round_agrees(view, table, path, report):
            return
