"""Positions of Diamonds from a few words, for tests.

Cards are written "D4", "H15", with D diamonds, H hearts, S spades, C clubs. A plan tells what
tricks have been played: "S0, C1 2H" is a trick of spades that seat 0 wins, then one of clubs that
seat 1 wins and to which seat 2 discards a heart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any

from adamas.v1 import diamonds_pb2 as pb
from tests.engines.wide import WidePosition
from tests.examples.referee import EngineReferee

INITIALS = "DHSC"
RANKS = {2: 8, 3: 9, 4: 13, 5: 15}
PERFECT_HANDS = {2: 16, 3: 12, 4: 13, 5: 12}


def card(text: str) -> pb.DiamondsCard:
    """One card."""
    suit = pb.DiamondsSuit.ValueType(INITIALS.index(text[0]) + 1)
    return pb.DiamondsCard(suit=suit, rank=int(text[1:]))


def cards(text: str) -> list[pb.DiamondsCard]:
    """Several cards."""
    return [card(word) for word in text.split()]


def words(found: Iterable[pb.DiamondsCard]) -> list[str]:
    """Cards as text."""
    return [f"{INITIALS[c.suit - 1]}{c.rank}" for c in found]


def number_of(found: pb.DiamondsCard) -> int:
    """A card's number in the engine."""
    return (found.suit - 1) * 15 + found.rank - 1


def lead(text: str) -> pb.DiamondsMove:
    """Playing a card."""
    return pb.DiamondsMove(play=card(text))


def victim(side: int) -> pb.DiamondsMove:
    """Choosing whom to take from."""
    return pb.DiamondsMove(victim=side)


def bonus(suit: str) -> pb.DiamondsMove:
    """Choosing an action."""
    return pb.DiamondsMove(bonus=pb.DiamondsSuit.ValueType(INITIALS.index(suit) + 1))


def pass_count(count: int) -> pb.DiamondsMove:
    """Choosing how many cards are passed."""
    return pb.DiamondsMove(pass_count=count)


def passing(text: str) -> pb.DiamondsMove:
    """Passing cards."""
    move = pb.DiamondsMove()
    getattr(move, "pass").cards.extend(cards(text))
    return move


@dataclass
class _Table:
    """Cards while a position is put together."""

    seats: int
    trick_length: int
    pool: dict[str, list[int]]
    hands: list[list[str]]
    played_by: list[list[str]]
    voids: list[set[str]]
    tricks: list[pb.DiamondsTrick] = field(default_factory=list)

    def play_trick(self, token: str, leader: int) -> int:
        """One trick of a plan; returns its winner."""
        won, *discards = token.split()
        led, winner = won[0], int(won[1:])
        discarded = {int(word[:-1]): word[-1] for word in discards}
        order = [(leader + i) % self.seats for i in range(self.trick_length)]
        best_place = max(place for place, seat in enumerate(order) if seat == winner)
        ranks = [self.pool[led].pop(0) for seat in order if seat not in discarded]
        best, played = ranks.pop(), []
        for place, seat in enumerate(order):
            suit = discarded.get(seat, led)
            if suit != led:
                self.voids[seat].add(led)
                rank = self.pool[suit].pop(0)
            else:
                rank = best if place == best_place else ranks.pop(0)
            played.append(f"{suit}{rank}")
            self.played_by[seat].append(played[-1])
        self.tricks.append(pb.DiamondsTrick(leader=leader, cards=map(card, played), winner=winner))
        return winner

    def take_back(self, count: int) -> None:
        """Takes the last cards of the last trick back into their hands."""
        trick = self.tricks[-1]
        for _ in range(count):
            (word,) = words([trick.cards.pop()])
            seat = (trick.leader + len(trick.cards)) % self.seats
            self.played_by[seat].remove(word)
            self.hands[seat].append(word)
        trick.ClearField("winner")

    def pad(self, seat: int, size: int, without: str) -> None:
        """Fills a hand up with the highest cards of the suits that are the most left of."""
        while len(self.hands[seat]) < size:
            suits = [s for s in INITIALS if s not in without and s not in self.voids[seat]]
            suit = max(suits, key=lambda s: len(self.pool[s]))
            self.hands[seat].append(f"{suit}{self.pool[suit].pop()}")


