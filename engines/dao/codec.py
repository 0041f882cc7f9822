"""Protobuf messages of DAO to records and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from adamas.v1 import dao_pb2 as pb
from engines.dao import hidden, rules
from engines.dao.options import OPTIONS
from engines.dao.rules import CARD_KINDS, COPIES, DECK_SIZE, ELEMENTS, HALF_DECK, STATE, VALUES
from engines.events import entries
from engines.jit import Log, Row
from engines.options import copy_options, read_options, write_options
from engines.rng import below, generator, shuffle
from engines.violations import Report

ELEMENT_NAMES = ("Metal", "Fire", "Earth", "Wood", "Water")
_Card = pb.DaoCard
_Cards = Iterable[pb.DaoCard]


def write_card(card: int) -> pb.DaoCard:
    """Card number -> message."""
    return pb.DaoCard(element=pb.DaoElement.ValueType(card // VALUES + 1), value=card % VALUES)


def read_card(card: pb.DaoCard, path: str, report: Report) -> int:
    """Card message -> number; 0 after a violation."""
    known = report.check(
        1 <= card.element <= ELEMENTS,
        f"{path}.element",
        f"is {card.element}; use DAO_ELEMENT_METAL (1) to DAO_ELEMENT_WATER (5)",
    )
    in_range = report.check(
        0 <= card.value < VALUES, f"{path}.value", f"is {card.value}; use 0 to {VALUES - 1}"
    )
    return (card.element - 1) * VALUES + card.value if known and in_range else 0


def card_name(card: int) -> str:
    """A card for error messages."""
    return f"{ELEMENT_NAMES[card // VALUES]} {card % VALUES}"


class DaoCodec:
    """The codec of DAO; see engines.contract.Codec."""

    def read_options(self, options: pb.DaoOptions, seats: int, path: str, report: Report) -> None:
        """Checks the options message for this number of seats."""
        read_options(OPTIONS, options, seats, path, report)

    def new_game(self, options: pb.DaoOptions, seats: int, seed: int, log: Log) -> Row:
        """Shuffles and turns the first row (section 2)."""
        row = np.zeros(STATE.itemsize, dtype=np.uint8)
        s = row.view(STATE)[0]
        copy_options(read_options(OPTIONS, options, seats, "", Report()), s)
        rng = generator(seed)
        cards = np.array(
            [card for card in range(CARD_KINDS) for _ in range(COPIES[card % VALUES])],
            dtype=np.uint8,
        )
        shuffle(rng, cards, DECK_SIZE)
        s.seats = seats
        s.round_number = 1
        s.starter = below(rng, seats) if s.random_start else 0
        s.turn = s.starter
        s.deck_size = HALF_DECK if s.two_round_split else DECK_SIZE
        s.deck[: s.deck_size] = cards[: s.deck_size]
        if s.two_round_split:
            s.second_half[:] = cards[HALF_DECK:]
        rules.start_round(s, log)
        s.turned = 0
        return row

    def write_state(self, row: Row) -> pb.DaoState:
        """Record -> state message."""
        s = row.view(STATE)[0]
        state = pb.DaoState()
        _write_public(s, state)
        state.deck.extend(write_card(int(card)) for card in s.deck[: s.deck_size][::-1])
        if rules.is_split_first_round(s):
            state.second_half.extend(write_card(int(card)) for card in s.second_half[::-1])
        return state

    def read_state(self, state: pb.DaoState, path: str, report: Report) -> Row:
        """State message -> record."""
        row = np.zeros(STATE.itemsize, dtype=np.uint8)
        s = row.view(STATE)[0]
        if not _read_public(state, s, len(state.deck), path, report):
            return row
        s.deck[: s.deck_size] = _read_cards(state.deck, f"{path}.deck", report)[::-1]
        to_come = HALF_DECK if rules.is_split_first_round(s) else 0
        if report.check(
            len(state.second_half) == to_come,
            f"{path}.second_half",
            f"has {len(state.second_half)} cards; {to_come} lie there in round {s.round_number} "
            f"{'with' if s.two_round_split else 'without'} a split",
        ):
            s.second_half[:to_come] = _read_cards(state.second_half, f"{path}.second_half", report)[
                ::-1
            ]
        held = _public_copies(s)
        for card in (*s.deck[: s.deck_size], *s.second_half[:to_come]):
            held[card] += 1
        _check_full_deck(held, exact=True, path=path, report=report)
        return row

    def write_view(self, view: Row) -> pb.DaoView:
        """View record -> view message."""
        v = view.view(hidden.VIEW)[0]
        message = pb.DaoView(seat=int(v.seat), deck_size=int(v.deck_size))
        _write_public(v, message)
        return message

    def read_view(self, view: pb.DaoView, path: str, report: Report) -> Row:
        """View message -> view record."""
        row = np.zeros(hidden.VIEW.itemsize, dtype=np.uint8)
        v = row.view(hidden.VIEW)[0]
        if not _read_public(view, v, view.deck_size, path, report):
            return row
        if report.check(
            0 <= view.seat < v.seats, f"{path}.seat", f"is {view.seat}; use 0 to {v.seats - 1}"
        ):
            v.seat = view.seat
        held = _public_copies(v)
        if _check_full_deck(held, exact=False, path=path, report=report):
            unseen = DECK_SIZE - int(held.sum())
            face_down = int(hidden.hidden_cards(v))
            report.check(
                unseen == face_down,
                f"{path}.deck_size",
                f"is {view.deck_size}, so {face_down} cards lie face down, but {unseen} cards of "
                f"{DECK_SIZE} are neither in the row nor in a pile nor in first_half",
            )
        return row

    def viewing_seat(self, view: Row) -> int:
        """The seat whose view it is."""
        return int(view.view(hidden.VIEW)[0].seat)

    def seats(self, row: Row) -> int:
        """Number of seats."""
        return int(row.view(STATE)[0].seats)

    def read_move(self, row: Row, move: pb.DaoMove, path: str, report: Report) -> int:
        """Move message -> move."""
        report.check(
            move.action in (pb.DAO_ACTION_TAKE, pb.DAO_ACTION_REVEAL),
            f"{path}.action",
            f"is {move.action}; use DAO_ACTION_TAKE (1) or DAO_ACTION_REVEAL (2)",
        )
        return rules.REVEAL if move.action == pb.DAO_ACTION_REVEAL else rules.TAKE

    def write_move(self, row: Row, move: int) -> pb.DaoMove:
        """Move -> move message."""
        return pb.DaoMove(
            action=pb.DAO_ACTION_REVEAL if move == rules.REVEAL else pb.DAO_ACTION_TAKE
        )

    def write_events(self, before: Row, after: Row, log: Log) -> Sequence[pb.DaoEvent]:
        """Log -> event messages."""
        return [_EVENT_WRITERS[kind](after, seat, a, b) for kind, seat, a, b in entries(log)]


def _write_public(source: Any, message: Any) -> None:
    """Options and public fields of a state or view record -> the message's fields."""
    write_options(OPTIONS, source, message.options)
    message.seats = int(source.seats)
    message.turn = int(source.turn)
    message.starter = int(source.starter)
    message.round = int(source.round_number)
    message.over = bool(source.over)
    message.row.extend(write_card(int(card)) for card in source.row[: source.row_size])
    for seat in range(source.seats):
        message.piles.append(pb.DaoPile(cards=_unpack_copies(source.piles[seat])))
    if source.round_number == 2:
        message.first_half.extend(_unpack_copies(source.first_half))
        message.first_round.extend(_first_results(source))


