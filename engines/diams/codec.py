"""Protobuf messages of Diam's to records and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from adamas.v1 import diams_pb2 as pb
from engines.diams import hidden, rules
from engines.diams.history import HistoryReader, sizes_by_history, write_events, write_history
from engines.diams.messages import (
    SPECIAL_NAMES,
    card_name,
    read_card,
    read_diamond,
    write_card,
    write_diamond,
)
from engines.diams.options import OPTIONS
from engines.diams.replay import TABLE
from engines.diams.rules import (
    CARDS,
    CLOSING_CARD,
    DIAMONDS,
    DRAW,
    LIMIT,
    MAX_MOVES,
    NAME,
    OFFER,
    OVER,
    PILE_SIZE,
    PLAY,
    STATE,
    TAKE,
)
from engines.diams.tables import COPIES, DATA_SETS, KINDS
from engines.jit import Log, Row
from engines.options import copy_options, read_options, write_options
from engines.rng import generator
from engines.violations import Report

MIN_SEATS, MAX_SEATS = 2, 5
MAX_POINTS = 2000
"""More than any round can bring."""
MAX_OVER_LIMIT = 8
"""More cards over the hand limit than one turn can bring."""
FIRST_LAST_CARD = {TAKE: DIAMONDS - 1, LIMIT: 0}
"""``last_card`` before the first card is taken or given up."""


class DiamsCodec:
    """The codec of Diam's; see engines.contract.Codec."""

    def read_options(self, options: pb.DiamsOptions, seats: int, path: str, report: Report) -> None:
        """Checks the options message for this number of seats."""
        read_options(OPTIONS, options, seats, path, report)

    def new_game(self, options: pb.DiamsOptions, seats: int, seed: int, log: Log) -> Row:
        """Shuffles and deals the first round (section 2)."""
        row = np.zeros(STATE.itemsize, dtype=np.uint8)
        s = row.view(STATE)[0]
        _set_options(s, read_options(OPTIONS, options, seats, "", Report()))
        s.random_state[0] = generator(seed)[0]
        rules.start_game(row, seats, log)
        return row

    def write_state(self, row: Row) -> pb.DiamsState:
        """Record -> state message."""
        s = row.view(STATE)[0]
        state = pb.DiamsState(random_state=int(s.random_state[0]))
        _write_public(s, state)
        for seat in range(s.seats):
            state.hands.add(cards=map(write_card, _listed(s.hands[seat])))
            state.safes.add(diamonds=map(write_diamond, _listed(s.safes[seat])))
        state.deck.extend(write_card(int(card)) for card in s.deck[: s.deck_size][::-1])
        return state

    def read_state(self, state: pb.DiamsState, path: str, report: Report) -> Row:
        """State message -> record."""
        row = np.zeros(STATE.itemsize, dtype=np.uint8)
        s = row.view(STATE)[0]
        found = len(report.violations)
        _read_public(state, s, len(state.deck), path, report)
        if len(report.violations) > found:
            return row
        s.random_state[0] = state.random_state
        _read_hands_and_safes(state, s, path, report)
        _read_deck(state.deck, s, f"{path}.deck", report)
        if len(report.violations) > found:
            return row
        held = _public_cards(s) + s.hands.astype(np.int64).sum(axis=0)
        held[:DIAMONDS] += s.safes.astype(np.int64).sum(axis=0)
        for card in s.deck[: s.deck_size]:
            if card != CLOSING_CARD:
                held[card] += 1
        _check_copies(s, held, True, path, report)
        sizes = [int(cards.sum()) for cards in s.hands], [int(cards.sum()) for cards in s.safes]
        _check_sizes(s, *sizes, ("hands", "safes"), path, report)
        if len(report.violations) == found:
            _check_agreement(row, path, report)
        return row

    def write_view(self, view: Row) -> pb.DiamsView:
        """View record -> view message."""
        v = view.view(hidden.VIEW)[0]
        message = pb.DiamsView(seat=int(v.seat), deck_size=int(v.deck_size))
        _write_public(v, message)
        message.hand.extend(map(write_card, _listed(v.hand)))
        message.safe.extend(map(write_diamond, _listed(v.safes[v.seat])))
        message.hand_sizes.extend(int(size) for size in v.hand_sizes[: v.seats])
        message.safe_sizes.extend(int(size) for size in v.safe_sizes[: v.seats])
        if v.open_safes:
            for seat in range(v.seats):
                message.safes.add(diamonds=map(write_diamond, _listed(v.safes[seat])))
        return message

    def read_view(self, view: pb.DiamsView, path: str, report: Report) -> Row:
        """View message -> view record."""
        row = np.zeros(hidden.VIEW.itemsize, dtype=np.uint8)
        v = row.view(hidden.VIEW)[0]
        found = len(report.violations)
        _read_public(view, v, view.deck_size, path, report)
        if len(report.violations) > found:
            return row
        _read_own(view, v, path, report)
        if len(report.violations) > found:
            return row
        held = _public_cards(v) + v.hand.astype(np.int64)
        held[:DIAMONDS] += v.safes.astype(np.int64).sum(axis=0)
        _check_copies(v, held, False, path, report)
        sizes = list(v.hand_sizes), list(v.safe_sizes)
        _check_sizes(v, *sizes, ("hand_sizes", "safe_sizes"), path, report)
        _check_unseen(v, held, path, report)
        if len(report.violations) == found:
            _check_history(row, path, report)
        return row

    def viewing_seat(self, view: Row) -> int:
        """The seat whose view it is."""
        return int(view.view(hidden.VIEW)[0].seat)

    def seats(self, row: Row) -> int:
        """Number of seats."""
        return int(row.view(STATE)[0].seats)

    def read_move(self, row: Row, move: pb.DiamsMove, path: str, report: Report) -> int:
        """Move message -> move."""
        kind = move.WhichOneof("move")
        if kind is None:
            report.add(f"{path}.move", f"is not set; use one of {', '.join(_MOVE_READERS)}")
            return 0
        return _MOVE_READERS[kind](getattr(move, kind), f"{path}.{kind}", report)

    def write_move(self, row: Row, move: int) -> pb.DiamsMove:
        """Move -> move message."""
        return _MOVE_WRITERS[rules.sort_of(int(move))](int(move))

    def write_events(self, before: Row, after: Row, log: Log) -> Sequence[pb.DiamsEvent]:
        """Log -> event messages."""
        return write_events(after.view(STATE)[0], log)


