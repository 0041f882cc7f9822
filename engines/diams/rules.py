"""The rules of Diam's, compiled. Section numbers are those of docs/rules/diams.md.

A card is a number: ``2 * kind`` for a pure and ``2 * kind + 1`` for an ordinary diamond of kind 0
to 9 (whose digit is one more), 20 to 22 for the specials X1 to X3, 23 for the closing card. Hands,
safes and the market are counts by card, so equal cards are not told apart and every position has
one record only.

A decision that a player makes in steps is asked in steps: which cards make up a sum, what a forced
sale offers, what a drill looks for, and which cards go over the hand limit.
"""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.contract import GAME_OVER, SCORE, UTILITY, WIN_SHARE, record_dtype
from engines.diams import options
from engines.diams.tables import COPIES, KINDS
from engines.events import emit
from engines.jit import Floats, Int, Ints, Log, Record, Row, entry, rule
from engines.rng import below, mix, shuffle
from engines.utility import blend

MAX_SEATS = 5
DIAMONDS = 2 * KINDS
X1, X2, X3 = range(DIAMONDS, DIAMONDS + 3)
SPECIALS = 3
CARDS = DIAMONDS + SPECIALS
CLOSING_CARD = CARDS
PILE_SIZE = KINDS * COPIES + SPECIALS + 1
DEALT = 3
"""Cards dealt to a seat, and cards turned for the first market (section 2)."""
SET_SIZE = 3
MAX_HAND = options.MAX_HAND_LIMIT + 1
ROUNDS = 3
BEST_CHIPS = 4
PURITY_BONUS = 5
HAND_BONUS = 3

DRAW, PLAY, TAKE, OFFER, NAME, LIMIT, OVER = range(1, 8)
"""Phases, as DiamsPhase numbers them (section 3). OVER is also the phase of a sample that has
reached its horizon."""

(
    DRAW_MOVE,
    NO_PLAY,
    VISIT,
    DEPOSIT,
    SALE,
    DRILL,
    SPECIAL_DEPOSIT,
    SHOPLIFT,
    TAKE_CARD,
    OFFER_CARD,
    NAME_CARD,
    GIVE_UP,
) = (np.int64(n) << np.int64(54) for n in range(12))
"""Sorts of moves. To these is added: a draw; nothing; card and mode of a visit (see
``visit_move``); the number and the set of cards; special and opponent (see ``sale_move``); an
opponent; the number and the set of cards; a card in all others."""
MOVE_SHIFT = 54
COUNT_SHIFT = 50
"""A deposit holds its number of cards above its set, so that deposits which the others can't tell
apart stand together."""
ARGUMENT = (1 << MOVE_SHIFT) - 1
SET_MASK = (1 << COUNT_SHIFT) - 1
KIND_BITS = 5
"""A set of diamonds has 5 bits for each kind: six times its pure ones plus its ordinary ones."""
PURE_UNIT = COPIES + 1

DRAW_HAND, DRAW_MARKET = 0, 1
SAME_KIND, SUM, NOTHING = 0, 1, 2
"""Modes of a visit (section 3.1)."""
MODES = 3

MAX_MOVES = 1024
"""9 cards have at most 512 sets to deposit; visits and special cards add at most 400."""
NOTES_PER_TURN = 17
"""A turn tells at most: whose it is, a draw, a placed card, 7 taken and 7 given up; a forced sale
or a deposit tells less."""
MAX_NOTES = 800
"""At most 45 draws in a round of 2 seats, and the last turn."""
MAX_GAME_MOVES = ROUNDS * 46 * (NOTES_PER_TURN - 1)
MARGIN_SCALE = 10.0
"""Margin in points of a round that counts as a clear win."""

QUICK = options.QUICK
DISCARD = options.DISCARD
TO_MARKET = options.TO_MARKET
ONE_KIND = options.ONE_KIND
TO_HAND, TO_SAFE = options.TO_HAND, options.TO_SAFE
WORST_RANK = options.WORST_RANK

