"""Reads the fields of states and views of DAO, each by itself: whatever is wrong with one of them,
all others are read. How they fit together is looked at in ``checks``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adamas.v1 import dao_pb2 as pb
from engines.contract import MAX_SEATS
from engines.dao.messages.cards import read_cards
from engines.dao.options import OPTIONS
from engines.dao.rules import DECK_SIZE, HALF_DECK, is_split_first_round
from engines.options import copy_options, read_options
from engines.violations import Report

MIN_SEATS = 2


def read_public(message: Any, target: Any, deck_size: int, path: str, report: Report) -> None:
    """Fields that states and views share -> record."""
    seats = _read_seats(message, target, path, report)
    values = read_options(OPTIONS, message.options, seats, f"{path}.options", report)
    if report.sound(f"{path}.options"):
        copy_options(values, target)
    for name in ("turn", "starter"):
        setattr(target, name, read_seat(message, name, seats, path, report))
    split = bool(values["two_round_split"]) or seats is None
    rounds = 2 if split else 1
    if report.check(
        1 <= message.round <= rounds,
        f"{path}.round",
        f"is {message.round}; this game has {rounds} round{'s' if rounds > 1 else ''}",
    ):
        target.round_number = message.round
    target.over = message.over
    _read_deck_size(message, target, deck_size, split and seats is not None, path, report)
    if report.check(
        len(message.row) <= DECK_SIZE, f"{path}.row", f"has {len(message.row)} cards; at most 60"
    ):
        target.row_size = len(message.row)
        target.row[: target.row_size] = read_cards(message.row, f"{path}.row", report)
    _read_piles(message.piles, target, seats, path, report)
    if report.sound(f"{path}.round"):
        _read_first_round(message, target, seats, path, report)


def read_seat(message: Any, name: str, seats: int | None, path: str, report: Report) -> int:
    """A seat's number; 0 after a violation. If the number of seats is unknown, up to the most."""
    seat = int(getattr(message, name))
    highest = (seats or MAX_SEATS) - 1
    fits = report.check(0 <= seat <= highest, f"{path}.{name}", f"is {seat}; use 0 to {highest}")
    return seat if fits else 0


def read_decks(state: pb.DaoState, target: Any, path: str, report: Report) -> None:
    """The face-down cards -> record, after everything else."""
    deck, second_half = f"{path}.deck", f"{path}.second_half"
    if report.sound(deck):
        target.deck[: target.deck_size] = read_cards(state.deck, deck, report)[::-1]
    if not report.sound(f"{path}.options", f"{path}.seats", f"{path}.round"):
        return
    to_come = HALF_DECK if is_split_first_round(target) else 0
    if report.check(
        len(state.second_half) == to_come,
        second_half,
        f"has {len(state.second_half)} cards; {to_come} lie there in round {target.round_number} "
        f"{'with' if target.two_round_split else 'without'} a split",
    ):
        cards = read_cards(state.second_half, second_half, report)
        target.second_half[:to_come] = cards[::-1]


def deck_path(message: Any, path: str) -> str:
    """Where a state or a view tells how many cards the deck has."""
    return f"{path}.{'deck' if isinstance(message, pb.DaoState) else 'deck_size'}"


def _read_seats(message: Any, target: Any, path: str, report: Report) -> int | None:
    """The number of seats; None after a violation."""
    if not report.check(
        MIN_SEATS <= message.seats <= MAX_SEATS,
        f"{path}.seats",
        f"is {message.seats}; DAO has {MIN_SEATS} to {MAX_SEATS} seats",
    ):
        return None
    target.seats = message.seats
    return int(message.seats)


def _read_deck_size(
    message: Any, target: Any, deck_size: int, split: bool, path: str, report: Report
) -> None:
    """How many cards lie in the deck; fewer than it had before the first row was turned."""
    options_known = report.sound(f"{path}.options")
    most = (HALF_DECK if split else DECK_SIZE) - (target.initial_row if options_known else 0)
    if report.check(
        0 <= deck_size <= most,
        deck_path(message, path),
        f"has {deck_size} cards; use 0 to {most}, which a round begins with",
    ):
        target.deck_size = deck_size


def _read_piles(
    piles: Sequence[pb.DaoPile], target: Any, seats: int | None, path: str, report: Report
) -> None:
    fewest, most = (seats, seats) if seats else (MIN_SEATS, MAX_SEATS)
    report.check(
        fewest <= len(piles) <= most,
        f"{path}.piles",
        f"has {len(piles)} piles; give one a seat, "
        f"{most if seats else f'{fewest} to {most}'} (empty ones too)",
    )
    for seat, pile in enumerate(piles[:most]):
        where = f"{path}.piles[{seat}].cards"
        if report.check(
            len(pile.cards) <= DECK_SIZE, where, f"has {len(pile.cards)} cards; at most 60"
        ):
            for card in read_cards(pile.cards, where, report):
                target.piles[seat, card] += 1


def _read_first_round(
    message: Any, target: Any, seats: int | None, path: str, report: Report
) -> None:
    """What is known of round 1 in round 2 of a split; nothing otherwise."""
    second = message.round == 2
    when = "in round 2 of a split" if second else "outside round 2 of a split"
    cards = HALF_DECK if second else 0
    if report.check(
        len(message.first_half) == cards,
        f"{path}.first_half",
        f"has {len(message.first_half)} cards; {when} it has {cards}",
    ):
        for card in read_cards(message.first_half, f"{path}.first_half", report):
            target.first_half[card] += 1
    results = seats if second else 0
    if results is None or not report.check(
        len(message.first_round) == results,
        f"{path}.first_round",
        f"has {len(message.first_round)} results; {when} it has {results}",
    ):
        return
    for seat, result in enumerate(message.first_round):
        where = f"{path}.first_round[{seat}]"
        if report.check(
            0 <= result.cards <= HALF_DECK, f"{where}.cards", f"is {result.cards}; use 0 to 30"
        ):
            target.first_cards[seat] = result.cards
        if report.check(
            -HALF_DECK <= result.score <= HALF_DECK,
            f"{where}.score",
            f"is {result.score}; half a deck gives -30 to 23 points",
        ):
            target.first_score[seat] = result.score
