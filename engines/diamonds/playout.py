"""Playouts of Diamonds: random, or with a player's rules of thumb."""

from __future__ import annotations

from engines import contract
from engines.bits import count, highest, lowest, member
from engines.contract import RANDOM
from engines.diamonds.rules.actions import possible_victims
from engines.diamonds.rules.kernels import decide
from engines.diamonds.rules.scoring import beats
from engines.diamonds.rules.state import (
    BONUS,
    DIAMONDS,
    HEARTS,
    MAX_PASS,
    MIN_PASS,
    OVER,
    PASS,
    PASS_COUNT,
    PLAY,
    SPADES,
    STATE,
    SUITS,
    VICTIM,
    bit,
    side_of,
    suit_cards,
)
from engines.diamonds.rules.tricks import play_card, playable_cards
from engines.jit import Int, Record, Rng, Row, entry, inlined_rule, rule
from engines.rng import below, borrowed

EXPLORE = 8
"""One informed decision in this many is random, so that no line is ruled out."""
LAST_TRICKS = 3
"""A seat without a trick plays for the bonus once it holds no more cards than this."""

DIAMONDS_WORTH, HEARTS_WORTH, SPADES_WORTH, CLUBS_WORTH = 8, 4, 5, 6
"""What an action is worth to its player, in quarters of a point, if it has an effect."""
HIGHER_CARDS = (8, 5, 3, 2, 1)
"""Chance, in eighths, that a card wins a trick it leads, by how many higher ones are unseen."""
LOW_LEAD_COST = 3
"""What leading low costs: this many eighths of the action that another seat wins."""


@rule
def pick(members: Int, rng: Rng) -> Int:
    """A uniformly random member of a set that is not empty."""
    return member(members, below(rng, count(members)))


@rule
def pick_some(members: Int, size: Int, rng: Rng) -> Int:
    """A uniformly random subset of a set that has at least ``size`` members."""
    chosen = 0
    for _ in range(size):
        chosen |= bit(pick(members ^ chosen, rng))
    return chosen


@inlined_rule
def random_decision(s: Record, rng: Rng) -> Int:
    """A uniformly random legal move of any phase but PLAY."""
    if s.phase == VICTIM:
        return pick(possible_victims(s, side_of(s, s.turn)), rng)
    if s.phase == PASS:
        return pick_some(s.hands[s.turn], s.pass_count, rng)
    if s.phase == PASS_COUNT:
        return MIN_PASS + below(rng, MAX_PASS - MIN_PASS + 1)
    return below(rng, SUITS)


# ---------------------------------------------------------------------------- rules of thumb


@rule
def worth_of_action(s: Record, suit: Int) -> Int:
    """What an action is worth to the seat to move."""
    if suit == DIAMONDS:
        return DIAMONDS_WORTH
    if suit == HEARTS:
        return HEARTS_WORTH
    side = side_of(s, s.turn)
    if suit == SPADES:
        return SPADES_WORTH if s.showrooms[side] > 0 else 0
    return CLUBS_WORTH if possible_victims(s, side) != 0 else 0


@rule
def plays_for_bonus(s: Record) -> bool:
    """Whether the seat to move had better go without a trick to the end of the round."""
    return s.captured[s.turn] == 0 and count(s.hands[s.turn]) <= LAST_TRICKS


@rule
def unseen_cards(s: Record) -> Int:
    """All cards but those played and the hand of the seat to move; others' hands are not read."""
    seen = s.trick | s.hands[s.turn]
    for seat in range(s.seats):
        seen |= s.captured[seat]
    return ~seen


@rule
def informed_lead(s: Record) -> Int:
    """The highest card of a suit if it is likely to win a good action, or the lowest one."""
    hand = s.hands[s.turn]
    unseen = unseen_cards(s)
    avoid = plays_for_bonus(s)
    best = -1
    best_worth = -1000
    for suit in range(SUITS):
        cards = hand & suit_cards(suit)
        if cards == 0:
            continue
        worth = worth_of_action(s, suit)
        top = highest(cards)
        above = count(unseen & suit_cards(suit) & -bit(top + 1))
        chance = HIGHER_CARDS[above] if above < len(HIGHER_CARDS) else 0
        low_worth = -LOW_LEAD_COST * worth - 2 * count(cards)
        high_worth = -100 if avoid else chance * worth - LOW_LEAD_COST * worth
        if high_worth > best_worth:
            best_worth = high_worth
            best = top
        if low_worth > best_worth:
            best_worth = low_worth
            best = lowest(cards)
    return best