TURN_OF = 0
DREW = TURN_OF + MAX_SEATS
PLACED = DREW + 1
TAKEN = PLACED + DIAMONDS
OFFERED = TAKEN + DIAMONDS
SOLD = OFFERED + DIAMONDS
STORED = SOLD + DIAMONDS
GIVEN_UP = STORED + DIAMONDS
FOUND = GIVEN_UP + CARDS
MISSED = FOUND + DIAMONDS
DEPOSITED = MISSED + DIAMONDS
SPECIAL_DEPOSITED = DEPOSITED + MAX_HAND + 1
SALE_STARTED = SPECIAL_DEPOSITED + MAX_HAND + 1
DRILL_STARTED = SALE_STARTED + SPECIALS * MAX_SEATS
SHOPLIFTED = DRILL_STARTED + MAX_SEATS
NOTHING_PLAYED = SHOPLIFTED + 1
"""Notes: what everybody saw of a hand or a safe, a byte each. To these is added: the seat; nothing;
a card (seven times); a card and its like for drills; a number of cards (twice); special and
opponent; the opponent; nothing; bits for an empty market (2) and empty safes of all others (1).
STORED tells the cards of a deposit into an open safe, after their number."""
TURNED, CLOSING, ROUND_STARTED, ROUND_SCORED = range(256, 260)
"""Kinds of log entries that are no notes. Those of notes are the notes themselves. a: the card;
nothing; the round (twice)."""

OPTION_FIELDS = [(spec.name, np.int8) for spec in options.OPTIONS]
PUBLIC_FIELDS = [
    *OPTION_FIELDS,
    ("collection_values", np.uint8, (KINDS, COPIES - SET_SIZE + 1)),
    ("pure_copies", np.uint8, (KINDS,)),
    ("points", np.int16, (ROUNDS, MAX_SEATS)),
    ("seats", np.int8),
    ("turn", np.int8),
    ("starter", np.int8),
    ("round_number", np.int8),
    ("phase", np.int8),
    ("closed", np.int8),
    ("closer", np.int8),
    ("deck_size", np.int8),
    ("placed", np.int8),
    ("missing", np.int8),
    ("last_card", np.int8),
    ("opponent", np.int8),
    ("market", np.uint8, (DIAMONDS,)),
    ("removed", np.uint8, (CARDS,)),
    ("notes_size", np.int16),
    ("notes", np.uint8, (MAX_NOTES,)),
    ("noted_turn", np.int8),
]
"""What everybody knows. ``points`` of finished rounds. ``closer``: during whose turn the closing
card came up. ``placed``, ``missing``, ``last_card`` and ``opponent`` tell a decision made in part:
see ``start_sum``, ``start_sale``, ``start_drill`` and ``end_play``; 0 otherwise. ``notes`` are
those of this round, ``noted_turn`` the seat that the last one is about, plus one."""

STATE = record_dtype(
    [
        *PUBLIC_FIELDS,
        ("hands", np.uint8, (MAX_SEATS, CARDS)),
        ("safes", np.uint8, (MAX_SEATS, DIAMONDS)),
        ("deck", np.uint8, (PILE_SIZE,)),
        ("random_state", np.uint64, (1,)),
        ("turned", np.int64),
        ("drawn", np.int8),
        ("drawer", np.int8),
        ("horizon", np.int8),
    ]
)
"""The full state. The next card of the pile is deck[deck_size - 1]. ``random_state`` is the
generator of the deals to come. ``turned`` is a hash of what the last move revealed to everybody,
``drawn`` the card, plus one, that it gave to the hand of ``drawer``. A sample ends after round
``horizon``; 0 in the state of a table."""
PUBLIC_BYTES = STATE.fields["hands"][1] if STATE.fields else 0
"""States and views start with the public fields."""
TRANSIENT_FIELDS = ("turned", "drawn", "drawer", "horizon")


# --------------------------------------------------------------------------------------- cards


@rule
def kind_of(card: Int) -> Int:
    """The kind of a diamond, 0 to 9."""
    return card >> 1


@rule
def digit_of(card: Int) -> Int:
    """The purchasing digit of a diamond, 1 to 10."""
    return (card >> 1) + 1


@rule
def copies_of(s: Record, card: Int) -> Int:
    """How many equal cards the pile has (section 1)."""
    if card >= DIAMONDS:
        return np.int64(1)
    pure = np.int64(s.pure_copies[card >> 1])
    return COPIES - pure if card & 1 else pure


@rule
def in_kind(cards: Row, kind: Int) -> Int:
    """How many diamonds of a kind there are, pure or not."""
    return np.int64(cards[2 * kind]) + np.int64(cards[2 * kind + 1])


@rule
def size_of(cards: Row) -> Int:
    """How many cards there are."""
    size = np.int64(0)
    for card in range(len(cards)):
        size += cards[card]
    return size


@rule
def diamonds_of(cards: Row) -> Int:
    """How many diamonds there are."""
    size = np.int64(0)
    for card in range(DIAMONDS):
        size += cards[card]
    return size


@rule
def rounds_of(s: Record) -> Int:
    """Rounds of the game (section 5)."""
    return np.int64(1) if s.rounds == QUICK else np.int64(ROUNDS)


# --------------------------------------------------------------------------------------- moves


@rule
def visit_move(card: Int, mode: Int) -> Int:
    """Placing a card and what is taken back."""
    return VISIT + card * MODES + mode


