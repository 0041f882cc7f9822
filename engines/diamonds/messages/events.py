"""Log entries of Diamonds -> event messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from adamas.v1 import diamonds_pb2 as pb
from engines.contract import MAX_SEATS, RESULT_ROWS, SCORE, WIN_SHARE
from engines.diamonds.messages.cards import write_card, write_suit
from engines.diamonds.messages.reading import from_dealers_left
from engines.diamonds.messages.writing import by_side
from engines.diamonds.rules import kernels
from engines.diamonds.rules.state import (
    CARD_PLAYED,
    CARDS_PASSED,
    CLUBS,
    GAME_ENDED,
    MAJORITY_COMPARED,
    NO_EFFECT,
    PASS_COUNT_CHOSEN,
    ROUND_SCORED,
    ROUND_STARTED,
    STATE,
    STOLEN,
    SUIT_ACTION,
    TRICK_WON,
)
from engines.events import entries
from engines.jit import Log, Row


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
            round=round_, vaults=by_side(s, s.vaults), showrooms=by_side(s, s.showrooms)
        )
    )


def _write_game_over(_: Row, after: Row, seat: int, a: int, b: int) -> pb.DiamondsEvent:
    sides = int(after.view(STATE)[0].sides)
    results = np.zeros((RESULT_ROWS, MAX_SEATS))
    kernels.evaluate(after, results)
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


def write_events(before: Row, after: Row, log: Log) -> Sequence[pb.DiamondsEvent]:
    """Log of one move -> event messages."""
    events = [_EVENT_WRITERS[kind](before, after, seat, a, b) for kind, seat, a, b in entries(log)]
    for event in events:
        event.teams = bool(after.view(STATE)[0].teams)
    return events