@rule
def informed_follow(s: Record, following: Int) -> Int:
    """Wins as cheaply as it can if the action is worth it, else gets rid of a high card."""
    winning = following & -bit(s.best + 1)
    losing = following ^ winning
    partner_leads = side_of(s, s.best_seat) == side_of(s, s.turn)
    wanted = worth_of_action(s, s.led) > 0 and not plays_for_bonus(s) and not partner_leads
    if wanted and winning != 0:
        last = s.trick_size + 1 == s.trick_length
        return lowest(winning) if last else highest(winning)
    return highest(losing) if losing != 0 else lowest(following)


@rule
def informed_discard(s: Record) -> Int:
    """The lowest card of the suit whose action is worth most."""
    hand = s.hands[s.turn]
    best = -1
    best_worth = -1
    for suit in range(SUITS):
        cards = hand & suit_cards(suit)
        worth = worth_of_action(s, suit)
        if cards != 0 and worth > best_worth:
            best_worth = worth
            best = lowest(cards)
    return best


@rule
def informed_card(s: Record, rng: Rng) -> Int:
    """A card by the rules of thumb, now and then a random one."""
    playable = playable_cards(s)
    if playable & (playable - 1) == 0:
        return lowest(playable)
    if below(rng, EXPLORE) == 0:
        return pick(playable, rng)
    if s.trick_size == 0:
        return informed_lead(s)
    if playable & suit_cards(s.led) != 0:
        return informed_follow(s, playable)
    return informed_discard(s)


@rule
def leading_victim(s: Record) -> Int:
    """Of the possible victims the one that is ahead."""
    victims = possible_victims(s, side_of(s, s.turn))
    best = lowest(victims)
    for side in range(s.sides):
        if victims & bit(side) != 0 and beats(s, side, best):
            best = side
    return best


@rule
def informed_pass(s: Record, rng: Rng) -> Int:
    """Passes from the shortest suits but diamonds, to be free to play off the led suit."""
    hand = s.hands[s.turn]
    chosen = 0
    for _ in range(s.pass_count):
        shortest = hand & suit_cards(DIAMONDS)
        fewest = 100
        for suit in range(HEARTS, SUITS):
            cards = hand & suit_cards(suit)
            if cards != 0 and count(cards) < fewest:
                fewest = count(cards)
                shortest = cards
        card = bit(pick(shortest, rng))
        hand ^= card
        chosen |= card
    return chosen


@rule
def informed_decision(s: Record, rng: Rng) -> Int:
    """A move of any phase but PLAY by the rules of thumb, now and then a random one."""
    if below(rng, EXPLORE) == 0:
        return random_decision(s, rng)
    if s.phase == VICTIM:
        return leading_victim(s)
    if s.phase == PASS:
        return informed_pass(s, rng)
    if s.phase == BONUS:
        return DIAMONDS
    return random_decision(s, rng)


# --------------------------------------------------------------------------------- the contract


@entry(contract.POLICY_MOVE)
def policy_move(row: Row, rng: Rng) -> Int:
    """A legal move by the informed policy."""
    s = row.view(STATE)[0]
    return informed_card(s, rng) if s.phase == PLAY else informed_decision(s, rng)


@entry(contract.PLAYOUT)
def playout(row: Row, rng: Rng, policy: Int) -> Int:
    """Plays to the end or the horizon in place; returns the number of moves."""
    s = row.view(STATE)[0]
    draw = borrowed(rng)
    moves = 0
    while s.phase != OVER:
        if s.phase == PLAY:
            if policy == RANDOM:
                card = pick(playable_cards(s), draw)
            else:
                card = informed_card(s, draw)
            play_card(s, card, None)
        else:
            if policy == RANDOM:
                move = random_decision(s, draw)
            else:
                move = informed_decision(s, draw)
            decide(s, move, None)
        moves += 1
    return moves