@rule
def sale_move(special: Int, opponent: Int) -> Int:
    """A forced sale with special 0 to 2 (X1 to X3)."""
    return SALE + special * MAX_SEATS + opponent


@rule
def sort_of(move: Int) -> Int:
    """What sort of move it is, such as VISIT."""
    return move >> MOVE_SHIFT << MOVE_SHIFT


@rule
def argument_of(move: Int) -> Int:
    """What a move adds to its sort."""
    return move & ARGUMENT


@rule
def count_of(move: Int) -> Int:
    """How many cards a deposit has."""
    return (move & ARGUMENT) >> COUNT_SHIFT


@rule
def pure_in(cards: Int, kind: Int) -> Int:
    """Pure diamonds of a kind in a set."""
    return ((cards >> (KIND_BITS * kind)) & 31) // PURE_UNIT


@rule
def ordinary_in(cards: Int, kind: Int) -> Int:
    """Ordinary diamonds of a kind in a set."""
    return ((cards >> (KIND_BITS * kind)) & 31) % PURE_UNIT


@rule
def set_of(kind: Int, pure: Int, ordinary: Int) -> Int:
    """The set of some diamonds of one kind, with their number above it."""
    cards = np.int64(PURE_UNIT * pure + ordinary) << np.int64(KIND_BITS * kind)
    return cards + (np.int64(pure + ordinary) << np.int64(COUNT_SHIFT))


# --------------------------------------------------------------------------- what everybody sees


@rule
def append_note(s: Record, code: Int) -> None:
    """Adds a note. The codec sees to it that there is room for all that can follow."""
    if s.notes_size < MAX_NOTES:
        s.notes[s.notes_size] = code
        s.notes_size += 1


@rule
def tell_of(s: Record, log: Log | None, seat: Int, code: Int) -> None:
    """Tells everybody something about a seat's hand or safe, and keeps it among the notes."""
    if s.noted_turn != s.turn + 1:
        append_note(s, TURN_OF + s.turn)
        s.noted_turn = s.turn + 1
    append_note(s, code)
    emit(log, code, seat, 0, 0)


@rule
def tell(s: Record, log: Log | None, code: Int) -> None:
    """Tells everybody what the seat to move did."""
    tell_of(s, log, s.turn, code)


@rule
def reveal(s: Record, what: Int) -> None:
    """Notes for outcome_key that everybody saw something that was hidden."""
    s.turned = mix(s.turned, what + 1)


# ------------------------------------------------------------------------------- pile and market


@rule
def close(s: Record, log: Log | None) -> None:
    """The closing card comes up (section 3.4)."""
    s.closed = 1
    s.closer = s.turn
    emit(log, CLOSING, s.turn, 0, 0)


@rule
def pop(s: Record) -> Int:
    """Takes the top card off the pile."""
    s.deck_size -= 1
    card = np.int64(s.deck[s.deck_size])
    s.deck[s.deck_size] = 0
    return card


@rule
def turn_for_market(s: Record, log: Log | None) -> bool:
    """Turns a card into the market; False if the closing card came up.

    A special leaves the game, and the next card is turned in its place (sections 2 and 10.8).
    """
    while True:
        card = pop(s)
        reveal(s, card)
        if card == CLOSING_CARD:
            close(s, log)
            return False
        emit(log, TURNED, s.turn, card, 0)
        if card < DIAMONDS:
            s.market[card] += 1
            return True
        s.removed[card] += 1
        if s.special_in_market == DISCARD:
            return True


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
def take(s: Record, card: Int, log: Log | None) -> None:
    """One diamond from the market to the hand."""
    s.market[card] -= 1
    s.hands[s.turn, card] += 1
    tell(s, log, TAKEN + card)


@rule
def take_kind(s: Record, kind: Int, log: Log | None) -> None:
    """All market diamonds of a kind to the hand."""
    for card in range(2 * kind, 2 * kind + 2):
        for _ in range(s.market[card]):
            take(s, card, log)


# --------------------------------------------------------------------------------------- visits


@rule
def add_sums(sums: Int, card: Int, copies: Int) -> Int:
    """Adds what up to so many copies of a card make possible to a bit mask of possible sums."""
    for _ in range(copies):
        sums |= (sums << digit_of(card)) & 2047
    return sums


@rule
def sum_exists(market: Row, placed: Int) -> bool:
    """Whether market cards of other kinds add up to the placed card's digit (3.1, mode B)."""
    sums = np.int64(1)
    for card in range(2 * kind_of(placed)):  # the digits of other kinds are all above the sum
        sums = add_sums(sums, card, market[card])
    return (sums >> digit_of(placed)) & 1 == 1


