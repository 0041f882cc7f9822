"""How a game of Diamonds is shown."""

import io

from rich.console import Console

from adamas import Event
from adamas.v1 import diamonds_pb2 as pb
from demo.tricks import TrickReport

D, H = pb.DIAMONDS_SUIT_DIAMONDS, pb.DIAMONDS_SUIT_HEARTS
S, C = pb.DIAMONDS_SUIT_SPADES, pb.DIAMONDS_SUIT_CLUBS
OFF_SUIT = pb.DIAMONDS_ACTION_REASON_OFF_SUIT
TRICK = pb.DIAMONDS_ACTION_REASON_TRICK
MAJORITY = pb.DIAMONDS_ACTION_REASON_MAJORITY
NO_TRICK = pb.DIAMONDS_ACTION_REASON_NO_TRICK


def played(seat: int, suit: pb.DiamondsSuit.ValueType, rank: int) -> pb.DiamondsEvent:
    card = pb.DiamondsCard(suit=suit, rank=rank)
    return pb.DiamondsEvent(card_played=pb.DiamondsCardPlayed(seat=seat, card=card))


def action(
    seat: int,
    suit: pb.DiamondsSuit.ValueType,
    reason: pb.DiamondsActionReason.ValueType,
    victim: int | None = None,
    moved: bool = True,
) -> pb.DiamondsEvent:
    return pb.DiamondsEvent(
        suit_action=pb.DiamondsSuitAction(
            seat=seat, suit=suit, reason=reason, moved=moved, victim=victim
        )
    )


def majority(suit: pb.DiamondsSuit.ValueType, *seats: int) -> pb.DiamondsEvent:
    return pb.DiamondsEvent(majority=pb.DiamondsMajority(suit=suit, seats=seats))


ROUND = [
    pb.DiamondsEvent(round_started=pb.DiamondsRoundStarted(round=1, dealer=0)),
    pb.DiamondsEvent(pass_count_chosen=pb.DiamondsPassCountChosen(seat=0, pass_count=2)),
    pb.DiamondsEvent(cards_passed=pb.DiamondsCardsPassed(seat=0, receiver=1, count=2)),
    played(1, D, 7),
    played(2, H, 3),
    action(2, H, OFF_SUIT),
    played(0, D, 13),
    pb.DiamondsEvent(trick_won=pb.DiamondsTrickWon(seat=0)),
    action(0, D, TRICK),
    played(0, C, 1),
    played(1, C, 15),
    played(2, S, 2),
    action(2, S, OFF_SUIT, moved=False),
    pb.DiamondsEvent(trick_won=pb.DiamondsTrickWon(seat=1)),
    action(1, C, TRICK, victim=2),
    majority(D, 0),
    action(0, D, MAJORITY),
    majority(H),
    action(2, D, NO_TRICK),
    action(2, D, NO_TRICK),
    pb.DiamondsEvent(
        round_scored=pb.DiamondsRoundScored(round=1, vaults=[2, 0, 2], showrooms=[3, 4, 3])
    ),
]


def shown(language: str) -> str:
    console = Console(file=io.StringIO(), width=78, highlight=False)
    report = TrickReport(console, language, seats=3)
    for event in ROUND:  # one at a time, as with a decision between any two of them
        report.show([Event(event, "")])
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def test_a_round() -> None:
    assert (
        shown("en")
        == """
Round 1: seat 0 deals
Seat 0 has everybody pass 2 to the left.

trick   seat 0   seat 1   seat 2   won by  actions (by seat)
    1      ♦13      ▸♦7       ♥3   seat 0  2: +1 showroom, 0: +1 vault
    2      ▸♣1      ♣15       ♠2   seat 1  2: ♠ in vain, 1: takes 1 from 2

most ♦ 0: +1 vault; most ♥ nobody; no trick 2: +1 vault ×2
           seat 0   seat 1   seat 2
───────────────────────────────────
vault           2        0        2
showroom        3        4        3
points          7        4        7"""
    )


def test_a_round_in_chinese() -> None:
    text = shown("zh-TW")
    assert "2：展示間多 1、0：金庫多 1" in text
    assert "吃到最多 ♦ 0：金庫多 1" in text
