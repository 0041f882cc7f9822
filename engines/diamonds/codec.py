"""Protobuf messages of Diamonds to records and back. Reading is in ``hands`` and ``reading``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from adamas.v1 import diamonds_pb2 as pb
from engines.contract import MAX_SEATS, RESULT_ROWS, SCORE, WIN_SHARE
from engines.diamonds import hands, hidden, rules
from engines.diamonds.cards import (
    captured_counts,
    card_name,
    read_card,
    read_suit,
    write_card,
    write_cards,
    write_suit,
)
from engines.diamonds.options import OPTIONS
from engines.diamonds.reading import from_dealers_left, read_option_values
from engines.diamonds.state import (
    BONUS,
    CARD_PLAYED,
    CARDS_PASSED,
    CLUBS,
    GAME_ENDED,
    MAJORITY_COMPARED,
    MAX_PASS,
    MIN_PASS,
    NO_EFFECT,
    PASS,
    PASS_COUNT,
    PASS_COUNT_CHOSEN,
    PERFECT_RANKS,
    PLAY,
    RANKS,
    ROUND_SCORED,
    ROUND_STARTED,
    STATE,
    STOLEN,
    SUIT_ACTION,
    TRICK_WON,
    VICTIM,
)
from engines.events import entries
from engines.jit import Log, Row
from engines.options import copy_options, write_options
from engines.rng import generator
from engines.violations import Report

_MOVE_FIELDS = {
    int(PASS_COUNT): "pass_count",
    int(PASS): "pass",
    int(PLAY): "play",
    int(VICTIM): "victim",
    int(BONUS): "bonus",
}
"""The field of DiamondsMove that each phase asks for."""


class DiamondsCodec:
    """The codec of Diamonds; see engines.contract.Codec."""

    def read_options(
        self, options: pb.DiamondsOptions, seats: int, path: str, report: Report
    ) -> None:
        """Checks the options message for this number of seats."""
        read_option_values(options, seats, path, report)

    def new_game(self, options: pb.DiamondsOptions, seats: int, seed: int, log: Log) -> Row:
        """Draws the dealer and deals the first round (section 2)."""
        row = np.zeros(STATE.itemsize, dtype=np.uint8)
        s = row.view(STATE)[0]
        copy_options(read_option_values(options, seats, "", Report()), s)
        s.seats = seats
        s.random[:] = generator(seed)
        rules.start_game(row, log)
        return row

    def write_state(self, row: Row) -> pb.DiamondsState:
        """Record -> state message."""
        s = row.view(STATE)[0]
        state = pb.DiamondsState(turn=int(s.turn), random_state=int(s.random[0]))
        _write_public(s, state)
        for seat in range(int(s.seats)):
            state.hands.add(cards=write_cards(s.hands[seat]))
            if s.phase != PASS_COUNT:
                state.passed.add(cards=write_cards(s.passed[seat]))
        return state

    def read_state(self, state: pb.DiamondsState, path: str, report: Report) -> Row:
        """State message -> record."""
        return hands.read_state(state, path, report)

    def write_view(self, view: Row) -> pb.DiamondsView:
        """View record -> view message."""
        v = view.view(hidden.VIEW)[0]
        message = pb.DiamondsView(
            seat=int(v.seat),
            turn=int(v.turn),
            hand=write_cards(v.hand),
            passed=write_cards(v.given),
            received=write_cards(v.received),
        )
        _write_public(v, message)
        if v.expose_captured:
            message.captured.extend(pb.DiamondsCaptured(**c) for c in captured_counts(v))
        return message

    def read_view(self, view: pb.DiamondsView, path: str, report: Report) -> Row:
        """View message -> view record."""
        return hands.read_view(view, path, report)

    def viewing_seat(self, view: Row) -> int:
        """The seat whose view it is."""
        return int(view.view(hidden.VIEW)[0].seat)

    def seats(self, row: Row) -> int:
        """Number of seats."""
        return int(row.view(STATE)[0].seats)

    def read_move(self, row: Row, move: pb.DiamondsMove, path: str, report: Report) -> int:
        """Move message -> move."""
        s = row.view(STATE)[0]
        kind: str | None = move.WhichOneof("move")
        wanted = _MOVE_FIELDS.get(int(s.phase))
        if kind is None or kind != wanted:
            asked = f"this phase asks for {wanted}" if wanted else "the game is over"
            report.add(path, f"has {kind or 'nothing'} set; {asked}")
            return 0
        path = f"{path}.{kind}"
        if kind == "pass":
            return _read_pass(s, getattr(move, kind).cards, path, report)
        if kind == "play":
            return read_card(move.play, _ranks(s), path, report) or 0
        if kind == "bonus":
            return read_suit(move.bonus, path, report) or 0
        least, most = (MIN_PASS, MAX_PASS) if kind == "pass_count" else (0, int(s.sides) - 1)
        number: int = getattr(move, kind)
        report.check(least <= number <= most, path, f"is {number}; use {least} to {most}")
        return max(number, 0)

    def write_move(self, row: Row, move: int) -> pb.DiamondsMove:
        """Move -> move message."""
        phase = int(row.view(STATE)[0].phase)
        message = pb.DiamondsMove()
        if phase == PASS:
            getattr(message, "pass").cards.extend(write_cards(move))
        elif phase == PLAY:
            message.play.CopyFrom(write_card(move))
        elif phase == BONUS:
            message.bonus = write_suit(move)
        else:
            setattr(message, _MOVE_FIELDS[phase], move)
        return message

    def write_events(self, before: Row, after: Row, log: Log) -> Sequence[pb.DiamondsEvent]:
        """Log -> event messages."""
        events = [
            _EVENT_WRITERS[kind](before, after, seat, a, b) for kind, seat, a, b in entries(log)
        ]
        for event in events:
            event.teams = bool(after.view(STATE)[0].teams)
        return events


def _ranks(record: Any) -> int:
    """The highest rank of the deck."""
    return PERFECT_RANKS[int(record.seats)] if record.perfect else RANKS


def _read_pass(record: Any, cards: Sequence[pb.DiamondsCard], path: str, report: Report) -> int:
    """The cards to pass -> set."""
    count = int(record.pass_count)
    if not report.check(
        len(cards) == count, f"{path}.cards", f"has {len(cards)} cards; {count} are passed"
    ):
        return 0
    chosen = 0
    for i, card in enumerate(cards):
        number = read_card(card, _ranks(record), f"{path}.cards[{i}]", report)
        if number is not None:
            report.check(
                not chosen >> number & 1,
                f"{path}.cards[{i}]",
                f"is {card_name(number)} a second time; pass different cards",
            )
            chosen |= 1 << number
    return chosen


def _write_public(source: Any, message: Any) -> None:
    """Options and public fields of a state or view record -> the message's fields."""
    write_options(OPTIONS, source, message.options)
    message.seats = int(source.seats)
    message.dealer = int(source.dealer)
    message.round = int(source.round_number)
    message.phase = int(source.phase)
    message.pass_count = int(source.pass_count)
    message.tricks.extend(_write_tricks(source))
    message.vaults.extend(_by_side(source, source.vaults))
    message.showrooms.extend(_by_side(source, source.showrooms))
    message.supply_left = int(source.supply_left)
    message.thief = int(source.thief)
    message.victim_reason = int(source.victim_reason)
    message.bonus_actions_left = int(source.bonus_left)