# ------------------------------------------------------------------------------------- writing


def _listed(counts: Any) -> Iterator[int]:
    """Counts by card -> cards."""
    return (card for card, copies in enumerate(counts) for _ in range(int(copies)))


def _write_public(source: Any, message: Any) -> None:
    """Options and public fields of a state or view record -> the message's fields."""
    write_options(OPTIONS, source, message.options)
    for name in ("seats", "turn", "starter", "phase"):
        setattr(message, name, int(getattr(source, name)))
    message.round = int(source.round_number)
    if source.closed:
        message.closer = int(source.closer)
    message.market.extend(map(write_diamond, _listed(source.market)))
    message.removed.extend(map(write_card, _listed(source.removed)))
    for number in range(rules.finished_rounds(source)):
        message.finished_rounds.add(points=map(int, source.points[number, : source.seats]))
    message.history.extend(write_history(source))
    _write_step(source, message)


def _write_step(source: Any, message: Any) -> None:
    phase = int(source.phase)
    if phase == TAKE:
        message.step.placed.CopyFrom(write_diamond(int(source.placed)))
        message.step.missing = int(source.missing)
    if phase in FIRST_LAST_CARD:
        message.step.SetInParent()
        if source.last_card != FIRST_LAST_CARD[phase]:
            message.step.last.CopyFrom(write_card(int(source.last_card)))
    if phase in (OFFER, NAME):
        message.step.opponent = int(source.opponent)
        message.step.SetInParent()


# ------------------------------------------------------------------------------------- reading


def _set_options(target: Any, values: dict[str, int]) -> None:
    """Options and the tables they name -> record."""
    copy_options(values, target)
    data_set = list(DATA_SETS.values())[values["data_set"]]
    target.collection_values[:] = data_set.collection_values
    target.pure_copies[:] = data_set.pure_copies


