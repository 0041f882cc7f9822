"""The four suit actions of Diamonds (sections 1.2 and 7.4)."""

from __future__ import annotations

import numpy as np

from engines.bits import lowest
from engines.contract import MAX_SEATS
from engines.diamonds.rules.state import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    MOVED,
    NO_EFFECT,
    STOLEN,
    SUIT_ACTION,
    VICTIM,
    bit,
    left_of,
    side_of,
)
from engines.events import emit
from engines.jit import Int, Log, Record, rule


@rule
def take_from_supply(s: Record) -> bool:
    """Takes a crystal from the supply, unless that is limited and empty (section 1.2)."""
    if s.supply == 0:
        return True
    if s.supply_left == 0:
        return False
    s.supply_left -= 1
    return True


@rule
def diamonds_action(s: Record, side: Int) -> bool:
    """Supply to vault."""
    if not take_from_supply(s):
        return False
    s.vaults[side] += 1
    return True


@rule
def hearts_action(s: Record, side: Int) -> bool:
    """Supply to showroom."""
    if not take_from_supply(s):
        return False
    s.showrooms[side] += 1
    return True


@rule
def spades_action(s: Record, side: Int) -> bool:
    """Showroom to vault; nothing if the showroom is empty."""
    if s.showrooms[side] == 0:
        return False
    s.showrooms[side] -= 1
    s.vaults[side] += 1
    return True


@rule
def possible_victims(s: Record, side: Int) -> Int:
    """The other sides that have a crystal in the showroom (sides beyond the last never have)."""
    victims = np.int64(0)
    for other in range(MAX_SEATS):
        victims |= np.int64(s.showrooms[other] > 0) << other
    return victims & ~bit(side)


@rule
def log_action(s: Record, seat: Int, suit: Int, reason: Int, effect: Int, log: Log | None) -> None:
    """Logs a suit action, packed in two numbers: suit and reason, effect and who has the token."""
    if log is not None:
        emit(log, SUIT_ACTION, seat, 8 * suit + reason, 8 * s.thief + effect)


@rule
def steal(s: Record, seat: Int, victim: Int, reason: Int, log: Log | None) -> None:
    """A clubs action with its victim: showroom to showroom."""
    s.showrooms[victim] -= 1
    s.showrooms[side_of(s, seat)] += 1
    log_action(s, seat, CLUBS, reason, STOLEN + victim, log)


@rule
def steal_by_token(s: Record, seat: Int, reason: Int, log: Log | None) -> None:
    """Clubs with the thief token: its holder is the victim, then it moves left (section 7.4)."""
    holder = side_of(s, s.thief)
    s.thief = left_of(s, s.thief)
    if holder != side_of(s, seat) and s.showrooms[holder] > 0:
        steal(s, seat, holder, reason, log)
    else:
        log_action(s, seat, CLUBS, reason, NO_EFFECT, log)


@rule
def clubs_action(s: Record, seat: Int, reason: Int, log: Log | None) -> bool:
    """An opponent's showroom to the own; False if the seat has to choose the victim first."""
    if s.thief_token == 1:
        steal_by_token(s, seat, reason, log)
        return True
    victims = possible_victims(s, side_of(s, seat))
    if victims == 0:
        log_action(s, seat, CLUBS, reason, NO_EFFECT, log)
        return True
    if victims & (victims - 1) == 0:
        steal(s, seat, lowest(victims), reason, log)
        return True
    s.phase = VICTIM
    s.victim_reason = reason
    s.turn = seat
    return False


@rule
def act(s: Record, seat: Int, suit: Int, reason: Int, log: Log | None) -> bool:
    """Does a suit action at once (section 1.2). False if it waits for the choice of a victim."""
    if suit == CLUBS:
        return clubs_action(s, seat, reason, log)
    side = side_of(s, seat)
    if suit == DIAMONDS:
        moved = diamonds_action(s, side)
    elif suit == HEARTS:
        moved = hearts_action(s, side)
    else:
        moved = spades_action(s, side)
    log_action(s, seat, suit, reason, MOVED if moved else NO_EFFECT, log)
    return True