def _by_side(record: Any, figures: Any) -> list[int]:
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


# ------------------------------------------------------------------------------------------ events


def _write_suit_action(_: Row, after: Row, seat: int, action: int, result: int) -> pb.DiamondsEvent:
    s = after.view(STATE)[0]
    suit, reason = divmod(action, 8)
    thief, effect = divmod(result, 8)
    message = pb.DiamondsSuitAction(
        seat=seat,
        suit=write_suit(suit),
        reason=pb.DiamondsActionReason.ValueType(reason),
        moved=effect != NO_EFFECT,
    )
    if effect >= STOLEN:
        message.victim = effect - int(STOLEN)
    if suit == CLUBS and s.thief_token:
        message.thief = thief
    return pb.DiamondsEvent(suit_action=message)


def _write_majority(before: Row, _: Row, seats: int, suit: int, counts: int) -> pb.DiamondsEvent:
    s = before.view(STATE)[0]
    return pb.DiamondsEvent(
        majority=pb.DiamondsMajority(
            suit=write_suit(suit),
            captured=[counts >> 4 * side & 15 for side in range(int(s.sides))],
            seats=from_dealers_left(s, seats),
        )
    )


def _write_round_scored(_: Row, after: Row, seat: int, round_: int, b: int) -> pb.DiamondsEvent:
    s = after.view(STATE)[0]
    return pb.DiamondsEvent(
        round_scored=pb.DiamondsRoundScored(
            round=round_, vaults=_by_side(s, s.vaults), showrooms=_by_side(s, s.showrooms)
        )
    )


def _write_game_over(_: Row, after: Row, seat: int, a: int, b: int) -> pb.DiamondsEvent:
    sides = int(after.view(STATE)[0].sides)
    results = np.zeros((RESULT_ROWS, MAX_SEATS))
    rules.evaluate(after, results)
    return pb.DiamondsEvent(
        game_over=pb.DiamondsGameOver(
            scores=[int(score) for score in results[SCORE, :sides]],
            winners=[side for side in range(sides) if results[WIN_SHARE, side] > 0],
        )
    )


_EVENT_WRITERS: dict[int, Callable[[Row, Row, int, int, int], pb.DiamondsEvent]] = {
    int(ROUND_STARTED): lambda before, after, seat, a, b: pb.DiamondsEvent(
        round_started=pb.DiamondsRoundStarted(dealer=seat, round=a)
    ),
    int(PASS_COUNT_CHOSEN): lambda before, after, seat, a, b: pb.DiamondsEvent(
        pass_count_chosen=pb.DiamondsPassCountChosen(seat=seat, pass_count=a)
    ),
    int(CARDS_PASSED): lambda before, after, seat, a, b: pb.DiamondsEvent(
        cards_passed=pb.DiamondsCardsPassed(seat=seat, receiver=a, count=b)
    ),
    int(CARD_PLAYED): lambda before, after, seat, a, b: pb.DiamondsEvent(
        card_played=pb.DiamondsCardPlayed(seat=seat, card=write_card(a))
    ),
    int(SUIT_ACTION): _write_suit_action,
    int(TRICK_WON): lambda before, after, seat, a, b: pb.DiamondsEvent(
        trick_won=pb.DiamondsTrickWon(seat=seat, card=write_card(a))
    ),
    int(MAJORITY_COMPARED): _write_majority,
    int(ROUND_SCORED): _write_round_scored,
    int(GAME_ENDED): _write_game_over,
}