@rule
def list_takes(s: Record, out: Ints, n: Int) -> Int:
    """Cards that can be taken next for a sum: in descending order, and so that it comes out."""
    sums = np.int64(1)
    for card in range(min(s.last_card + 1, 2 * kind_of(s.placed))):
        copies = np.int64(s.market[card])
        left = s.missing - digit_of(card)
        if copies == 0 or left < 0:
            continue
        sums = add_sums(sums, card, copies - 1)
        if (sums >> left) & 1:
            out[n] = TAKE_CARD + card
            n += 1
        sums = add_sums(sums, card, 1)
    return n


@rule
def start_sum(s: Record, placed: Int) -> None:
    """Mode B: the cards are taken one by one, each not above ``last_card``."""
    s.phase = TAKE
    s.placed = placed
    s.missing = digit_of(placed)
    s.last_card = DIAMONDS - 1


@rule
def take_for_sum(s: Record, card: Int, log: Log | None) -> None:
    """Takes the next card of a sum."""
    take(s, card, log)
    s.missing -= digit_of(card)
    s.last_card = card
    if s.missing == 0:
        end_play(s, log)


@rule
def place(s: Record, card: Int) -> None:
    """Puts a diamond of the hand face up into the market."""
    s.hands[s.turn, card] -= 1
    s.market[card] += 1


@rule
def visit(s: Record, card: Int, mode: Int, log: Log | None) -> None:
    """Places a card and takes back its kind, a sum, or nothing (section 3.1)."""
    place(s, card)
    tell(s, log, PLACED + card)
    if mode == SUM:
        start_sum(s, card)
        return
    if mode == SAME_KIND:
        take_kind(s, kind_of(card), log)
    end_play(s, log)


@rule
def list_visits(s: Record, out: Ints, n: Int) -> Int:
    """Every diamond in hand with every mode that is possible with it."""
    hand = s.hands[s.turn]
    for card in range(DIAMONDS):
        if hand[card] == 0:
            continue
        if in_kind(s.market, kind_of(card)) > 0:
            out[n] = visit_move(card, SAME_KIND)
            n += 1
        if sum_exists(s.market, card):
            out[n] = visit_move(card, SUM)
            n += 1
        out[n] = visit_move(card, NOTHING)
        n += 1
    return n


# ------------------------------------------------------------------------------------- deposits


@rule
def holds_set(cards: Row) -> bool:
    """Whether there are three or more diamonds of some kind."""
    for kind in range(KINDS):
        if in_kind(cards, kind) >= SET_SIZE:
            return True
    return False


@rule
def has_set(cards: Int) -> bool:
    """Whether some kind is three or more times in a set."""
    for kind in range(KINDS):
        if pure_in(cards, kind) + ordinary_in(cards, kind) >= SET_SIZE:
            return True
    return False


@rule
def sort_moves(out: Ints, start: Int, end: Int) -> None:
    """Sorts out[start:end] in ascending order."""
    for i in range(start + 1, end):
        move = out[i]
        j = i
        while j > start and out[j - 1] > move:
            out[j] = out[j - 1]
            j -= 1
        out[j] = move


@rule
def grow_sets(hand: Row, kind: Int, least: Int, out: Ints, start: Int, stop: Int, end: Int) -> Int:
    """Adds every choice of at least so many of a kind to each set of out[start:stop].

    Writes the new sets from out[end] on; returns the new end.
    """
    for i in range(start, stop):
        for pure in range(hand[2 * kind] + 1):
            for ordinary in range(hand[2 * kind + 1] + 1):
                if pure + ordinary >= least:
                    out[end] = out[i] + set_of(kind, pure, ordinary)
                    end += 1
    return end


@rule
def list_deposits(s: Record, out: Ints, n: Int) -> Int:
    """Sets with three or more of a kind; single cards only of kinds in the safe (section 3.2)."""
    hand = s.hands[s.turn]
    if not holds_set(hand):
        return n
    out[n] = DEPOSIT
    end = n + 1
    for kind in range(KINDS):
        least = 1 if in_kind(s.safes[s.turn], kind) > 0 else SET_SIZE
        if in_kind(hand, kind) >= least:
            end = grow_sets(hand, kind, least, out, n, end, end)
    kept = n
    for i in range(n, end):
        if has_set(out[i]):
            out[kept] = out[i]
            kept += 1
    sort_moves(out, n, kept)
    return kept


