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


Turns = list[list[pb.DiamsEvent]]


class _Course:
    """Some way in which a seat came to so many cards: its turns, in a possible order.

    Its cards stay unknown to the others: what it takes from the market it places again.
    """

    def __init__(self, seat: int, held: str, limit: int) -> None:
        self.seat, self.size, self.limit = seat, 3, limit
        self.turns: Turns = []
        kinds = {name.rstrip("p") for name in held.split()}
        self._strange = [name for name in DIAMONDS if name.rstrip("p") not in kinds]
        self._placed: Counter[str] = Counter()
        self.drawn = pb.DiamsEvent(card_drawn=pb.DiamsCardDrawn(seat=seat))

    def placed(self, name: str) -> pb.DiamsEvent:
        return pb.DiamsEvent(card_placed=pb.DiamsCardPlaced(seat=self.seat, diamond=diamond(name)))

    def taken(self, name: str) -> pb.DiamsEvent:
        return pb.DiamsEvent(card_taken=pb.DiamsCardTaken(seat=self.seat, diamond=diamond(name)))

    def _other(self) -> str:
        """A diamond of a kind that the seat does not hold, which it had and placed."""
        name = min(self._strange, key=lambda name: self._placed[name] / COPIES[name])
        self._placed[name] += 1
        return name

    def wait(self) -> None:
        """A turn that leaves the number of cards."""
        self.turns.append([self.drawn, self.placed(self._other())])

    def shrink(self) -> None:
        """A turn without a draw to the hand: one card less."""
        self.turns.append([self.placed(self._other())])
        self.size -= 1

    def grow(self) -> None:
        """Turns after which there is one card more."""
        kind = self._other().rstrip("p")
        pure, ordinary = f"{kind}p", kind
        first = [self.drawn, self.placed(ordinary), self.taken(pure), self.taken(ordinary)]
        if self.size + 2 > self.limit:
            gone = pb.DiamsCardGivenUp(seat=self.seat, card=card(pure))
            self.turns.append([*first, pb.DiamsEvent(card_given_up=gone)])
            self.turns.append([self.drawn, self.placed(ordinary)])
        else:
            self.turns += [first, [self.drawn, self.placed(pure)], [self.placed(ordinary)]]
        self.size += 1

    def store(self, names: list[str], *, open_safes: bool) -> None:
        """Turns of which the last one puts diamonds into the safe."""
        while self.size + 1 < len(names):
            self.grow()
        shown = diamonds(" ".join(names)) if open_safes else []
        stored = pb.DiamsDeposited(seat=self.seat, count=len(names), diamonds=shown)
        self.turns.append([self.drawn, pb.DiamsEvent(deposited=stored)])
        self.size += 1 - len(names)

    def reach(self, size: int) -> None:
        """Turns after which there are so many cards."""
        while self.size < size:
            self.grow()
        while self.size > size:
            self.shrink()

    def finish(self, hand: list[str], size: int, *, draws: bool) -> None:
        """Turns to so many cards; without a draw the last one is made with the closing card out."""
        if draws:
            self.reach(size)
        elif size < self.limit:
            self.reach(size + 1)
            self.shrink()
        else:
            self.reach(size - 1)
            self.turns.append(self.begun(hand)[1:])

    def begun(self, hand: list[str]) -> list[pb.DiamsEvent]:
        """A turn that came to more cards than may be left, two of one kind with the last play."""
        kinds = [name.rstrip("p") for name in hand]
        kind = next(kind for kind in kinds if kinds.count(kind) > 1)
        pair = sorted((n for n in hand if n.rstrip("p") == kind), reverse=True)[:2]
        return [self.drawn, self.placed(pair[0]), *map(self.taken, pair)]


def _history(state: pb.DiamsState, stored: list[str], hands: Sequence[str]) -> list[pb.DiamsEvent]:
    """Some course of the round that leads to hands and safes of these sizes."""
    limit = state.options.hand_limit if state.options.HasField("hand_limit") else 5
    final: set[int] = set()
    if state.HasField("closer"):
        turns_after = (state.turn - state.closer) % state.seats
        final = {(state.closer + i) % state.seats for i in range(turns_after)}
    courses, current = [], []
    for seat, hand in enumerate(hands):
        course = _Course(seat, f"{hand} {stored[seat]}", limit)
        for names in _deposits(stored[seat]):
            course.store(names, open_safes=state.options.open_safes)
        size = len(hand.split())
        if seat == state.turn and state.phase == LIMIT:
            current = course.begun(hand.split())
            size -= 2
        elif size > limit:
            current = [course.drawn]
            size -= 1
        course.finish(hand.split(), size, draws=seat not in final)
        courses.append(course)
    rounds = max(len(course.turns) - (course.seat < state.turn) for course in courses)
    turns: Turns = []
    for course in courses:
        waiting = _Course(course.seat, f"{hands[course.seat]} {stored[course.seat]}", limit)
        while len(waiting.turns) + len(course.turns) < rounds + (course.seat < state.turn):
            waiting.wait()
        course.turns = waiting.turns + course.turns
    for number in range(rounds + 1):
        turns += [course.turns[number] for course in courses if number < len(course.turns)]
    return [event for turn in [*turns, current] for event in turn]


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
    state.history.extend(_history(state, stored, hands))
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