def _read_public(message: Any, target: Any, deck_size: int, path: str, report: Report) -> None:
    """Fields that states and views share -> record."""
    if not report.check(
        MIN_SEATS <= message.seats <= MAX_SEATS,
        f"{path}.seats",
        f"is {message.seats}; Diam's has {MIN_SEATS} to {MAX_SEATS} seats",
    ):
        return
    found = len(report.violations)
    values = read_options(OPTIONS, message.options, message.seats, f"{path}.options", report)
    if len(report.violations) > found:
        return
    _set_options(target, values)
    target.seats = message.seats
    _read_course(message, target, deck_size, path, report)
    if len(report.violations) > found:
        return
    _read_diamonds(message.market, target.market, f"{path}.market", report)
    _read_cards(message.removed, target.removed, f"{path}.removed", report)
    _read_points(message.finished_rounds, target, f"{path}.finished_rounds", report)
    _read_history(message.history, target, f"{path}.history", report)
    if len(report.violations) == found:
        _read_step(message, target, path, report)


def _check_seat(seat: int, seats: int, path: str, report: Report) -> bool:
    return report.check(0 <= seat < seats, path, f"is {seat}; use 0 to {seats - 1}")


def _read_course(message: Any, target: Any, deck_size: int, path: str, report: Report) -> None:
    """Whose turn it is in which round and phase, and what is left of the pile."""
    seats, rounds = message.seats, int(rules.rounds_of(target))
    for name in ("turn", "starter"):
        if _check_seat(getattr(message, name), seats, f"{path}.{name}", report):
            setattr(target, name, getattr(message, name))
    if message.HasField("closer"):
        target.closed = 1
        if _check_seat(message.closer, seats, f"{path}.closer", report):
            target.closer = message.closer
    in_range = report.check(
        1 <= message.round <= rounds,
        f"{path}.round",
        f"is {message.round}; this game has {rounds} round{'s' if rounds > 1 else ''}",
    )
    known = report.check(
        DRAW <= message.phase <= OVER,
        f"{path}.phase",
        f"is {message.phase}; use DIAMS_PHASE_DRAW (1) to DIAMS_PHASE_OVER (7)",
    )
    if in_range and known:
        target.round_number, target.phase = message.round, message.phase
        _check_phase(target, path, report)
    least = 0 if target.closed else 1
    if report.check(
        least <= deck_size < PILE_SIZE,
        f"{path}.{'deck' if isinstance(message, pb.DiamsState) else 'deck_size'}",
        f"has {deck_size} cards; use {least} to {PILE_SIZE - 1}"
        + ("" if target.closed else ", the closing card included"),
    ):
        target.deck_size = deck_size


def _check_phase(target: Any, path: str, report: Report) -> None:
    if target.phase == OVER:
        report.check(
            target.round_number == rules.rounds_of(target),
            f"{path}.phase",
            "is DIAMS_PHASE_OVER, but rounds are still to come",
        )
        report.check(bool(target.closed), f"{path}.closer", "is not set, but the game is over")
    if target.phase == DRAW:
        report.check(
            not target.closed, f"{path}.phase", "is DIAMS_PHASE_DRAW, but the closing card is out"
        )


def _fits_pile(number: int, path: str, report: Report) -> bool:
    return report.check(
        number < PILE_SIZE, path, f"has {number} cards; the pile has {PILE_SIZE - 1} to hold"
    )


def _read_diamonds(
    diamonds: Sequence[pb.DiamsDiamond], counts: Any, path: str, report: Report
) -> None:
    """Diamonds -> counts by card. More than the pile has are noted elsewhere."""
    if not _fits_pile(len(diamonds), path, report):
        return
    for i, diamond in enumerate(diamonds):
        card = read_diamond(diamond, f"{path}[{i}]", report)
        counts[card] = min(int(counts[card]) + 1, PILE_SIZE)