@rule
def list_special_deposits(s: Record, out: Ints, n: Int) -> Int:
    """Any diamonds of kinds that are in the safe, with X2 (section 3.3, C)."""
    hand = s.hands[s.turn]
    out[n] = SPECIAL_DEPOSIT
    end = n + 1
    for kind in range(KINDS):
        if in_kind(s.safes[s.turn], kind) > 0:
            stop = n + 1 if s.special_deposit_scope == ONE_KIND else end
            end = grow_sets(hand, kind, 1, out, n, stop, end)
    end -= 1
    out[n] = out[end]
    sort_moves(out, n, end)
    return end


@rule
def deposit(s: Record, move: Int, code: Int, log: Log | None) -> None:
    """Puts the set of a move into the safe; the others see its cards only if the safe lies open."""
    tell(s, log, code + count_of(move))
    for card in range(DIAMONDS):
        kind = kind_of(card)
        cards = ordinary_in(move, kind) if card & 1 else pure_in(move, kind)
        s.hands[s.turn, card] -= cards
        s.safes[s.turn, card] += cards
        if s.open_safes:
            for _ in range(cards):
                tell(s, log, STORED + card)
    end_play(s, log)


# ------------------------------------------------------------------------------- special cards


@rule
def play_special(s: Record, special: Int) -> None:
    """A special card is shown and leaves the game (section 3.3)."""
    s.hands[s.turn, special] -= 1
    s.removed[special] += 1


@rule
def list_specials(s: Record, out: Ints, n: Int) -> Int:
    """Every use of the special cards in hand."""
    hand = s.hands[s.turn]
    if diamonds_of(hand) > 0:
        for special in range(SPECIALS):
            if hand[X1 + special] > 0:
                for opponent in range(s.seats):
                    if opponent != s.turn:
                        out[n] = sale_move(special, opponent)
                        n += 1
    if hand[X1] > 0:
        for opponent in range(s.seats):
            if opponent != s.turn and size_of(s.safes[opponent]) > 0:
                out[n] = DRILL + opponent
                n += 1
    if hand[X2] > 0:
        n = list_special_deposits(s, out, n)
    if hand[X3] > 0:
        for card in range(DIAMONDS):
            if s.market[card] > 0:
                out[n] = SHOPLIFT + card
                n += 1
    return n


@rule
def start_sale(s: Record, special: Int, opponent: Int, log: Log | None) -> None:
    """Power A: names whose hand is searched; what is offered comes next."""
    tell(s, log, SALE_STARTED + special * MAX_SEATS + opponent)
    play_special(s, X1 + special)
    s.phase = OFFER
    s.opponent = opponent


@rule
def forced_sale(s: Record, card: Int, log: Log | None) -> None:
    """The opponent puts its diamonds of the kind into the market, and all of the kind are taken.

    If it has none, the offered diamond stays in the market and nothing is taken.
    """
    place(s, card)
    tell(s, log, OFFERED + card)
    kind = kind_of(card)
    found = in_kind(s.hands[s.opponent], kind)
    for sold in range(2 * kind, 2 * kind + 2):
        for _ in range(s.hands[s.opponent, sold]):
            s.hands[s.opponent, sold] -= 1
            s.market[sold] += 1
            reveal(s, sold)
            tell_of(s, log, s.opponent, SOLD + sold)
    if found > 0:
        take_kind(s, kind, log)
    else:
        reveal(s, CLOSING_CARD)
    end_play(s, log)


@rule
def start_drill(s: Record, opponent: Int, log: Log | None) -> None:
    """Power B: names whose safe is drilled; what for comes next."""
    tell(s, log, DRILL_STARTED + opponent)
    play_special(s, X1)
    s.phase = NAME
    s.opponent = opponent


@rule
def drill(s: Record, card: Int, log: Log | None) -> None:
    """One such diamond is handed over if the safe holds it; otherwise nothing happens."""
    found = s.safes[s.opponent, card] > 0
    reveal(s, card if found else CLOSING_CARD)
    if found:
        s.safes[s.opponent, card] -= 1
        if s.drill_to == TO_SAFE:
            s.safes[s.turn, card] += 1
        else:
            s.hands[s.turn, card] += 1
        tell(s, log, FOUND + card)
    else:
        tell(s, log, MISSED + card)
    end_play(s, log)


@rule
def shoplift(s: Record, card: Int, log: Log | None) -> None:
    """Power D: any one diamond of the market."""
    tell(s, log, SHOPLIFTED)
    play_special(s, X3)
    take(s, card, log)
    end_play(s, log)


@rule
def no_play(s: Record, log: Log | None) -> None:
    """None of the three is possible (section 3)."""
    others_empty = True
    for seat in range(s.seats):
        others_empty &= seat == s.turn or size_of(s.safes[seat]) == 0
    market_empty = size_of(s.market) == 0
    tell(s, log, NOTHING_PLAYED + 2 * market_empty + others_empty)
    end_play(s, log)


