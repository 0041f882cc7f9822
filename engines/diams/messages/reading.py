"""State and view messages of Diam's to records, field by field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adamas.v1 import diams_pb2 as pb
from engines.diams.messages.cards import card_name, read_card, read_diamond
from engines.diams.messages.history import HistoryReader
from engines.diams.rules.notes import (
    DRILL_STARTED,
    FOUND,
    GIVEN_UP,
    NOTES_PER_TURN,
    OFFERED,
    SALE_STARTED,
    SHOPLIFTED,
    TAKEN,
)
from engines.diams.rules.options import OPTIONS
from engines.diams.rules.state import (
    CLOSING_CARD,
    DIAMONDS,
    DRAW,
    LIMIT,
    MAX_NOTES,
    MAX_SEATS,
    NAME,
    OFFER,
    OVER,
    PILE_SIZE,
    TAKE,
    digit_of,
    rounds_of,
)
from engines.diams.rules.tables import DATA_SETS
from engines.diams.rules.victory import finished_rounds
from engines.options import copy_options, read_options
from engines.violations import Report

MIN_SEATS = 2
MAX_POINTS = 2000
"""More than any round can bring."""


def set_options(target: Any, values: dict[str, int]) -> None:
    """Options and the tables they name -> record."""
    copy_options(values, target)
    data_set = list(DATA_SETS.values())[values["data_set"]]
    target.collection_values[:] = data_set.collection_values
    target.pure_copies[:] = data_set.pure_copies


def read_public(message: Any, target: Any, deck_size: int, path: str, report: Report) -> None:
    """Fields that states and views share -> record.

    Each field is read as far as those that it depends on are sound; if options or the number of
    seats are not, by the default options or for the most seats, so that everything that can be said
    is said at once.
    """
    known = report.check(
        MIN_SEATS <= message.seats <= MAX_SEATS,
        f"{path}.seats",
        f"is {message.seats}; Diam's has {MIN_SEATS} to {MAX_SEATS} seats",
    )
    seats = int(message.seats) if known else None
    values = read_options(OPTIONS, message.options, seats, f"{path}.options", report)
    if not report.sound(f"{path}.options"):
        values = {spec.name: spec.default(seats) for spec in OPTIONS}
    set_options(target, values)
    read_diamonds(message.market, target.market, f"{path}.market", report)
    _read_cards(message.removed, target.removed, f"{path}.removed", report)
    target.seats = seats or MAX_SEATS
    _read_course(message, target, deck_size, path, report)

    def sound(*names: str) -> bool:
        return report.sound(*(f"{path}.{name}" for name in ("seats", "options", *names)))

    if sound("round", "phase"):
        _read_points(message.finished_rounds, target, f"{path}.finished_rounds", report)
    if sound("starter"):
        ends = sound("turn", "phase", "closer", "round", "deck", "deck_size")
        _read_history(message.history, target, path, report, ends=ends)
    if report.sound(path):
        _read_step(message, target, path, report)


def check_seat(seat: int, seats: int, path: str, report: Report) -> bool:
    """A seat that there is."""
    return report.check(0 <= seat < seats, path, f"is {seat}; use 0 to {seats - 1}")


def _read_course(message: Any, target: Any, deck_size: int, path: str, report: Report) -> None:
    """Whose turn it is in which round and phase, and what is left of the pile."""
    seats, rounds = int(target.seats), int(rounds_of(target))
    for name in ("turn", "starter"):
        if check_seat(getattr(message, name), seats, f"{path}.{name}", report):
            setattr(target, name, getattr(message, name))
    if message.HasField("closer"):
        target.closed = 1
        if check_seat(message.closer, seats, f"{path}.closer", report):
            target.closer = message.closer
    in_range = report.check(
        1 <= message.round <= rounds,
        f"{path}.round",
        f"is {message.round}; this game has {rounds} round{'s' if rounds > 1 else ''}",
    )
    if _check_phase_number(message, path, report) and in_range:
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


def _check_phase_number(message: Any, path: str, report: Report) -> bool:
    return report.check(
        DRAW <= message.phase <= OVER,
        f"{path}.phase",
        f"is {message.phase}; use DIAMS_PHASE_DRAW (1) to DIAMS_PHASE_OVER (7)",
    )


def _check_phase(target: Any, path: str, report: Report) -> None:
    if target.phase == OVER:
        report.check(
            target.round_number == rounds_of(target),
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


def read_diamonds(
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
        if report.check(
            card != CLOSING_CARD,
            f"{path}[{i}]",
            "can't be the closing card; use a diamond or a special card",
        ):
            counts[card] = min(int(counts[card]) + 1, PILE_SIZE)


def _read_points(
    finished: Sequence[pb.DiamsRoundPoints], target: Any, path: str, report: Report
) -> None:
    """Points of the rounds that have been scored."""
    wanted = int(finished_rounds(target))
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
            f"has other entries; use 0 to {MAX_POINTS}",
        ):
            target.points[number, : target.seats] = points


def _read_history(
    events: Sequence[pb.DiamsEvent], target: Any, path: str, report: Report, *, ends: bool
) -> None:
    """The events of this round -> notes. A round's start ends what was told before it. ``ends``:
    whether seat to move, phase and pile are sound, which the events have to lead to."""
    reader = HistoryReader(target, report)
    if not report.check(
        len(events) <= 4 * MAX_NOTES,
        f"{path}.history",
        f"has {len(events)} events; no round has so many",
    ):
        return
    first = max((i for i, e in enumerate(events) if e.HasField("round_started")), default=0)
    for i in range(first, len(events)):
        reader.read(events[i], f"{path}.history[{i}]")
    if not ends:
        return
    reader.finish(path)
    still_to_come = 0
    if target.phase != OVER:
        still_to_come = NOTES_PER_TURN * (int(target.deck_size) + int(target.seats))
    report.check(
        reader.size + still_to_come <= MAX_NOTES,
        f"{path}.history",
        f"has too many events; with {target.deck_size} cards left in the pile a round has fewer",
    )


def told_in_turn(record: Any, first: int, end: int) -> int | None:
    """The card of the last note of the seat to move, if that is in notes[first:end]."""
    if not record.notes_size or record.noted_turn != record.turn + 1:
        return None
    note = int(record.notes[record.notes_size - 1])
    return note - first if first <= note < end else None


def _read_step(message: Any, target: Any, path: str, report: Report) -> None:
    """What has been decided in part; nothing outside the phases that go in steps."""
    phase, step, path = int(target.phase), message.step, f"{path}.step"
    if phase in (TAKE, OFFER, NAME) and not report.check(
        message.HasField("step"), path, "is not set; this phase goes in several steps"
    ):
        return
    if phase == TAKE:
        placed = read_diamond(step.placed, f"{path}.placed", report)
        digit = int(digit_of(placed))
        if report.check(
            1 <= step.missing <= digit, f"{path}.missing", f"is {step.missing}; use 1 to {digit}"
        ):
            target.placed, target.missing = placed, step.missing
        taken = told_in_turn(target, TAKEN, OFFERED)
        target.last_card = DIAMONDS - 1 if taken is None else taken
        _check_last(step, taken, "took", path, report)
    elif phase == LIMIT:
        given_up = told_in_turn(target, GIVEN_UP, FOUND)
        target.last_card = given_up or 0
        _check_last(step, given_up, "gave up", path, report)
    elif phase in (OFFER, NAME):
        _read_opponent(message, target, path, report)


def _check_last(step: pb.DiamsStep, told: int | None, did: str, path: str, report: Report) -> None:
    """The last card of a step may be left out: the history tells it too."""
    if step.HasField("last"):
        last = read_card(step.last, f"{path}.last", report)
        report.check(
            last == told,
            f"{path}.last",
            f"is {card_name(last)}, but by the history the seat to move {did} "
            + ("nothing yet" if told is None else f"{card_name(told)} last"),
        )


def _read_opponent(message: Any, target: Any, path: str, report: Report) -> None:
    """Whose hand or safe a special card is aimed at."""
    opponent = message.step.opponent
    if check_seat(opponent, message.seats, f"{path}.opponent", report):
        target.opponent = opponent
        started = int(target.notes[target.notes_size - 1]) if target.notes_size else 0
        sale = SALE_STARTED <= started < DRILL_STARTED
        base = SALE_STARTED if target.phase == OFFER else DRILL_STARTED
        report.check(
            base <= started < SHOPLIFTED
            and sale == (target.phase == OFFER)
            and (started - base) % MAX_SEATS == opponent
            and target.noted_turn == target.turn + 1,
            f"{path}.opponent",
            f"is {opponent}, but the history does not end with the special card that "
            "the seat to move has played against it",
        )


def read_hands_and_safes(state: pb.DiamsState, s: Any, path: str, report: Report) -> None:
    """What every seat of a state holds."""
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
                read_diamonds(entry.diamonds, s.safes[seat], where, report)


def read_deck(deck: Sequence[pb.DiamsCard], s: Any, path: str, report: Report) -> None:
    """The pile, next card first."""
    cards = [read_card(card, f"{path}[{i}]", report) for i, card in enumerate(deck)]
    s.deck[: len(cards)] = cards[::-1]
    closing = [i for i, card in enumerate(cards) if card == CLOSING_CARD]
    if s.closed:
        report.check(not closing, path, "has the closing card, but closer says that it is out")
        return
    if report.check(len(closing) == 1, path, f"has {len(closing)} closing cards; 1 is in there"):
        first = max(0, len(cards) - 1 - int(s.closing_window))
        report.check(
            closing[0] >= first,
            f"{path}[{closing[0]}]",
            f"is the closing card, but that lies in the last {int(s.closing_window) + 1} cards",
        )


def read_own(view: pb.DiamsView, v: Any, path: str, report: Report) -> None:
    """What the seat holds, how much the others hold, and open safes."""
    if check_seat(view.seat, int(v.seats), f"{path}.seat", report):
        v.seat = view.seat
    _read_cards(view.hand, v.hand, f"{path}.hand", report)
    read_diamonds(view.safe, v.safes[int(v.seat)], f"{path}.safe", report)
    known = report.sound(f"{path}.seats")
    fewest = int(v.seats) if known else MIN_SEATS
    for name, own in (("hand_sizes", len(view.hand)), ("safe_sizes", len(view.safe))):
        sizes = list(getattr(view, name))
        if not report.check(
            fewest <= len(sizes) <= v.seats,
            f"{path}.{name}",
            f"has {len(sizes)} entries; give one a seat",
        ):
            continue
        for seat, size in enumerate(sizes):
            report.check(
                0 <= size <= PILE_SIZE, f"{path}.{name}[{seat}]", f"is {size}; use 0 to {PILE_SIZE}"
            )
        if not known or not report.sound(f"{path}.seat"):
            continue
        if report.check(
            sizes[view.seat] == own,
            f"{path}.{name}[{view.seat}]",
            f"is {sizes[view.seat]}, but the view shows {own} cards there",
        ):
            getattr(v, name)[: view.seats] = [min(max(size, 0), PILE_SIZE) for size in sizes]
    if known and report.sound(f"{path}.options", f"{path}.seat"):
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
        read_diamonds(entry.diamonds, v.safes[seat], where, report)
        report.check(
            int(v.safes[seat].sum()) == v.safe_sizes[seat],
            where,
            f"has {int(v.safes[seat].sum())} diamonds, but safe_sizes says {v.safe_sizes[seat]}",
        )
    if wanted:
        report.check(
            bool((v.safes[view.seat] == own).all()),
            f"{path}.safes[{view.seat}].diamonds",
            "is not what safe holds; give the same diamonds",
        )