def _unpack_copies(copies: Any) -> list[pb.DaoCard]:
    return [write_card(card) for card in range(CARD_KINDS) for _ in range(int(copies[card]))]


def _first_results(record: Any) -> list[pb.DaoRoundResult]:
    return [
        pb.DaoRoundResult(score=int(record.first_score[seat]), cards=int(record.first_cards[seat]))
        for seat in range(record.seats)
    ]


def _read_cards(cards: _Cards, path: str, report: Report) -> list[int]:
    return [read_card(card, f"{path}[{i}]", report) for i, card in enumerate(cards)]


def _read_public(message: Any, target: Any, deck_size: int, path: str, report: Report) -> bool:
    """Fields that states and views share -> record. False if the rest can't be read safely."""
    if not report.check(
        2 <= message.seats <= 6, f"{path}.seats", f"is {message.seats}; DAO has 2 to 6 seats"
    ):
        return False
    seats = message.seats
    found = len(report.violations)
    values = read_options(OPTIONS, message.options, seats, f"{path}.options", report)
    if len(report.violations) > found:
        return False
    copy_options(values, target)
    rounds = 2 if target.two_round_split else 1
    for name in ("turn", "starter"):
        seat = getattr(message, name)
        report.check(0 <= seat < seats, f"{path}.{name}", f"is {seat}; use 0 to {seats - 1}")
    report.check(
        1 <= message.round <= rounds,
        f"{path}.round",
        f"is {message.round}; this game has {rounds} round{'s' if rounds > 1 else ''}",
    )
    deck_limit = HALF_DECK if target.two_round_split else DECK_SIZE
    report.check(
        0 <= deck_size <= deck_limit,
        _deck_path(message, path),
        f"has {deck_size} cards; use 0 to {deck_limit} in this round",
    )
    report.check(
        len(message.row) <= DECK_SIZE, f"{path}.row", f"has {len(message.row)} cards; at most 60"
    )
    report.check(
        len(message.piles) == seats,
        f"{path}.piles",
        f"has {len(message.piles)} piles; give one a seat, {seats} (empty ones too)",
    )
    if len(report.violations) > found:
        return False
    target.seats, target.turn, target.starter = seats, message.turn, message.starter
    target.round_number, target.over = message.round, message.over
    target.deck_size, target.row_size = deck_size, len(message.row)
    target.row[: target.row_size] = _read_cards(message.row, f"{path}.row", report)
    _read_piles(message.piles, target, path, report)
    _read_first_round(message, target, path, report)
    if len(report.violations) > found:
        return False
    _check_end(message, target, path, report)
    return len(report.violations) == found