# --------------------------------------------------------------------------------------- turns


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


# ------------------------------------------------------------------------------------- scoring


@rule
def collection_points(s: Record, seat: Int) -> Int:
    """Points of the kinds with three or more diamonds in the safe (section 4)."""
    points = np.int64(0)
    for kind in range(KINDS):
        diamonds = in_kind(s.safes[seat], kind)
        if diamonds >= SET_SIZE:
            points += s.collection_values[kind, diamonds - SET_SIZE]
    return points


@rule
def magnifiers(s: Record, seat: Int) -> Int:
    """Pure diamonds in the safe."""
    pure = np.int64(0)
    for kind in range(KINDS):
        pure += s.safes[seat, 2 * kind]
    return pure


@rule
def hand_sum(s: Record, seat: Int) -> Int:
    """Digits of the diamonds left in hand; specials count nothing."""
    total = np.int64(0)
    for card in range(DIAMONDS):
        total += digit_of(card) * s.hands[seat, card]
    return total


@rule
def purity_points(s: Record, seat: Int) -> Int:
    """The bonus for most magnifiers (section 4)."""
    own = magnifiers(s, seat)
    if own == 0:
        return np.int64(0)
    tied = False
    for other in range(s.seats):
        if other != seat:
            theirs = magnifiers(s, other)
            if theirs > own:
                return np.int64(0)
            tied |= theirs == own
    return np.int64(s.purity_tie) if tied else np.int64(PURITY_BONUS)


@rule
def hand_points(s: Record, seat: Int) -> Int:
    """The bonus for the highest hand sum (section 4)."""
    own = hand_sum(s, seat)
    tied = False
    for other in range(s.seats):
        if other != seat:
            theirs = hand_sum(s, other)
            if theirs > own:
                return np.int64(0)
            tied |= theirs == own
    return np.int64(s.hand_bonus_tie) if tied else np.int64(HAND_BONUS)


@rule
def round_points(s: Record, seat: Int) -> Int:
    """Points of a seat at the end of a round, bonuses included (section 4)."""
    return collection_points(s, seat) + purity_points(s, seat) + hand_points(s, seat)


@rule
def chips_of_round(s: Record, number: Int, seat: Int) -> Int:
    """Victory chips of a finished round: 4, 3, 2, 1, 0 by rank (section 5)."""
    own = s.points[number, seat]
    rank = 0
    for other in range(s.seats):
        if s.points[number, other] > own or (
            s.chip_ties == WORST_RANK and other != seat and s.points[number, other] == own
        ):
            rank += 1
    return np.int64(BEST_CHIPS - rank)


@rule
def finished_rounds(s: Record) -> Int:
    """How many rounds have been scored."""
    return np.int64(s.round_number) - (0 if s.phase == OVER else 1)


@rule
def score_of(s: Record, seat: Int) -> Int:
    """Victory chips so far; in a quick game the points of the round."""
    if s.rounds == QUICK:
        return np.int64(s.points[0, seat])
    chips = np.int64(0)
    for number in range(finished_rounds(s)):
        chips += chips_of_round(s, number, seat)
    return chips


@rule
def end_round(s: Record, log: Log | None) -> None:
    """Scores the round; deals the next, unless the game or the sample is over."""
    for seat in range(s.seats):
        s.points[s.round_number - 1, seat] = round_points(s, seat)
    emit(log, ROUND_SCORED, s.turn, s.round_number, 0)
    if s.round_number == rounds_of(s) or s.round_number == s.horizon:
        s.phase = OVER
    else:
        s.round_number += 1
        s.starter = (s.starter + 1) % s.seats
        deal_round(s, log)


# -------------------------------------------------------------------------------------- dealing


@rule
def build_pile(s: Record) -> None:
    """Shuffles the pile, and the closing card into its bottom (sections 2.1 and 2.2)."""
    size = 0
    for card in range(CARDS):
        for _ in range(copies_of(s, card)):
            s.deck[size] = card
            size += 1
    shuffle(s.random_state, s.deck, size)
    position = below(s.random_state, s.closing_window + 1)
    s.deck[size] = s.deck[position]
    s.deck[position] = CLOSING_CARD
    s.deck_size = size + 1


@rule
def deal_round(s: Record, log: Log | None) -> None:
    """A new round: the starter, round number and generator are set (section 2)."""
    s.turn = s.starter
    s.closed = 0
    s.closer = 0
    s.market[:] = 0
    s.removed[:] = 0
    s.hands[:] = 0
    s.safes[:] = 0
    s.notes[:] = 0
    s.notes_size = 0
    s.noted_turn = 0
    build_pile(s)
    emit(log, ROUND_STARTED, s.starter, s.round_number, 0)
    for _ in range(DEALT):
        for seat in range(s.seats):
            s.hands[seat, pop(s)] += 1
    for _ in range(DEALT):
        turn_for_market(s, log)
    s.phase = DRAW


