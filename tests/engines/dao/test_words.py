"""What the reasons of DAO say about turning a card."""

from __future__ import annotations

from adamas.v1 import dao_pb2 as pb
from engines.contract import CandidateFigures
from engines.dao.rules import REVEAL, STATE, TAKE, VALUES
from engines.events import new_log
from engines.jit import Row
from engines.registry import game

DAO = game("dao")
METAL, FIRE = 0, VALUES


def position(cards: list[int], deck: list[int]) -> Row:
    """A position with this row, front first, and this deck."""
    row: Row = DAO.codec.new_game(pb.DaoOptions(), 3, 1, new_log())
    s = row.view(STATE)[0]
    s.row[:], s.deck[:] = 0, 0
    s.row[: len(cards)], s.row_size = cards, len(cards)
    s.deck[: len(deck)], s.deck_size = deck, len(deck)
    return row


def reason(row: Row, move: int, language: str = "en") -> str:
    """Why a move is the best, up to its figures."""
    other = REVEAL if move == TAKE else TAKE
    figures = [
        CandidateFigures(move, 900, 0.41, 3.0, 0.2, (move,)),
        CandidateFigures(other, 100, 0.33, 2.0, 0.2, (other,)),
    ]
    return DAO.words.reason(row, figures, 0, language).split("41.0%")[0]


def test_nothing_unseen_busts() -> None:
    row = position([METAL + 2, FIRE + 1], [FIRE + 3, FIRE + 4])
    assert reason(row, TAKE) == "Takes Metal 2 (+2 now), although no unseen card would bust: "
    assert reason(row, REVEAL) == (
        "Turns at a row of 3, where no unseen card would bust, and leaves Metal 2 (+2) lying: "
    )


def test_nothing_unseen_busts_in_chinese() -> None:
    row = position([METAL + 2, FIRE + 1], [FIRE + 3, FIRE + 4])
    safe = "未出現的卡片都不會爆牌"
    assert reason(row, TAKE, "zh-TW") == f"拿取「金 2」，立即得 2 分；若翻開新卡片，{safe}：勝率 "
    assert reason(row, REVEAL, "zh-TW") == (
        f"翻開一張新卡片，展示區總數值 3，{safe}；不拿「金 2」（立即得 2 分）：勝率 "
    )


def test_a_card_that_only_the_exception_keeps_from_busting_is_not_said_to_stay_below_12() -> None:
    """The row of 10 becomes 13 with a 3, and stays where it lies: its last card is a 3 too."""
    row = position([METAL + 4, FIRE + 3, METAL + 3], [METAL + 2 * VALUES + 3, METAL + 1])
    assert reason(row, REVEAL).startswith("Turns at a row of 10, where no unseen card would bust")


def test_something_unseen_busts() -> None:
    row = position([METAL + 4, FIRE + 3, METAL + 3], [FIRE + 4, METAL + 1])
    assert reason(row, TAKE) == "Takes Metal 4 (+4 now) where turning busts in 1 of 2 cases: "
