"""Positions of Diam's, written shortly.

Cards are written as in the rules: "7" is an ordinary diamond of kind 7, "7p" a pure one, X1 to X3
are the specials, C is the closing card. Several stand in one text: "7p 7 X2".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from adamas.v1 import diams_pb2 as pb
from tests.engines.wide import WidePosition

SPECIALS = ("X1", "X2", "X3")
DIAMONDS = tuple(f"{kind}{purity}" for kind in range(1, 11) for purity in ("p", ""))
COPIES = {name: 2 if name.endswith("p") else 3 for name in DIAMONDS} | dict.fromkeys(SPECIALS, 1)

DRAW, PLAY, TAKE, OFFER, NAME, LIMIT, OVER = range(1, 8)
DRAW_HAND = pb.DiamsMove(draw=pb.DIAMS_DRAW_HAND)
DRAW_MARKET = pb.DiamsMove(draw=pb.DIAMS_DRAW_MARKET)
NO_PLAY = pb.DiamsMove(no_play=pb.DiamsNoPlay())


def diamond(name: str) -> pb.DiamsDiamond:
    return pb.DiamsDiamond(kind=int(name.rstrip("p")), pure=name.endswith("p"))


def diamonds(names: str) -> list[pb.DiamsDiamond]:
    return [diamond(name) for name in names.split()]


def card(name: str) -> pb.DiamsCard:
    if name == "C":
        return pb.DiamsCard(closing=True)
    if name in SPECIALS:
        return pb.DiamsCard(special=pb.DiamsSpecial.ValueType(SPECIALS.index(name) + 1))
    return pb.DiamsCard(diamond=diamond(name))


def cards(names: str) -> list[pb.DiamsCard]:
    return [card(name) for name in names.split()]


def name_of(found: Any) -> str:
    """A diamond or card message, shortly."""
    if isinstance(found, pb.DiamsDiamond):
        return f"{found.kind}{'p' if found.pure else ''}"
    kind = found.WhichOneof("card")
    if kind == "diamond":
        return name_of(found.diamond)
    return SPECIALS[found.special - 1] if kind == "special" else "C"


def names(found: Iterable[Any]) -> Counter[str]:
    return Counter(map(name_of, found))


def these(text: str) -> Counter[str]:
    return Counter(text.split())


def market(state: Any) -> Counter[str]:
    return names(state.market)


def hand(state: pb.DiamsState, seat: int) -> Counter[str]:
    return names(state.hands[seat].cards)


def safe(state: pb.DiamsState, seat: int) -> Counter[str]:
    return names(state.safes[seat].diamonds)


# --------------------------------------------------------------------------------------- moves


def visit(placed: str, mode: int) -> pb.DiamsMove:
    return pb.DiamsMove(
        visit=pb.DiamsVisit(placed=diamond(placed), mode=pb.DiamsVisitMode.ValueType(mode))
    )


def same_kind(placed: str) -> pb.DiamsMove:
    return visit(placed, pb.DIAMS_VISIT_MODE_SAME_KIND)


def for_sum(placed: str) -> pb.DiamsMove:
    return visit(placed, pb.DIAMS_VISIT_MODE_SUM)


def for_nothing(placed: str) -> pb.DiamsMove:
    return visit(placed, pb.DIAMS_VISIT_MODE_NOTHING)


def take(name: str) -> pb.DiamsMove:
    return pb.DiamsMove(take=diamond(name))


def _in_order(text: str) -> list[pb.DiamsDiamond]:
    """Diamonds in the order in which moves list them: by kind, pure ones first."""
    return sorted(diamonds(text), key=lambda d: (d.kind, not d.pure))


def deposit(text: str) -> pb.DiamsMove:
    return pb.DiamsMove(deposit=pb.DiamsSafe(diamonds=_in_order(text)))


def special_deposit(text: str) -> pb.DiamsMove:
    return pb.DiamsMove(special_deposit=pb.DiamsSpecialDeposit(diamonds=_in_order(text)))


def sale(special: str, opponent: int) -> pb.DiamsMove:
    number = pb.DiamsSpecial.ValueType(SPECIALS.index(special) + 1)
    return pb.DiamsMove(sale=pb.DiamsSale(special=number, opponent=opponent))


def offer(name: str) -> pb.DiamsMove:
    return pb.DiamsMove(offer=diamond(name))


def drill(opponent: int) -> pb.DiamsMove:
    return pb.DiamsMove(drill=opponent)


def look_for(name: str) -> pb.DiamsMove:
    return pb.DiamsMove(name=diamond(name))


def shoplift(name: str) -> pb.DiamsMove:
    return pb.DiamsMove(shoplift=diamond(name))


def give_up(name: str) -> pb.DiamsMove:
    return pb.DiamsMove(give_up=card(name))


def kinds_of(moves: Iterable[pb.DiamsMove]) -> set[str]:
    return {str(move.WhichOneof("move")) for move in moves}


# ------------------------------------------------------------------------------------- positions


def _deposits(stored: str) -> list[list[str]]:
    """Deposits that make up a safe: one for each kind."""
    kinds: dict[str, list[str]] = {}
    for name in stored.split():
        kinds.setdefault(name.rstrip("p"), []).append(name)
    assert all(len(kind) >= 3 for kind in kinds.values()), "not a safe without a drill"
    return list(kinds.values())


def _history(
    seat: int, hand_size: int, stored: str, rest: list[str], *, open_safes: bool
) -> list[pb.DiamsEvent]:
    """Some way in which a seat came to so many cards: draws, deposits, and cards given up."""
    surplus = hand_size + len(stored.split()) - 3
    events = [pb.DiamsEvent(card_drawn=pb.DiamsCardDrawn(seat=seat))] * max(surplus, 0)
    for _ in range(max(-surplus, 0)):
        gone = next(name for name in rest if name not in SPECIALS)
        rest.remove(gone)
        given_up = pb.DiamsCardGivenUp(seat=seat, card=card(gone))
        events.append(pb.DiamsEvent(card_given_up=given_up))
    for put_away in _deposits(stored):
        shown = diamonds(" ".join(put_away)) if open_safes else []
        deposited = pb.DiamsDeposited(seat=seat, count=len(put_away), diamonds=shown)
        events.append(pb.DiamsEvent(deposited=deposited))
    return events


def position(
    hands: Sequence[str],
    *,
    on_market: str = "",
    safes: Sequence[str] = (),
    pile: str = "C",
    phase: int = PLAY,
    turn: int = 0,
    closer: int | None = None,
    points: Sequence[Sequence[int]] = (),
    **options: Any,
) -> pb.DiamsState:
    """A position with these cards, the next card of the pile first. All others left the game.

    The history is one that leads to hands and safes of these sizes.
    """
    seats = len(hands)
    stored = list(safes) + [""] * (seats - len(safes))
    shown = Counter(" ".join([*hands, on_market, *stored, pile]).split())
    shown.pop("C", None)
    rest = Counter(COPIES)
    rest.subtract(shown)
    assert min(rest.values()) >= 0, "an example shows a card too often"
    left = list(rest.elements())
    state = pb.DiamsState(
        options=pb.DiamsOptions(**options),
        seats=seats,
        turn=turn,
        round=len(points) + 1,
        phase=pb.DiamsPhase.ValueType(phase),
        closer=closer,
        market=diamonds(on_market),
        removed=[card(name) for name in left],
        deck=cards(pile),
        finished_rounds=[pb.DiamsRoundPoints(points=row) for row in points],
    )
    for seat in range(seats):
        state.hands.add(cards=cards(hands[seat]))
        state.safes.add(diamonds=diamonds(stored[seat]))
        size = len(hands[seat].split())
        open_safes = bool(options.get("open_safes"))
        state.history.extend(_history(seat, size, stored[seat], left, open_safes=open_safes))
    return state


SMALL = " ".join(name for name in DIAMONDS[:18] for _ in range(COPIES[name]))
"""All diamonds of the kinds 1 to 9."""


def ways_to_sum(total: int, shown: str) -> int:
    """Ways to make up a total with cards that all count as different."""
    ways = [1] + [0] * total
    for name in shown.split():
        digit = int(name.rstrip("p"))
        for reached in range(total, digit - 1, -1):
            ways[reached] += ways[reached - digit]
    return ways[total]


def widest() -> WidePosition:
    """All small diamonds lie in the market, and every 10 in hand can buy each sum of them."""
    tens = "10p 10p 10 10 10"
    state = position([tens, "X1 X2 X3"], on_market=SMALL)
    ways = len(tens.split()) * ways_to_sum(10, SMALL)
    return WidePosition(state, seat=0, moves=10, combinations=ways)