@entry(contract.APPLY_MOVE)
def start_game(row: Row, seats: Int, log: Log) -> None:
    """Deals the first round into a row that has its options, tables and generator."""
    s = row.view(STATE)[0]
    s.seats = seats
    s.round_number = 1
    s.starter = below(s.random_state, seats)
    deal_round(s, log)
    s.turned = 0


# ------------------------------------------------------------------------------------ contract


@entry(contract.SEAT_TO_MOVE)
def seat_to_move(row: Row) -> Int:
    """The seat that decides, or GAME_OVER."""
    s = row.view(STATE)[0]
    return np.int64(GAME_OVER) if s.phase == OVER else np.int64(s.turn)


@entry(contract.SEATS_TO_MOVE)
def seats_to_move(row: Row) -> Int:
    """Bit mask of the seats that may decide: one at a time."""
    s = row.view(STATE)[0]
    return np.int64(0) if s.phase == OVER else np.int64(1) << s.turn


@entry(contract.CLAIM_TURN)
def claim_turn(row: Row, seat: Int) -> Int:
    """Whether the seat is the one to move."""
    s = row.view(STATE)[0]
    return np.int64(1) if s.phase != OVER and s.turn == seat else np.int64(0)


@rule
def list_plays(s: Record, out: Ints) -> Int:
    """Visits, deposits and specials; NO_PLAY only if there are none (section 3)."""
    n = list_visits(s, out, np.int64(0))
    n = list_deposits(s, out, n)
    n = list_specials(s, out, n)
    if n == 0:
        out[0] = NO_PLAY
        n = 1
    return n


@rule
def list_cards(cards: Row, base: Int, out: Ints) -> Int:
    """A move for each diamond that is there."""
    n = np.int64(0)
    for card in range(DIAMONDS):
        if cards[card] > 0:
            out[n] = base + card
            n += 1
    return n


@rule
def list_moves(s: Record, out: Ints) -> Int:
    """The legal moves of the phase, ascending."""
    if s.phase == DRAW:
        out[0] = DRAW_MOVE + DRAW_HAND
        out[1] = DRAW_MOVE + DRAW_MARKET
        return np.int64(2)
    if s.phase == PLAY:
        return list_plays(s, out)
    if s.phase == TAKE:
        return list_takes(s, out, np.int64(0))
    if s.phase == OFFER:
        return list_cards(s.hands[s.turn], OFFER_CARD, out)
    if s.phase == NAME:
        for card in range(DIAMONDS):
            out[card] = NAME_CARD + card
        return np.int64(DIAMONDS)
    if s.phase == LIMIT:
        return list_give_ups(s, out, np.int64(0))
    return np.int64(0)


@entry(contract.LEGAL_MOVES)
def legal_moves(row: Row, out: Ints) -> Int:
    """The legal moves of the phase, ascending."""
    return list_moves(row.view(STATE)[0], out)


