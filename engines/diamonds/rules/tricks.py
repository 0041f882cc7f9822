"""The tricks of Diamonds (section 3)."""

from __future__ import annotations

from engines.diamonds.rules.actions import act
from engines.diamonds.rules.round_end import end_round
from engines.diamonds.rules.state import (
    CARD_PLAYED,
    OFF_SUIT,
    TRICK,
    TRICK_WON,
    bit,
    cards_of_round,
    left_of,
    suit_cards,
    suit_of,
)
from engines.events import emit
from engines.jit import Int, Log, Record, inlined_rule, rule


@rule
def playable_cards(s: Record) -> Int:
    """The cards that the seat to move may play: it must follow suit if it can (section 3)."""
    hand = s.hands[s.turn]
    if s.trick_size > 0:
        following = hand & suit_cards(s.led)
        if following != 0:
            return following
    return hand


@inlined_rule
def play_card(s: Record, card: Int, log: Log | None) -> None:
    """A card to the trick; off the led suit it earns an action of its own suit (section 3)."""
    seat = s.turn
    suit = suit_of(card)
    s.hands[seat] ^= bit(card)
    s.trick |= bit(card)
    s.plays[s.played] = card
    s.played += 1
    s.trick_size += 1
    emit(log, CARD_PLAYED, seat, card, 0)
    if s.trick_size == 1:
        s.led = suit
        s.best = card
        s.best_seat = seat
    elif suit == s.led:
        if card > s.best:
            s.best = card
            s.best_seat = seat
    elif not act(s, seat, suit, OFF_SUIT, log):
        return
    end_play(s, log)


@rule
def end_play(s: Record, log: Log | None) -> None:
    """A card and its action are done: the next seat's turn, or the end of the trick."""
    if s.trick_size < s.trick_length:
        s.turn = left_of(s, s.turn)
    else:
        end_trick(s, log)


@rule
def end_trick(s: Record, log: Log | None) -> None:
    """The highest card of the led suit wins; its player does an action of that suit (section 3)."""
    winner = s.best_seat
    suit = s.led
    emit(log, TRICK_WON, winner, s.best, 0)
    s.captured[winner] |= s.trick
    s.turn = winner
    s.trick = 0
    s.trick_size = 0
    s.led = 0
    s.best = 0
    s.best_seat = 0
    if act(s, winner, suit, TRICK, log):
        end_trick_action(s, log)


@rule
def end_trick_action(s: Record, log: Log | None) -> None:
    """The winner's action is done: it leads, or the round ends."""
    if s.played == cards_of_round(s):
        end_round(s, log)
