"""The special cards of Diam's (section 3.3)."""

from __future__ import annotations

from engines.diams.rules.deposits import list_special_deposits
from engines.diams.rules.market import place, take, take_kind
from engines.diams.rules.moves import DRILL, SHOPLIFT, sale_move
from engines.diams.rules.notes import (
    DRILL_STARTED,
    FOUND,
    MISSED,
    OFFERED,
    SALE_STARTED,
    SHOPLIFTED,
    SOLD,
    reveal,
    tell,
    tell_of,
)
from engines.diams.rules.options import TO_SAFE
from engines.diams.rules.state import (
    CLOSING_CARD,
    DIAMONDS,
    MAX_SEATS,
    NAME,
    OFFER,
    SPECIALS,
    X1,
    X2,
    X3,
    diamonds_of,
    in_kind,
    kind_of,
    size_of,
)
from engines.diams.rules.turns import end_play
from engines.jit import Int, Ints, Log, Record, rule


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