@rule
def play(s: Record, move: Int, log: Log | None) -> None:
    """Plays a legal move."""
    s.turned = 0
    s.drawn = 0
    s.drawer = 0
    sort = sort_of(move)
    argument = argument_of(move)
    if sort == DRAW_MOVE:
        draw(s, argument, log)
    elif sort == NO_PLAY:
        no_play(s, log)
    elif sort == VISIT:
        visit(s, argument // MODES, argument % MODES, log)
    elif sort == DEPOSIT:
        deposit(s, move, DEPOSITED, log)
    elif sort == SALE:
        start_sale(s, argument // MAX_SEATS, argument % MAX_SEATS, log)
    elif sort == DRILL:
        start_drill(s, argument, log)
    elif sort == SPECIAL_DEPOSIT:
        play_special(s, X2)
        deposit(s, move, SPECIAL_DEPOSITED, log)
    elif sort == SHOPLIFT:
        shoplift(s, argument, log)
    elif sort == TAKE_CARD:
        take_for_sum(s, argument, log)
    elif sort == OFFER_CARD:
        forced_sale(s, argument, log)
    elif sort == NAME_CARD:
        drill(s, argument, log)
    else:
        give_up(s, argument, log)


@entry(contract.APPLY_MOVE)
def apply_move(row: Row, move: Int, log: Log) -> None:
    """Plays a legal move in place."""
    play(row.view(STATE)[0], move, log)


@entry(contract.MOVE_KEY)
def move_key(row: Row, move: Int, observer: Int) -> Int:
    """Everything is done in the open, but for which diamonds others put into a closed safe."""
    s = row.view(STATE)[0]
    sort = sort_of(move)
    if (sort in (DEPOSIT, SPECIAL_DEPOSIT)) and observer != s.turn and not s.open_safes:
        return move & ~SET_MASK
    return move


@entry(contract.OUTCOME_KEY)
def outcome_key(row: Row, observer: Int) -> Int:
    """Cards turned, sold and drilled are seen by all; a card drawn to the hand by its owner."""
    s = row.view(STATE)[0]
    if s.drawn > 0 and s.drawer == observer:
        return mix(s.turned, s.drawn)
    return np.int64(s.turned)


# ------------------------------------------------------------------------------------- results


@rule
def victory_rank(s: Record, seat: Int) -> Int:
    """Compares results: chips, then points of the second round; in a quick game points alone."""
    score = score_of(s, seat)
    if s.rounds == QUICK:
        return score
    return (score << 16) + s.points[1, seat]


@rule
def share_victory(s: Record, out: Floats) -> None:
    """The winner, or those who share the victory (section 5)."""
    best = victory_rank(s, 0)
    sharers = 1
    for seat in range(1, s.seats):
        rank = victory_rank(s, seat)
        if rank > best:
            best = rank
            sharers = 1
        elif rank == best:
            sharers += 1
    for seat in range(s.seats):
        out[WIN_SHARE, seat] = 1.0 / sharers if victory_rank(s, seat) == best else 0.0


@rule
def chance_of_loss(seats: Int, rounds: Int, lost: Int) -> float:
    """Chance to end so many chips below the most that one or two more rounds can bring, if every
    rank is equally likely in each."""
    if lost < 0 or lost > rounds * (seats - 1):
        return 0.0
    if rounds == 1:
        return 1.0 / seats
    return (seats - abs(lost - (seats - 1))) / (seats * seats)


@rule
def chance_to_win(s: Record, seat: Int, lost: Int, rounds: Int, ties: float) -> float:
    """Chance that no other seat gets ahead of this one with so many chips lost. Equal chips count
    with the weight ``ties``."""
    chance = 1.0
    for other in range(s.seats):
        if other != seat:
            level = lost + score_of(s, other) - score_of(s, seat)
            chance_here = chance_of_loss(s.seats, rounds, level) * ties
            for more in range(max(level + 1, 0), rounds * (s.seats - 1) + 1):
                chance_here += chance_of_loss(s.seats, rounds, more)
            chance *= chance_here
    return chance


@rule
def expect_victory(s: Record, rounds: Int, out: Floats) -> None:
    """Expected shares with rounds left: ranks to come are taken as equally likely for every seat,
    and for each seat on its own.

    Of k seats with equal chips each wins 1/k, the integral of t**(k - 1) over [0, 1]. Three points
    of Gauss and Legendre give it exactly up to k = 6.
    """
    total = 0.0
    for seat in range(s.seats):
        share = 0.0
        for lost in range(rounds * (s.seats - 1) + 1):
            chance = chance_of_loss(s.seats, rounds, lost)
            share += chance * (
                5.0 * chance_to_win(s, seat, lost, rounds, 0.1127016653792583)
                + 8.0 * chance_to_win(s, seat, lost, rounds, 0.5)
                + 5.0 * chance_to_win(s, seat, lost, rounds, 0.8872983346207417)
            )
        out[WIN_SHARE, seat] = share / 18.0
        out[SCORE, seat] += rounds * (BEST_CHIPS - (s.seats - 1) / 2.0)
        total += share / 18.0
    for seat in range(s.seats):
        out[WIN_SHARE, seat] /= total


@rule
def margin_of(s: Record, seat: Int) -> float:
    """Points of the last scored round above the best other seat's."""
    number = max(finished_rounds(s) - 1, 0)
    best = np.int64(-1)
    for other in range(s.seats):
        if other != seat:
            best = max(best, np.int64(s.points[number, other]))
    return float(s.points[number, seat] - best)


@entry(contract.EVALUATE)
def evaluate(row: Row, out: Floats) -> None:
    """Scores, shares of the victory and utilities; expected ones at a horizon."""
    s = row.view(STATE)[0]
    for seat in range(s.seats):
        out[SCORE, seat] = score_of(s, seat)
    rounds_left = rounds_of(s) - finished_rounds(s)
    if s.phase == OVER and rounds_left > 0:
        expect_victory(s, rounds_left, out)
    else:
        share_victory(s, out)
    for seat in range(s.seats):
        out[UTILITY, seat] = blend(out[WIN_SHARE, seat], margin_of(s, seat), MARGIN_SCALE)