def _read_cards(cards: Sequence[pb.DiamsCard], counts: Any, path: str, report: Report) -> None:
    """Cards, the closing card excepted -> counts by card."""
    if not _fits_pile(len(cards), path, report):
        return
    for i, message in enumerate(cards):
        card = read_card(message, f"{path}[{i}]", report)
        if report.check(card != CLOSING_CARD, f"{path}[{i}]", "can't be the closing card"):
            counts[card] = min(int(counts[card]) + 1, PILE_SIZE)


def _read_points(
    finished: Sequence[pb.DiamsRoundPoints], target: Any, path: str, report: Report
) -> None:
    """Points of the rounds that have been scored."""
    wanted = int(rules.finished_rounds(target))
    if not report.check(
        len(finished) == wanted, path, f"has {len(finished)} rounds; {wanted} have been scored"
    ):
        return
    for number, entry in enumerate(finished):
        where = f"{path}[{number}].points"
        points = list(entry.points)
        if report.check(
            len(points) == target.seats, where, f"has {len(points)} entries; give one a seat"
        ) and report.check(
            all(0 <= p <= MAX_POINTS for p in points),
            where,
            f"has entries outside 0 to {MAX_POINTS}",
        ):
            target.points[number, : target.seats] = points


def _read_history(events: Sequence[pb.DiamsEvent], target: Any, path: str, report: Report) -> None:
    """The events of this round -> notes."""
    reader = HistoryReader(target, report)
    if not report.check(
        len(events) <= 4 * rules.MAX_NOTES, path, f"has {len(events)} events; no round has so many"
    ):
        return
    for i, event in enumerate(events):
        reader.read(event, f"{path}[{i}]")
    still_to_come = 0
    if target.phase != OVER:
        still_to_come = rules.NOTES_PER_TURN * (int(target.deck_size) + int(target.seats))
    report.check(
        reader.size + still_to_come <= rules.MAX_NOTES,
        path,
        f"has too many events for a round with {target.deck_size} cards left in the pile",
    )


def _read_step(message: Any, target: Any, path: str, report: Report) -> None:
    """What has been decided in part; nothing outside the phases that go in steps."""
    phase, step, path = int(target.phase), message.step, f"{path}.step"
    if phase in (TAKE, OFFER, NAME, LIMIT):
        if not report.check(
            message.HasField("step") or phase == LIMIT,
            path,
            "is not set; this phase goes in several steps",
        ):
            return
    if phase == TAKE:
        placed = read_diamond(step.placed, f"{path}.placed", report)
        digit = int(rules.digit_of(placed))
        if report.check(
            1 <= step.missing <= digit, f"{path}.missing", f"is {step.missing}; use 1 to {digit}"
        ):
            target.placed, target.missing = placed, step.missing
    if phase in FIRST_LAST_CARD:
        last = FIRST_LAST_CARD[phase]
        if step.HasField("last"):
            last = read_card(step.last, f"{path}.last", report)
            most = DIAMONDS if phase == TAKE else CARDS
            report.check(last < most, f"{path}.last", "is a card that can't have moved")
        target.last_card = min(last, CARDS - 1)
    if phase in (OFFER, NAME):
        if _check_seat(step.opponent, message.seats, f"{path}.opponent", report):
            target.opponent = step.opponent
            started = int(target.notes[target.notes_size - 1]) if target.notes_size else 0
            sale = rules.SALE_STARTED <= started < rules.DRILL_STARTED
            base = rules.SALE_STARTED if phase == OFFER else rules.DRILL_STARTED
            report.check(
                base <= started < rules.SHOPLIFTED
                and sale == (phase == OFFER)
                and (started - base) % rules.MAX_SEATS == step.opponent
                and target.noted_turn == target.turn + 1,
                f"{path}.opponent",
                f"is {step.opponent}, but the history does not end with the special card that "
                "the seat to move has played against it",
            )


def _read_hands_and_safes(state: pb.DiamsState, s: Any, path: str, report: Report) -> None:
    for name in ("hands", "safes"):
        entries = getattr(state, name)
        if not report.check(
            len(entries) == state.seats,
            f"{path}.{name}",
            f"has {len(entries)} entries; give one a seat, {state.seats} (empty ones too)",
        ):
            continue
        for seat, entry in enumerate(entries):
            if name == "hands":
                where = f"{path}.hands[{seat}].cards"
                _read_cards(entry.cards, s.hands[seat], where, report)
            else:
                where = f"{path}.safes[{seat}].diamonds"
                _read_diamonds(entry.diamonds, s.safes[seat], where, report)