def position(
    seats: int,
    *,
    leader: int = 0,
    plan: str = "",
    unplayed: int = 0,
    hands: dict[int, str] | None = None,
    without: dict[int, str] | None = None,
    crystals: dict[int, str] | None = None,
    round_: int | None = None,
    supply_left: int = 0,
    thief: int = 0,
    over: bool = False,
    **options: Any,
) -> pb.DiamondsState:
    """A position in which cards are played.

    ``leader`` leads the first trick. ``unplayed``: how many cards of the plan's last trick are
    still to come. ``hands``: some hands; "..." fills them up, but not with the suits named in
    ``without``. ``crystals``: "showroom/vault" by side; otherwise 3/0 in round 1, 3/20 later.
    """
    hands = hands or {}
    perfect, teams = options.get("perfect", False), options.get("teams", False)
    ranks = RANKS[seats] if perfect else 15
    hand_size = PERFECT_HANDS[seats] if perfect else 10
    named = {word for text in hands.values() for word in text.split()}
    table = _Table(
        seats=seats,
        trick_length=4 if seats == 2 else seats,
        pool={
            suit: [rank for rank in range(1, ranks + 1) if f"{suit}{rank}" not in named]
            for suit in INITIALS
        },
        hands=[hands.get(seat, "...").split() for seat in range(seats)],
        played_by=[[] for _ in range(seats)],
        voids=[set() for _ in range(seats)],
    )
    turn = leader
    for token in filter(None, plan.split(", ")):
        turn = table.play_trick(token, turn)
    if unplayed:
        table.take_back(unplayed)
        trick = table.tricks[-1]
        turn = (trick.leader + len(trick.cards)) % seats
    for seat, hand in enumerate(table.hands):
        if "..." in hand:
            hand.remove("...")
            size = hand_size - len(table.played_by[seat])
            table.pad(seat, size, (without or {}).get(seat, ""))
    state = pb.DiamondsState(
        options=pb.DiamondsOptions(**options),
        seats=seats,
        dealer=(leader - 1) % seats,
        round=round_ or (3 if crystals else 1),
        phase=pb.DIAMONDS_PHASE_OVER if over else pb.DIAMONDS_PHASE_PLAY,
        turn=turn,
        pass_count=1,
        tricks=table.tricks,
        supply_left=supply_left,
        thief=thief,
        random_state=1,
    )
    sides = seats // 2 if teams else seats
    for side in range(sides):
        default = "3/0" if state.round == 1 else "3/20"
        showroom, vault = (crystals or {}).get(side, default).split("/")
        state.showrooms.append(int(showroom))
        state.vaults.append(int(vault))
    for seat in range(seats):
        receiver = (seat + (sides if teams else 1)) % seats
        state.hands.add(cards=map(card, table.hands[seat]))
        had = table.played_by[receiver] + table.hands[receiver]
        state.passed.add(cards=[card(had[0])])
    return state


def crystals_of(state: Any) -> list[str]:
    """Showroom and vault of every side, "3/0"."""
    return [f"{s}/{v}" for s, v in zip(state.showrooms, state.vaults, strict=True)]


def of_kind(events: Sequence[Any], kind: str) -> list[Any]:
    """The events of a kind."""
    return [getattr(event, kind) for event in events if event.WhichOneof("event") == kind]


def widest() -> WidePosition:
    """Both seats pass three cards of 16, at the same time."""
    referee = EngineReferee()
    cards_passed = 3
    dealt = referee.start(pb.DiamondsOptions(perfect=True), 2, seed=1)
    state = referee.apply(dealt, pass_count(cards_passed))
    passes = comb(PERFECT_HANDS[2], cards_passed)
    return WidePosition(state, seat=0, moves=passes, combinations=passes**state.seats)
