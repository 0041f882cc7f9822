"""Moves, events and reasons of Diamonds in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from adamas.v1 import diamonds_pb2 as pb
from engines.contract import CandidateFigures
from engines.events import new_log
from engines.jit import Row
from engines.languages import LANGUAGES
from engines.reasons import comparison
from engines.registry import game
from engines.rng import generator
from engines.violations import Report
from tests.contract.play import legal_moves, plies, variants, view_of
from tests.engines.diamonds.positions import bonus, lead, pass_count, passing, position, victim

GAME = game("diamonds")
LATER = {0: "3/20"}


def row_of(state: pb.DiamondsState) -> Row:
    report = Report()
    row = GAME.codec.read_state(state, "state", report)
    report.raise_if_any()
    return row


def number(row: Row, move: pb.DiamondsMove) -> int:
    report = Report()
    found = GAME.codec.read_move(row, move, "move", report)
    report.raise_if_any()
    assert found in legal_moves(GAME, row)
    return found


def after(state: pb.DiamondsState, words: str) -> Row:
    """The position after some cards."""
    row = row_of(state)
    for word in words.split():
        GAME.kernels.apply_move(row, number(row, lead(word)), new_log())
    return row


def figures(move: int) -> list[CandidateFigures]:
    """Of the best of two candidates, and of the other one."""
    return [
        CandidateFigures(move, 700, 0.41, 33.6, 0.2, (move,)),
        CandidateFigures(move, 200, 0.37, 32.3, 0.4, (move,)),
    ]


def reason(row: Row, move: pb.DiamondsMove, language: str = "en") -> str:
    """The reason of the best candidate."""
    return GAME.words.reason(row, figures(number(row, move)), 0, language)


COMPARISON = f"{comparison(figures(0), 0, 'en', 'points')}."
IN_CHINESE = f"{comparison(figures(0), 0, 'zh-TW', '分')}。"


def dealt(hand: str, **options: Any) -> Row:
    """A seat with this hand is the dealer and chooses how many cards are passed."""
    state = position(
        3, hands={2: f"{hand} ..."} if len(hand.split()) < 10 else {2: hand}, **options
    )
    state.phase, state.pass_count, state.turn = pb.DIAMONDS_PHASE_PASS_COUNT, 0, 2
    state.ClearField("passed")
    return row_of(state)


HAND = "D1 D2 D3 D4 H9 H10 H11 S7 S8 C5"


def test_reasons_for_a_pass_count() -> None:
    assert reason(dealt(HAND), pass_count(1)) == (
        f"Has 1 card passed, enough to be rid of all its Clubs (1): {COMPARISON}"
    )
    assert reason(dealt("D1 D2 D3 D4 D5 H9 H10 H11 S7 S8"), pass_count(1)) == (
        f"Has 1 card passed, holding no Clubs anyway: {COMPARISON}"
    )
    assert reason(dealt("D1 D2 D3 H9 H10 H11 S7 S8 S9 S10"), pass_count(3)).startswith(
        "Has 3 cards passed, enough to be rid of all its Diamonds (3)"
    )
    assert reason(dealt("D1 D2 D3 H9 H10 H11 S7 S8 C5 C6"), pass_count(1)) == (
        f"Has 1 card passed, with Spades as its shortest suit (2): {COMPARISON}"
    )


def test_reasons_for_passing() -> None:
    row = dealt(HAND)
    GAME.kernels.apply_move(row, 2, new_log())
    GAME.kernels.claim_turn(row, 2)
    assert reason(row, passing("S7 S8")) == (
        f"Passes Spades 7 and Spades 8 to seat 0, which leaves it without Spades: {COMPARISON}"
    )
    assert reason(row, passing("D4 H11")) == (
        "Passes Diamonds 4 and Hearts 11 to seat 0 and keeps 3 Diamonds, 2 Hearts, 2 Spades, "
        f"1 Clubs: {COMPARISON}"
    )
    assert reason(row, passing("S7 S8"), "zh-TW") == (
        f"把「黑桃 7」和「黑桃 8」傳給 0 號座位，手上不再有黑桃：{IN_CHINESE}"
    )


def test_reasons_for_leading() -> None:
    """Spades 12 to 15 are out already, or in the own hand."""
    start = position(
        3, plan="S0, C0", hands={0: "S15 S8 S4 ...", 1: "S14 ...", 2: "S13 ..."}, without={0: "S"}
    )
    row = row_of(start)
    assert reason(row, lead("S15")).startswith(
        "Leads Spades 15 for a Spades action, as no unseen card beats it: "
    )
    assert reason(row, lead("S8")).startswith(
        "Leads low with Spades 8, which 6 of 9 unseen Spades beat: "
    )
    high = row_of(position(3, plan="S0, C0", hands={0: "S13 ..."}, without={0: "S"}))
    assert reason(high, lead("S13")).startswith(
        "Leads Spades 13 for a Spades action, which 2 of 11 unseen Spades can foil: "
    )


def test_reasons_for_following_suit() -> None:
    hands = {0: "C13 ...", 1: "C15 C14 C4 ...", 2: "C3 C2 ..."}
    start = position(3, hands=hands, without={1: "C", 2: "C"})
    second = after(start, "C13")
    assert reason(second, lead("C15")).startswith(
        "Goes above Clubs 13 with Clubs 15, which no unseen card beats: "
    )
    assert reason(second, lead("C4")) == (
        f"Ducks under Clubs 13 with Clubs 4 and keeps Clubs 15 for a later trick: {COMPARISON}"
    )
    third = after(start, "C13 C4")
    assert reason(third, lead("C2")).startswith("Can't beat Clubs 13 and parts with Clubs 2: ")
    above = after(position(3, hands={0: "H4 ...", 1: "H9 ..."}, without={1: "H"}), "H4")
    assert reason(above, lead("H9")).startswith(
        "Goes above Hearts 4 with Hearts 9, which 6 of 13 unseen Hearts beat: "
    )
    last = after(position(3, hands={0: "H4 ...", 1: "H2 ...", 2: "H9 ..."}), "H4 H2")
    assert reason(last, lead("H9")).startswith(
        "Wins the trick with Hearts 9, and with it a Hearts action: "
    )


def test_reasons_for_leaving_a_trick_to_the_own_side() -> None:
    hands = {0: "H14 ...", 1: "H2 ...", 2: "H5 ..."}
    partner = after(position(4, teams=True, hands=hands), "H14 H2")
    assert reason(partner, lead("H5")).startswith(
        "Leaves the trick to its partner's Hearts 14 and plays Hearts 5: "
    )
    own = after(position(2, hands={0: "H14 H3 ...", 1: "H2 ..."}), "H14 H2")
    assert reason(own, lead("H3")).startswith(
        "Leaves the trick to its own Hearts 14 and plays Hearts 3: "
    )


@pytest.mark.parametrize(
    ("discarded", "crystals", "words"),
    [
        ("D9", LATER, "Discards Diamonds 9 for its action, a crystal into the vault (+2 now): "),
        ("H9", LATER, "Discards Hearts 9 for its action, a crystal into the showroom (+1 now): "),
        (
            "S9",
            LATER,
            "Discards Spades 9 for its action, a crystal from the showroom into the vault (+1",
        ),
        ("S9", {1: "0/20"}, "Discards Spades 9, whose action moves nothing now: "),
    ],
)
def test_reasons_for_a_discard(discarded: str, crystals: dict[int, str], words: str) -> None:
    start = position(
        3, hands={0: "C9 ...", 1: f"{discarded} ..."}, without={1: "C"}, crystals=crystals
    )
    assert reason(after(start, "C9"), lead(discarded)).startswith(words)


def test_reasons_for_a_clubs_discard_and_an_empty_supply() -> None:
    hands = {0: "S9 ...", 1: "C9 D9 ..."}
    start = position(3, hands=hands, without={1: "S"}, supply=9)
    row = after(start, "S9")
    assert reason(row, lead("C9")).startswith(
        "Discards Clubs 9 for its action, a crystal from another showroom (+1 now): "
    )
    assert reason(row, lead("D9")).startswith("Discards Diamonds 9, whose action moves nothing now")
    own = position(3, hands=hands, without={1: "S"}, thief_token=True, thief=1)
    assert reason(after(own, "S9"), lead("C9")).startswith(
        "Discards Clubs 9, whose action moves nothing now: "
    )


@pytest.mark.parametrize(
    ("crystals", "chosen", "words"),
    [
        (
            {1: "5/30", 2: "3/10", 3: "1/1"},
            1,
            "Takes from seat 1, the strongest rival with 65 points and the fullest showroom (5): ",
        ),
        ({1: "2/30", 2: "3/10"}, 1, "Takes from seat 1, the strongest rival with 62 points: "),
        ({1: "2/30", 2: "4/10"}, 2, "Takes from seat 2, whose showroom is the fullest (4): "),
        (
            {1: "2/30", 2: "4/10", 3: "1/9"},
            3,
            "Takes from seat 3, which has 19 points and 1 in the showroom: ",
        ),
    ],
)
def test_reasons_for_a_victim(crystals: dict[int, str], chosen: int, words: str) -> None:
    hands = {0: "C9 ...", 1: "C1 ...", 2: "C2 ...", 3: "C3 ..."}
    row = after(position(4, hands=hands, crystals=crystals), "C9 C1 C2 C3")
    assert reason(row, victim(chosen)).startswith(words)


def test_reasons_for_a_bonus_action() -> None:
    plan = "C0, C0, C1, S0, S1, S1, H0, H0, D1, D1"
    start = position(
        3,
        plan=plan,
        unplayed=1,
        crystals={0: "0/20", 2: "0/20"},
        no_trick_bonus=pb.DIAMONDS_NO_TRICK_BONUS_TWO_ANY,
    )
    row = row_of(start)
    GAME.kernels.apply_move(row, legal_moves(GAME, row)[0], new_log())
    assert GAME.kernels.seat_to_move(row) == 2
    assert reason(row, bonus("D")).startswith(
        "Chooses a Diamonds action, a crystal into the vault (+2 now): "
    )
    assert reason(row, bonus("S")).startswith("Chooses a Spades action, which moves nothing now: ")


# ----------------------------------------------------------------------------- moves and events


def test_moves_in_words() -> None:
    start = position(3, hands={0: "C9 ...", 1: "H9 ..."}, without={1: "C"})
    row = row_of(start)
    words = GAME.words
    assert words.move(row, number(row, lead("C9")), "en") == "leads Clubs 9"
    assert words.move(row, number(row, lead("C9")), "zh-TW") == "以「梅花 9」引牌"
    row = after(start, "C9")
    assert words.move(row, number(row, lead("H9")), "en") == "discards Hearts 9 for a Hearts action"
    assert words.move(row, number(row, lead("H9")), "zh-TW") == "打出「紅心 9」，執行紅心花色行動"
    row = dealt(HAND)
    assert words.move(row, 1, "en") == "has 1 card passed"
    assert words.move(row, 3, "zh-TW") == "決定每人傳 3 張牌"
    GAME.kernels.apply_move(row, 2, new_log())
    GAME.kernels.claim_turn(row, 2)
    assert words.move(row, number(row, passing("S7 C5")), "en") == "passes Spades 7 and Clubs 5"
    assert words.hidden_move(row, "en") == "passes 2 cards"
    assert words.hidden_move(row, "zh-TW") == "傳出 2 張牌"


def events(state: pb.DiamondsState, language: str) -> list[str]:
    """What everybody sees of the only card that the seat to move holds."""
    row = row_of(state)
    played, log = row.copy(), new_log()
    GAME.kernels.apply_move(played, legal_moves(GAME, row)[0], log)
    return [
        GAME.words.event(event, language) for event in GAME.codec.write_events(row, played, log)
    ]


END = "D0, D1, D2, S0 3H, S0 3H, S0 3H, S1 3H, S1 3H, C1 3H, C2 3H"
SCORED = (
    "Round 3 is over: team 0 has 11 in the vault and 6 in the showroom; team 1 has 11 in the "
    "vault and 4 in the showroom."
)


def test_events_in_words() -> None:
    state = position(4, plan=END, unplayed=1, teams=True, crystals={0: "5/9", 1: "5/9"})
    assert events(state, "en") == [
        "Seat 0 plays Clubs 5.",
        "Seat 2 wins the trick with Clubs 6.",
        "Clubs action of seat 2 (trick won): it takes a crystal from team 1.",
        "Captured Diamonds: 8 by team 0, 4 by team 1; seat 0 acts.",
        "Diamonds action of seat 0 (most captured): a crystal comes into the vault.",
        "Captured Hearts: 4 by team 0, 3 by team 1; seat 0 acts.",
        "Hearts action of seat 0 (most captured): a crystal comes into the showroom.",
        "Captured Spades: 9 by team 0, 6 by team 1; seat 0 acts.",
        "Spades action of seat 0 (most captured): a crystal goes from the showroom into the vault.",
        "Captured Clubs: 3 by team 0, 3 by team 1; nobody acts.",
        "Diamonds action of seat 3 (no tricks): a crystal comes into the vault.",
        "Diamonds action of seat 3 (no tricks): a crystal comes into the vault.",
        SCORED,
        "Round 4 begins; seat 0 deals.",
    ]
    chinese = events(state, "zh-TW")
    assert chinese[2] == "2 號座位執行梅花花色行動（贏得一墩）：從第 1 隊的展示間偷 1 顆鑽石。"
    assert chinese[3] == "吃到的方塊：第 0 隊 8 張、第 1 隊 4 張；由 0 號座位執行花色行動。"
    assert chinese[-1] == "第 4 輪開始，0 號座位是發牌員。"


def test_the_end_of_a_game_in_words() -> None:
    state = position(4, plan=END, unplayed=1, round_=4, teams=True, crystals={0: "5/9", 1: "5/9"})
    assert (
        events(state, "en")[-1]
        == "The game is over, points: 28 for team 0, 26 for team 1; team 0 wins."
    )
    assert events(state, "zh-TW")[-1] == "遊戲結束：第 0 隊 28 分、第 1 隊 26 分；第 0 隊獲勝。"
    shared = pb.DiamondsEvent(game_over=pb.DiamondsGameOver(scores=[3, 3], winners=[0, 1]))
    assert GAME.words.event(shared, "en") == (
        "The game is over, points: 3 for seat 0, 3 for seat 1; seat 0 and seat 1 share the victory."
    )


def test_an_empty_event_has_no_words() -> None:
    assert not GAME.words.event(pb.DiamondsEvent(), "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_and_descriptions(language: str) -> None:
    assert "Diamonds" in GAME.words.name(language)
    assert GAME.words.description(language)


def test_a_reason_uses_nothing_that_is_hidden_from_the_mover() -> None:
    """It is the same in all deals that agree with what the mover knows."""
    rng = generator(4)
    for setting in (setting for setting in variants() if setting.game is GAME):
        for ply, (row, move) in enumerate(plies(setting, 17)):
            if move < 0 or ply % 23:
                continue
            table, view = GAME.new_table(), view_of(GAME, row, int(GAME.kernels.seat_to_move(row)))
            assert GAME.kernels.prepare(view, table)
            found = set()
            for _ in range(4):
                sample = GAME.new_row()
                GAME.kernels.determinize(view, table, rng, sample)
                found.add(GAME.words.reason(sample, figures(move), 0, "en"))
            assert len(found) == 1
