"""The options of DAO (rules section 7) and the named variants."""

from __future__ import annotations

from adamas.v1 import dao_pb2 as pb
from engines.options import BoolOption, ChoiceOption, IntOption, OptionSpec, VariantSpec

PREVIOUS = pb.DAO_EXCEPTION_CARD_PREVIOUS
FRONT = pb.DAO_EXCEPTION_CARD_FRONT
OTHER = pb.DAO_SPLIT_STARTER_OTHER
SAME = pb.DAO_SPLIT_STARTER_SAME
LOSER = pb.DAO_SPLIT_STARTER_LOSER
NOBODY = pb.DAO_LEFTOVER_ROW_NOBODY
LAST_PLAYER = pb.DAO_LEFTOVER_ROW_LAST_PLAYER
MOST_CARDS = pb.DAO_TIE_BREAK_MOST_CARDS
FEWEST_CARDS = pb.DAO_TIE_BREAK_FEWEST_CARDS
SHARED = pb.DAO_TIE_BREAK_SHARED

OPTIONS: tuple[OptionSpec, ...] = (
    ChoiceOption(
        name="exception_card",
        title={"en": "Exception card", "zh-TW": "例外的卡片"},
        description={
            "en": "Which card the turned card must equal for the row to stay above 12.",
            "zh-TW": "新卡片要與哪一張卡片數值相同，總數值超過 12 時卡片才會留在展示區。",
        },
        default_value=PREVIOUS,
        enum=pb.DaoExceptionCard,
        choices={
            PREVIOUS: {"en": "the card directly before it", "zh-TW": "新卡片的前一張"},
            FRONT: {"en": "the front card, nearest the deck", "zh-TW": "最靠近牌庫的第一張"},
        },
    ),
    IntOption(
        name="initial_row",
        title={"en": "Cards in the first row", "zh-TW": "起始展示區張數"},
        description={
            "en": "How many cards lie open at the start of a round.",
            "zh-TW": "每局開始時展示區翻開幾張卡片。",
        },
        default_value=3,
        min_value=2,
        max_value=3,
    ),
    BoolOption(
        name="two_round_split",
        title={"en": "Two rounds", "zh-TW": "分兩局進行"},
        description={
            "en": "Play two rounds with half of the deck each; the sum of both decides.",
            "zh-TW": "牌庫分成兩半各玩一局，兩局分數相加決勝負。",
        },
        default_value=0,
        defaults_by_seats={2: 1},
    ),
    ChoiceOption(
        name="split_second_starter",
        title={"en": "Second round's starter", "zh-TW": "第二局起始玩家"},
        description={
            "en": "Who starts the second of two rounds.",
            "zh-TW": "分兩局時，第二局由誰開始。",
        },
        default_value=OTHER,
        enum=pb.DaoSplitStarter,
        choices={
            OTHER: {"en": "the next seat", "zh-TW": "下一位玩家"},
            SAME: {"en": "the same seat", "zh-TW": "同一位玩家"},
            LOSER: {"en": "the loser of the first round", "zh-TW": "第一局的輸家"},
        },
    ),
    BoolOption(
        name="exception_on_last_card",
        title={"en": "Exception on the last card", "zh-TW": "最後一張也適用例外"},
        description={
            "en": "The exception also protects when the last card of the deck is turned.",
            "zh-TW": "翻開牌庫最後一張卡片時，例外仍然有效。",
        },
        default_value=1,
    ),
    ChoiceOption(
        name="leftover_row",
        title={"en": "Leftover row", "zh-TW": "展示區剩餘的卡片"},
        description={
            "en": "Who gets the row that is left when the deck has run out.",
            "zh-TW": "牌庫用完時，展示區剩餘的卡片歸誰。",
        },
        default_value=NOBODY,
        enum=pb.DaoLeftoverRow,
        choices={
            NOBODY: {"en": "nobody", "zh-TW": "無人"},
            LAST_PLAYER: {"en": "the last player", "zh-TW": "最後行動的玩家"},
        },
    ),
    BoolOption(
        name="refill_ends_game",
        title={"en": "Refill ends the round", "zh-TW": "補充即結束"},
        description={
            "en": "A refill that turns the last card ends the round at once; otherwise the seats "
            "go on taking until the row is empty.",
            "zh-TW": "補充展示區翻完牌庫時立刻結束；否則玩家輪流拿取卡片直到展示區清空。",
        },
        default_value=1,
    ),
    ChoiceOption(
        name="tie_break",
        title={"en": "Tie-break", "zh-TW": "平手判定"},
        description={
            "en": "What decides among the seats with the highest score.",
            "zh-TW": "最高分平手時如何決定勝負。",
        },
        default_value=MOST_CARDS,
        enum=pb.DaoTieBreak,
        choices={
            MOST_CARDS: {
                "en": "most cards, then shared",
                "zh-TW": "卡片多者獲勝，再平手則共享勝利",
            },
            FEWEST_CARDS: {
                "en": "fewest cards, then shared",
                "zh-TW": "卡片少者獲勝，再平手則共享勝利",
            },
            SHARED: {"en": "shared", "zh-TW": "共享勝利"},
        },
    ),
    BoolOption(
        name="random_start",
        title={"en": "Random starter", "zh-TW": "隨機起始玩家"},
        description={
            "en": "Draw the first starter at random; otherwise seat 0 starts.",
            "zh-TW": "隨機決定起始玩家，否則由 0 號座位開始。",
        },
        default_value=0,
    ),
)

VARIANTS: tuple[VariantSpec, ...] = (
    VariantSpec(
        variant_id="standard",
        name={"en": "Standard", "zh-TW": "標準規則"},
        description={
            "en": "The whole deck in one round; with 2 seats in two halves.",
            "zh-TW": "一局用完全部的牌庫；2 人遊戲分成兩局。",
        },
        values={},
        seats=(2, 3, 4, 5, 6),
    ),
    VariantSpec(
        variant_id="one_round",
        name={"en": "One round for two", "zh-TW": "2 人單局"},
        description={
            "en": "Two seats play the whole deck in one round.",
            "zh-TW": "2 位玩家一局用完全部的牌庫。",
        },
        values={"two_round_split": 0},
        seats=(2,),
    ),
    VariantSpec(
        variant_id="dodekka",
        name={"en": "Dodekka", "zh-TW": "Dodekka 版"},
        description={
            "en": "Start with two open cards, as one account of the first edition has it.",
            "zh-TW": "展示區以兩張卡片開始，依首版的一種說法。",
        },
        values={"initial_row": 2},
        seats=(2, 3, 4, 5, 6),
    ),
)
