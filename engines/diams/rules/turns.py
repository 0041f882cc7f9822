"""A turn of Diam's: draw, hand limit, market check, next seat (section 3)."""

from __future__ import annotations

from engines.diams.rules.market import close, pop, turn_for_market
from engines.diams.rules.moves import DRAW_HAND, GIVE_UP
from engines.diams.rules.notes import DREW, GIVEN_UP, reveal, tell
from engines.diams.rules.options import TO_MARKET
from engines.diams.rules.round_end import end_round
from engines.diams.rules.state import CARDS, CLOSING_CARD, DIAMONDS, DRAW, LIMIT, PLAY, size_of
from engines.jit import Int, Ints, Log, Record, rule


@rule
def draw_to_hand(s: Record, log: Log | None) -> None:
    """DRAW_HAND: a card unseen by the others; the closing card is shown instead (section 3.4)."""
    card = pop(s)
    if card == CLOSING_CARD:
        reveal(s, card)
        close(s, log)
        return
    s.hands[s.turn, card] += 1
    s.drawn = card + 1
    s.drawer = s.turn
    tell(s, log, DREW)


@rule
def draw(s: Record, choice: Int, log: Log | None) -> None:
    """The draw of a turn (section 3)."""
    if choice == DRAW_HAND:
        draw_to_hand(s, log)
    elif turn_for_market(s, log):
        turn_for_market(s, log)
    s.phase = PLAY


@rule
def list_give_ups(s: Record, out: Ints, n: Int) -> Int:
    """Cards that can be given up next: in ascending order, and so that enough are left to give."""
    hand = s.hands[s.turn]
    spare = s.hand_limit
    for card in range(s.last_card):
        spare -= hand[card]
    for card in range(s.last_card, CARDS):
        if spare < 0:
            break
        if hand[card] > 0:
            out[n] = GIVE_UP + card
            n += 1
        spare -= hand[card]
    return n


@rule
def give_up(s: Record, card: Int, log: Log | None) -> None:
    """A card over the hand limit: diamonds to the market, specials out of the game (section 3)."""
    s.hands[s.turn, card] -= 1
    if card < DIAMONDS and s.overflow_to == TO_MARKET:
        s.market[card] += 1
    else:
        s.removed[card] += 1
    tell(s, log, GIVEN_UP + card)
    s.last_card = card
    if size_of(s.hands[s.turn]) <= s.hand_limit:
        end_turn(s, log)


@rule
def end_play(s: Record, log: Log | None) -> None:
    """LIMIT follows if the hand is too large: cards are given up one by one, none below
    ``last_card``."""
    s.placed = 0
    s.missing = 0
    s.last_card = 0
    s.opponent = 0
    if size_of(s.hands[s.turn]) > s.hand_limit:
        s.phase = LIMIT
    else:
        end_turn(s, log)


@rule
def end_turn(s: Record, log: Log | None) -> None:
    """The market check, then the next seat; the round ends before the closer's next turn."""
    s.last_card = 0
    if s.closed == 0 and size_of(s.market) == 0:
        refills = s.refill_empty_market
        while refills > 0 and turn_for_market(s, log):
            refills -= 1
    following = (s.turn + 1) % s.seats
    if s.closed and following == s.closer:
        end_round(s, log)
    else:
        s.turn = following
        s.phase = PLAY if s.closed else DRAW
