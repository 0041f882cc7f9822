"""What holds at every ply of every game of Diamonds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from adamas.v1 import diamonds_pb2 as pb
from engines.diamonds.rules.state import STATE
from engines.events import new_log
from engines.jit import Row
from engines.registry import game
from tests.contract import play
from tests.contract.play import Setting, plies
from tests.engines.diamonds.positions import of_kind

GAME = game("diamonds")
SETTINGS = [setting for setting in play.settings() if setting.game is GAME] + [
    Setting(GAME, seats, "limited", (("supply", supply), *others))
    for seats in range(2, 7)
    for supply in (18, 40, 235)
    for others in ((), (("no_trick_bonus", pb.DIAMONDS_NO_TRICK_BONUS_TWO_ANY),))
]

games = given(st.sampled_from(SETTINGS), st.integers(0, 2**32))
few = settings(max_examples=40, deadline=None)


def positions(setting: Setting, seed: int) -> Iterator[tuple[Any, int]]:
    """The records of a random game's positions, and the moves played in them."""
    for row, move in plies(setting, seed):
        yield row.view(STATE)[0], move


def steps(setting: Setting, seed: int) -> Iterator[tuple[Row, Row, list[Any]]]:
    """The positions before and after each move of a random game, and its events."""
    for row, move in plies(setting, seed):
        if move >= 0:
            after, log = row.copy(), new_log()
            GAME.kernels.apply_move(after, move, log)
            yield row, after, list(GAME.codec.write_events(row, after, log))


def crystals(record: Any) -> int:
    return int(record.vaults.sum() + record.showrooms.sum())


def disjoint(masks: list[int]) -> bool:
    return (
        sum(mask.bit_count() for mask in masks)
        == int(np.bitwise_or.reduce(np.array([0, *masks]))).bit_count()
    )


@few
@games
def test_every_card_is_in_one_place(setting: Setting, seed: int) -> None:
    for s, _ in positions(setting, seed):
        seats = int(s.seats)
        ranks = (0, 0, 8, 9, 13, 15)[seats] if s.perfect else 15
        deck = sum(1 << 15 * suit + rank for suit in range(4) for rank in range(ranks))
        hands = [int(s.hands[seat]) for seat in range(seats)]
        plays = [1 << int(card) for card in s.plays[: s.played]]
        assert disjoint(hands + plays)
        everything = sum(hands) | sum(plays)
        assert everything & ~deck == 0
        aside = deck.bit_count() - everything.bit_count()
        assert aside == deck.bit_count() - seats * int(s.hand_size)
        assert aside == (0 if s.perfect else 60 - 10 * seats)
        captured = [int(s.captured[seat]) for seat in range(seats)]
        assert disjoint([*captured, int(s.trick)])
        assert sum(captured) + int(s.trick) == sum(plays)


@few
@games
def test_crystals_come_from_the_supply_and_go_nowhere(setting: Setting, seed: int) -> None:
    for s, _ in positions(setting, seed):
        assert s.vaults.min() >= 0
        assert s.showrooms.min() >= 0
        assert not s.vaults[s.sides :].any()
        assert not s.showrooms[s.sides :].any()
        if s.supply:
            assert s.supply_left >= 0
            assert crystals(s) + s.supply_left == s.supply
        else:
            assert s.supply_left == 0


@few
@games
def test_events_tell_of_every_crystal_that_moves(setting: Setting, seed: int) -> None:
    for before, after, events in steps(setting, seed):
        s, t = before.view(STATE)[0], after.view(STATE)[0]
        vaults, showrooms = s.vaults.astype(np.int64), s.showrooms.astype(np.int64)
        for action in of_kind(events, "suit_action"):
            if not action.moved:
                continue
            side = action.seat % int(s.sides)
            if action.suit == pb.DIAMONDS_SUIT_DIAMONDS:
                vaults[side] += 1
            elif action.suit == pb.DIAMONDS_SUIT_HEARTS:
                showrooms[side] += 1
            elif action.suit == pb.DIAMONDS_SUIT_SPADES:
                showrooms[side] -= 1
                vaults[side] += 1
            else:
                assert action.victim != side
                showrooms[action.victim] -= 1
                showrooms[side] += 1
        assert vaults.tolist() == t.vaults.tolist()
        assert showrooms.tolist() == t.showrooms.tolist()


@few
@games
def test_nobody_revokes_and_vaults_are_safe(setting: Setting, seed: int) -> None:
    for before, after, events in steps(setting, seed):
        s, t = before.view(STATE)[0], after.view(STATE)[0]
        assert np.all(t.vaults >= s.vaults)
        for event in of_kind(events, "card_played"):
            if s.trick_size > 0 and event.card.suit - 1 != s.led:
                assert int(s.hands[event.seat]) >> 15 * int(s.led) & 0x7FFF == 0


@few
@games
def test_everybody_passes_as_many_cards_as_it_gets(setting: Setting, seed: int) -> None:
    for before, after, events in steps(setting, seed):
        passed = of_kind(events, "cards_passed")
        if not passed:
            continue
        s, t = before.view(STATE)[0], after.view(STATE)[0]
        seats = int(s.seats)
        assert sorted(event.seat for event in passed) == list(range(seats))
        assert sorted(event.receiver for event in passed) == list(range(seats))
        for event in passed:
            given = int(t.passed[event.seat])
            assert given.bit_count() == event.count == s.pass_count
            assert given & ~int(s.hands[event.seat]) == 0
            assert given & ~int(t.hands[event.receiver]) == 0
        assert {int(t.hands[seat]).bit_count() for seat in range(seats)} == {int(s.hand_size)}


@few
@games
def test_a_victim_is_asked_for_only_if_there_is_a_choice(setting: Setting, seed: int) -> None:
    for row, move in plies(setting, seed):
        if move >= 0 and row.view(STATE)[0].phase == pb.DIAMONDS_PHASE_VICTIM:
            assert len(play.legal_moves(GAME, row)) > 1
