"""Moves, events and reasons of Diam's in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adamas.v1 import diams_pb2 as pb
from engines.contract import CandidateFigures
from engines.diams.codec import DiamsCodec
from engines.diams.words import DiamsWords
from engines.violations import Report
from tests.engines.diams.positions import (
    DRAW,
    DRAW_HAND,
    DRAW_MARKET,
    LIMIT,
    NAME,
    NO_PLAY,
    OFFER,
    deposit,
    drill,
    for_nothing,
    for_sum,
    give_up,
    look_for,
    offer,
    position,
    sale,
    same_kind,
    shoplift,
    special_deposit,
    take,
)
from tests.examples.referee import EngineReferee

CODEC = DiamsCodec()
WORDS = DiamsWords()
REFEREE = EngineReferee()


def row_of(state: pb.DiamsState) -> np.ndarray:
    report = Report()
    row = CODEC.read_state(state, "state", report)
    report.raise_if_any()
    return row


def said(state: pb.DiamsState, move: pb.DiamsMove, language: str) -> str:
    row = row_of(state)
    return WORDS.move(row, CODEC.read_move(row, move, "move", Report()), language)


@pytest.mark.parametrize(
    ("move", "english", "chinese"),
    [
        (DRAW_HAND, "draws a card", "抽一張牌加入手牌"),
        (DRAW_MARKET, "turns two cards for the market", "抽兩張牌放到市場"),
        (NO_PLAY, "can play nothing", "無法行動"),
        (
            same_kind("7p"),
            "places pure 7 and takes all of that kind",
            "把「特殊純度 7 號」放到市場，拿回所有同種的鑽石",
        ),
        (for_sum("7"), "places 7 to take cards worth 7", "把「7 號」放到市場，拿回總和為 7 的鑽石"),
        (for_nothing("7"), "places 7 and takes nothing", "把「7 號」放到市場，不拿回任何鑽石"),
        (take("3"), "takes 3", "從市場拿回「3 號」"),
        (
            deposit("7 7 7p"),
            "puts pure 7, 7, 7 into the safe",
            "把「特殊純度 7 號」、「7 號」、「7 號」置入保險箱",
        ),
        (
            sale("X3", 1),
            "plays X3 for a forced sale by seat 1",
            "用「特殊牌 3」對 1 號座位強制出售",
        ),
        (offer("5"), "offers 5", "從手牌中選擇「5 號」"),
        (drill(2), "plays X1 to drill the safe of seat 2", "用「特殊牌 1」鑽開 2 號座位的保險箱"),
        (look_for("7p"), "looks for pure 7", "指定「特殊純度 7 號」"),
        (
            special_deposit("3"),
            "plays X2 to put 3 into the safe",
            "用「特殊牌 2」把「3 號」專門存入保險箱",
        ),
        (
            shoplift("3"),
            "plays X3 to take 3 from the market",
            "用「特殊牌 3」順手牽羊，從市場拿回「3 號」",
        ),
        (give_up("X2"), "gives up X2", "棄掉「特殊牌 2」"),
    ],
)
def test_moves(move: pb.DiamsMove, english: str, chinese: str) -> None:
    state = position(["7 7 7p", "1 2 3"], on_market="5")
    assert said(state, move, "en") == english
    assert said(state, move, "zh-TW") == chinese


def events(state: pb.DiamsState, move: pb.DiamsMove) -> list[str]:
    return [WORDS.event(event, "en") for event in REFEREE.events(state, move)]


def test_events_of_a_forced_sale() -> None:
    start = position(["5 9 X1", "5 1 8"], on_market="2")
    assert events(start, sale("X1", 1)) == ["Seat 0 plays X1 for a forced sale by seat 1."]
    asked = REFEREE.apply(start, sale("X1", 1))
    assert asked.phase == OFFER
    assert events(asked, offer("5")) == [
        "Seat 0 offers 5.",
        "Seat 1 has to put 5 into the market.",
        "Seat 0 takes 5 from the market.",
        "Seat 0 takes 5 from the market.",
    ]


def test_events_of_a_drill() -> None:
    start = position(["5 9 X1", "5 1 8"], safes=["", "7 7 7p"])
    asked = REFEREE.apply(start, drill(1))
    assert asked.phase == NAME
    assert events(asked, look_for("7p")) == ["Seat 0 finds pure 7 in it."]
    assert events(asked, look_for("6")) == ["Seat 0 looks for 6 in vain."]


def test_a_deposit_names_its_cards_only_if_the_safe_lies_open() -> None:
    for open_safes, cards in ((False, ""), (True, ": pure 7, 7, 7")):
        start = position(["7 7 7p", "1 2 3"], open_safes=open_safes)
        assert events(start, deposit("7 7 7p")) == [f"Seat 0 puts 3 diamonds into the safe{cards}."]


def test_the_closing_card_and_a_card_turned() -> None:
    start = position(["5 9 1", "5 1 8"], pile="3 C", phase=DRAW)
    assert events(start, DRAW_MARKET) == [
        "3 is turned for the market.",
        "The closing card comes up: every other seat plays once more.",
    ]


@pytest.mark.parametrize(
    ("rounds", "end"),
    [
        (pb.DIAMS_ROUNDS_QUICK, "Round 1 is over, points: 5 for seat 0, 3 for seat 1."),
        (
            pb.DIAMS_ROUNDS_STANDARD,
            "Round 1 is over, points: 5 for seat 0 (4 chips), 3 for seat 1 (3 chips).",
        ),
    ],
)
def test_the_end_of_a_round(rounds: Any, end: str) -> None:
    state = position(["", ""], safes=["1 1 1"], turn=1, closer=0, pile="", rounds=rounds)
    assert events(state, NO_PLAY)[:2] == ["Seat 1 can play nothing.", end]


def reason(state: pb.DiamsState, move: pb.DiamsMove, language: str) -> str:
    row = row_of(state)
    number = CODEC.read_move(row, move, "move", Report())
    figures = [
        CandidateFigures(number, 90, 0.6, 12.0, 0.1, (number,)),
        CandidateFigures(0, 10, 0.5, 10.0, 0.1, (0,)),
    ]
    return WORDS.reason(row, figures, 0, language)


def test_reasons_say_what_a_move_does_at_once() -> None:
    start = position(["7 7 7p 3", "1 2 5"], safes=["3 3 3p"], on_market="7p 4")
    assert reason(start, deposit("7 7 7p 3"), "en").startswith(
        "Puts 3, pure 7, 7, 7 into the safe, which takes the safe from 4 to 15 points: 60.0% to win"
    )
    assert "to hold 4 of kind 7" in reason(start, same_kind("7"), "en")
    assert "保險箱由 4 分變成 13 分" in reason(start, deposit("7 7 7p"), "zh-TW")


def test_reasons_count_in_the_points_that_decide() -> None:
    start = position(["7 7 7p 3", "1 2 5"], phase=DRAW)
    assert "chips" in reason(start, DRAW_MARKET, "en")
    start = position(["7 7 7p 3", "1 2 5"], phase=DRAW, rounds=pb.DIAMS_ROUNDS_QUICK)
    assert "points" in reason(start, DRAW_MARKET, "en")


def test_hidden_moves_are_deposits() -> None:
    state = position(["7 7 4 3 3 1", "1 2 5"], phase=LIMIT)
    assert WORDS.hidden_move(row_of(state), "en") == "puts diamonds into the safe"