def _read_deck(deck: Sequence[pb.DiamsCard], s: Any, path: str, report: Report) -> None:
    """The pile, next card first."""
    cards = [read_card(card, f"{path}[{i}]", report) for i, card in enumerate(deck)]
    s.deck[: len(cards)] = cards[::-1]
    closing = [i for i, card in enumerate(cards) if card == CLOSING_CARD]
    if s.closed:
        report.check(not closing, path, "has the closing card, which is out")
        return
    if report.check(len(closing) == 1, path, f"has {len(closing)} closing cards; 1 is in there"):
        first = max(0, len(cards) - 1 - int(s.closing_window))
        report.check(
            closing[0] >= first,
            f"{path}[{closing[0]}]",
            f"is the closing card, which lies in the last {int(s.closing_window) + 1} cards",
        )


def _read_own(view: pb.DiamsView, v: Any, path: str, report: Report) -> None:
    """What the seat holds, how much the others hold, and open safes."""
    if not _check_seat(view.seat, view.seats, f"{path}.seat", report):
        return
    v.seat = view.seat
    _read_cards(view.hand, v.hand, f"{path}.hand", report)
    _read_diamonds(view.safe, v.safes[view.seat], f"{path}.safe", report)
    for name, own in (("hand_sizes", len(view.hand)), ("safe_sizes", len(view.safe))):
        sizes = list(getattr(view, name))
        if not report.check(
            len(sizes) == view.seats, f"{path}.{name}", f"has {len(sizes)} entries; give one a seat"
        ):
            continue
        for seat, size in enumerate(sizes):
            report.check(
                0 <= size <= PILE_SIZE, f"{path}.{name}[{seat}]", f"is {size}; use 0 to {PILE_SIZE}"
            )
        if report.check(
            sizes[view.seat] == own,
            f"{path}.{name}[{view.seat}]",
            f"is {sizes[view.seat]}, but the view shows {own} cards there",
        ):
            getattr(v, name)[: view.seats] = [min(max(size, 0), PILE_SIZE) for size in sizes]
    _read_open_safes(view, v, path, report)


def _read_open_safes(view: pb.DiamsView, v: Any, path: str, report: Report) -> None:
    wanted = view.seats if v.open_safes else 0
    if not report.check(
        len(view.safes) == wanted,
        f"{path}.safes",
        f"has {len(view.safes)} entries; with these options it has {wanted}",
    ):
        return
    own = v.safes[view.seat].copy()
    for seat, entry in enumerate(view.safes):
        where = f"{path}.safes[{seat}].diamonds"
        v.safes[seat] = 0
        _read_diamonds(entry.diamonds, v.safes[seat], where, report)
        report.check(
            int(v.safes[seat].sum()) == v.safe_sizes[seat],
            where,
            f"has {int(v.safes[seat].sum())} diamonds, but safe_sizes says {v.safe_sizes[seat]}",
        )
    if wanted:
        report.check(
            bool((v.safes[view.seat] == own).all()),
            f"{path}.safes[{view.seat}].diamonds",
            "is not what safe holds",
        )


# -------------------------------------------------------------------------------------- checks


def _public_cards(record: Any) -> Any:
    """Cards in the market and out of the game, as counts by card."""
    held = record.removed.astype(np.int64)
    held[:DIAMONDS] += record.market
    return held


def _check_copies(record: Any, held: Any, exact: bool, path: str, report: Report) -> None:
    """No card more often than the pile has it; with ``exact`` not less often either."""
    for card in range(CARDS):
        copies = int(rules.copies_of(record, card))
        if held[card] > copies or (exact and held[card] < copies):
            report.add(path, f"has {card_name(card)} {held[card]} times; the pile has {copies}")