def _deck_path(message: Any, path: str) -> str:
    """Where a state or a view tells how many cards the deck has."""
    return f"{path}.{'deck' if isinstance(message, pb.DaoState) else 'deck_size'}"


def _read_piles(piles: Sequence[pb.DaoPile], target: Any, path: str, report: Report) -> None:
    for seat, pile in enumerate(piles):
        where = f"{path}.piles[{seat}].cards"
        if report.check(
            len(pile.cards) <= DECK_SIZE, where, f"has {len(pile.cards)} cards; at most 60"
        ):
            for card in _read_cards(pile.cards, where, report):
                target.piles[seat, card] += 1


def _read_first_round(message: Any, target: Any, path: str, report: Report) -> None:
    """What is known of round 1 in round 2 of a split; nothing otherwise."""
    second = message.round == 2
    cards, results = (HALF_DECK, message.seats) if second else (0, 0)
    when = "in round 2 of a split" if second else "outside round 2 of a split"
    if report.check(
        len(message.first_half) == cards,
        f"{path}.first_half",
        f"has {len(message.first_half)} cards; {when} it has {cards}",
    ):
        for card in _read_cards(message.first_half, f"{path}.first_half", report):
            target.first_half[card] += 1
    if not report.check(
        len(message.first_round) == results,
        f"{path}.first_round",
        f"has {len(message.first_round)} results; {when} it has {results}",
    ):
        return
    for seat, result in enumerate(message.first_round):
        where = f"{path}.first_round[{seat}]"
        fits = report.check(
            -HALF_DECK <= result.score <= HALF_DECK,
            f"{where}.score",
            f"is {result.score}; half a deck gives -30 to 23 points",
        )
        fits &= report.check(
            0 <= result.cards <= HALF_DECK, f"{where}.cards", f"is {result.cards}; use 0 to 30"
        )
        if fits:
            target.first_score[seat], target.first_cards[seat] = result.score, result.cards