def _check_unseen(v: Any, held: Any, path: str, report: Report) -> None:
    """As many cards are unseen as lie where the seat can't look."""
    unseen = PILE_SIZE - 1 - int(held.sum())
    places = int(v.deck_size) - (0 if v.closed else 1)
    for seat in range(v.seats):
        if seat != v.seat:
            places += int(v.hand_sizes[seat]) + (0 if v.open_safes else int(v.safe_sizes[seat]))
    report.check(
        unseen == places,
        f"{path}.deck_size",
        f"is {v.deck_size}, so {places} cards lie in the pile and with the other seats, but "
        f"{unseen} of {PILE_SIZE - 1} are not to be seen elsewhere",
    )


def _check_sizes(
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


def _check_history(view: Row, path: str, report: Report) -> Row | None:
    """Some deal of the unseen cards leads to what the seat has seen; returns a sample."""
    table = np.zeros(TABLE.itemsize, dtype=np.uint8)
    if report.check(
        bool(hidden.prepare(view, table)),
        f"{path}.history",
        "can't have happened: no deal of the unseen cards leads to it",
    ):
        sample = table.view(TABLE)[0].last_sample.copy()
        _check_moves(sample, path, report)
        return sample
    return None


def _check_moves(row: Row, path: str, report: Report) -> None:
    """The seat to move has a move."""
    out = np.zeros(MAX_MOVES, dtype=np.int64)
    over = row.view(STATE)[0].phase == OVER
    report.check(
        bool(over) or rules.legal_moves(row, out) > 0,
        f"{path}.step",
        "can't be: the seat to move could not go on",
    )


def _check_agreement(row: Row, path: str, report: Report) -> None:
    """The seat to move has a move, and every seat's view of the state could have come about."""
    _check_moves(row, path, report)
    for seat in range(int(row.view(STATE)[0].seats)):
        view = np.zeros(hidden.VIEW.itemsize, dtype=np.uint8)
        hidden.project(row, seat, view)
        found = len(report.violations)
        _check_history(view, path, report)
        if len(report.violations) > found:
            return


# --------------------------------------------------------------------------------------- moves


def _write_set(move: int) -> list[pb.DiamsDiamond]:
    """The set of a deposit -> diamonds."""
    cards = []
    for kind in range(KINDS):
        cards += [2 * kind] * int(rules.pure_in(move, kind))
        cards += [2 * kind + 1] * int(rules.ordinary_in(move, kind))
    return [write_diamond(card) for card in cards]


def _read_set(diamonds: Sequence[pb.DiamsDiamond], path: str, report: Report) -> int:
    """Diamonds -> the set of a deposit."""
    counts = np.zeros(DIAMONDS, dtype=np.int64)
    if not report.check(
        1 <= len(diamonds) <= rules.MAX_HAND,
        path,
        f"has {len(diamonds)} diamonds; use 1 to {rules.MAX_HAND}",
    ):
        return 0
    _read_diamonds(diamonds, counts, path, report)
    cards = 0
    for kind in range(KINDS):
        pure, ordinary = int(counts[2 * kind]), int(counts[2 * kind + 1])
        if report.check(
            pure + ordinary <= COPIES, path, f"has kind {kind + 1} more than {COPIES} times"
        ):
            cards += int(rules.set_of(kind, pure, ordinary))
    return cards


def _diamond_move(base: Any) -> Callable[[Any, str, Report], int]:
    return lambda diamond, path, report: int(base) + read_diamond(diamond, path, report)


def _read_draw(choice: int, path: str, report: Report) -> int:
    report.check(
        choice in (pb.DIAMS_DRAW_HAND, pb.DIAMS_DRAW_MARKET),
        path,
        f"is {choice}; use DIAMS_DRAW_HAND (1) or DIAMS_DRAW_MARKET (2)",
    )
    to_market = choice == pb.DIAMS_DRAW_MARKET
    return int(rules.DRAW_MOVE) + (rules.DRAW_MARKET if to_market else rules.DRAW_HAND)


def _read_visit(visit: pb.DiamsVisit, path: str, report: Report) -> int:
    card = read_diamond(visit.placed, f"{path}.placed", report)
    report.check(
        1 <= visit.mode <= rules.MODES,
        f"{path}.mode",
        f"is {visit.mode}; use DIAMS_VISIT_MODE_SAME_KIND (1) to DIAMS_VISIT_MODE_NOTHING (3)",
    )
    return int(rules.visit_move(card, min(max(visit.mode, 1), rules.MODES) - 1))


def _read_opponent(seat: int, path: str, report: Report) -> int:
    return seat if _check_seat(seat, rules.MAX_SEATS, path, report) else 0


def _read_sale(sale: pb.DiamsSale, path: str, report: Report) -> int:
    known = report.check(
        1 <= sale.special <= rules.SPECIALS,
        f"{path}.special",
        f"is {sale.special}; use {SPECIAL_NAMES}",
    )
    opponent = _read_opponent(sale.opponent, f"{path}.opponent", report)
    return int(rules.sale_move(sale.special - 1 if known else 0, opponent))


def _read_give_up(card: pb.DiamsCard, path: str, report: Report) -> int:
    number = read_card(card, path, report)
    report.check(number != CLOSING_CARD, path, "can't be the closing card")
    return int(rules.GIVE_UP) + min(number, CARDS - 1)


_MOVE_READERS: dict[str, Callable[[Any, str, Report], int]] = {
    "draw": _read_draw,
    "visit": _read_visit,
    "deposit": lambda safe, path, report: (
        int(rules.DEPOSIT) + _read_set(safe.diamonds, f"{path}.diamonds", report)
    ),
    "sale": _read_sale,
    "drill": lambda seat, path, report: int(rules.DRILL) + _read_opponent(seat, path, report),
    "special_deposit": lambda safe, path, report: (
        int(rules.SPECIAL_DEPOSIT) + _read_set(safe.diamonds, f"{path}.diamonds", report)
    ),
    "shoplift": _diamond_move(rules.SHOPLIFT),
    "no_play": lambda _, path, report: int(rules.NO_PLAY),
    "take": _diamond_move(rules.TAKE_CARD),
    "offer": _diamond_move(rules.OFFER_CARD),
    "name": _diamond_move(rules.NAME_CARD),
    "give_up": _read_give_up,
}


def _argument(move: int) -> int:
    return int(rules.argument_of(move))


def _write_visit(move: int) -> pb.DiamsMove:
    card, mode = divmod(_argument(move), rules.MODES)
    visit = pb.DiamsVisit(placed=write_diamond(card), mode=pb.DiamsVisitMode.ValueType(mode + 1))
    return pb.DiamsMove(visit=visit)


def _write_sale(move: int) -> pb.DiamsMove:
    special, opponent = divmod(_argument(move), rules.MAX_SEATS)
    sale = pb.DiamsSale(special=pb.DiamsSpecial.ValueType(special + 1), opponent=opponent)
    return pb.DiamsMove(sale=sale)


_MOVE_WRITERS: dict[int, Callable[[int], pb.DiamsMove]] = {
    int(rules.DRAW_MOVE): lambda move: pb.DiamsMove(
        draw=pb.DiamsDraw.ValueType(_argument(move) + 1)
    ),
    int(rules.NO_PLAY): lambda move: pb.DiamsMove(no_play=pb.DiamsNoPlay()),
    int(rules.VISIT): _write_visit,
    int(rules.DEPOSIT): lambda move: pb.DiamsMove(deposit=pb.DiamsSafe(diamonds=_write_set(move))),
    int(rules.SALE): _write_sale,
    int(rules.DRILL): lambda move: pb.DiamsMove(drill=_argument(move)),
    int(rules.SPECIAL_DEPOSIT): lambda move: pb.DiamsMove(
        special_deposit=pb.DiamsSpecialDeposit(diamonds=_write_set(move))
    ),
    int(rules.SHOPLIFT): lambda move: pb.DiamsMove(shoplift=write_diamond(_argument(move))),
    int(rules.TAKE_CARD): lambda move: pb.DiamsMove(take=write_diamond(_argument(move))),
    int(rules.OFFER_CARD): lambda move: pb.DiamsMove(offer=write_diamond(_argument(move))),
    int(rules.NAME_CARD): lambda move: pb.DiamsMove(name=write_diamond(_argument(move))),
    int(rules.GIVE_UP): lambda move: pb.DiamsMove(give_up=write_card(_argument(move))),
}