def _check_end(message: Any, target: Any, path: str, report: Report) -> None:
    """A game that goes on has an open row and, unless only takes are left, a deck."""
    if target.over:
        report.check(
            target.deck_size == 0 and not rules.is_split_first_round(target),
            f"{path}.over",
            "is true, but cards are still to come",
        )
        return
    report.check(target.row_size > 0, f"{path}.row", "is empty; a game that goes on has a row")
    report.check(
        target.deck_size > 0 or not target.refill_ends_game,
        _deck_path(message, path),
        "has no cards, but the game is not over; with refill_ends_game the last card ends it",
    )


def _public_copies(record: Any) -> Any:
    """Copies of each card kind in the row, the piles and the first half."""
    held = record.piles.astype(np.int64).sum(axis=0) + record.first_half.astype(np.int64)
    for card in record.row[: record.row_size]:
        held[card] += 1
    return held


def _check_full_deck(held: Any, *, exact: bool, path: str, report: Report) -> bool:
    """No card kind more often than the deck has it; with ``exact`` not less often either."""
    found = len(report.violations)
    for card in range(CARD_KINDS):
        copies = COPIES[card % VALUES]
        report.check(
            held[card] == copies if exact else held[card] <= copies,
            path,
            f"shows {card_name(card)} {held[card]} times; the deck has it {copies} times",
        )
    return len(report.violations) == found


def _write_round_scored(after: Row, seat: int, round_: int, _: int) -> pb.DaoEvent:
    s = after.view(STATE)[0]
    results = _first_results(s)
    if s.round_number == round_:
        results = [
            pb.DaoRoundResult(
                score=int(rules.pile_score(s.piles[p])), cards=int(rules.pile_cards(s.piles[p]))
            )
            for p in range(s.seats)
        ]
    return pb.DaoEvent(round_scored=pb.DaoRoundScored(round=round_, results=results))


def _unpack_cards(packed: int) -> list[pb.DaoCard]:
    """Cards packed in base 32, each plus one -> messages."""
    cards = []
    while packed > 0:
        cards.append(write_card(packed % 32 - 1))
        packed //= 32
    return cards


_EVENT_WRITERS: dict[int, Callable[[Row, int, int, int], pb.DaoEvent]] = {
    rules.CARD_TAKEN: lambda _, seat, a, b: pb.DaoEvent(
        card_taken=pb.DaoCardTaken(seat=seat, card=write_card(a))
    ),
    rules.CARD_REVEALED: lambda _, seat, a, b: pb.DaoEvent(
        card_revealed=pb.DaoCardRevealed(seat=seat, card=write_card(a), row_total=b)
    ),
    rules.BUST: lambda _, seat, a, b: pb.DaoEvent(bust=pb.DaoBust(seat=seat, cards=a)),
    rules.EXCEPTION_HELD: lambda _, seat, a, b: pb.DaoEvent(
        exception_held=pb.DaoExceptionHeld(seat=seat, row_total=a)
    ),
    rules.ROW_REFILLED: lambda _, seat, a, b: pb.DaoEvent(
        row_refilled=pb.DaoRowRefilled(cards=_unpack_cards(a))
    ),
    rules.LEFTOVER_TAKEN: lambda _, seat, a, b: pb.DaoEvent(
        leftover_taken=pb.DaoLeftoverTaken(seat=seat, cards=a)
    ),
    rules.ROUND_SCORED: _write_round_scored,
    rules.ROUND_STARTED: lambda _, seat, a, b: pb.DaoEvent(
        round_started=pb.DaoRoundStarted(round=a, starter=seat, row=_unpack_cards(b))
    ),
}
