"""The options of Diam's (rules section 7) and the named variants."""

from __future__ import annotations

from adamas.v1 import diams_pb2 as pb
from engines.diams.rules.tables import DATA_SETS
from engines.options import (
    BoolOption,
    ChoiceOption,
    IntOption,
    NameOption,
    OptionSpec,
    VariantSpec,
    data_set_names,
)

STANDARD = pb.DIAMS_ROUNDS_STANDARD
QUICK = pb.DIAMS_ROUNDS_QUICK
DISCARD_REPLACE = pb.DIAMS_SPECIAL_IN_MARKET_DISCARD_REPLACE
DISCARD = pb.DIAMS_SPECIAL_IN_MARKET_DISCARD
TO_MARKET = pb.DIAMS_OVERFLOW_MARKET
OUT_OF_GAME = pb.DIAMS_OVERFLOW_DISCARD
ANY_KINDS = pb.DIAMS_SPECIAL_DEPOSIT_SCOPE_ANY_KINDS
ONE_KIND = pb.DIAMS_SPECIAL_DEPOSIT_SCOPE_ONE_KIND
TO_HAND = pb.DIAMS_DRILL_TO_HAND
TO_SAFE = pb.DIAMS_DRILL_TO_SAFE
BEST_RANK = pb.DIAMS_CHIP_TIES_BEST_RANK
WORST_RANK = pb.DIAMS_CHIP_TIES_WORST_RANK

MAX_HAND_LIMIT = 8
MAX_CLOSING_WINDOW = 15
BGA_CLOSING_WINDOW = 5
"""The closing window with 4 or 5 seats at Board Game Arena."""

OPTIONS: tuple[OptionSpec, ...] = (
    ChoiceOption(
        name="rounds",
        title={"en": "Length", "zh-TW": "遊戲長度"},
        description={
            "en": "Three rounds with victory chips, or one round for points.",
            "zh-TW": "三輪以勝利點數決勝負，或只玩一輪比分數。",
        },
        default_value=STANDARD,
        enum=pb.DiamsRounds,
        choices={
            STANDARD: {"en": "standard, three rounds", "zh-TW": "標準遊戲，三輪"},
            QUICK: {"en": "quick, one round", "zh-TW": "快速遊戲，一輪"},
        },
    ),
    IntOption(
        name="closing_window",
        title={"en": "Closing window", "zh-TW": "結束營業卡範圍"},
        description={
            "en": "The closing card is shuffled into this many cards at the bottom of the pile; "
            "with 0 it is the last card.",
            "zh-TW": "結束營業卡與牌堆最底下的幾張牌洗混；0 表示放在最後一張。",
        },
        default_value=MAX_CLOSING_WINDOW,
        min_value=0,
        max_value=MAX_CLOSING_WINDOW,
    ),
    ChoiceOption(
        name="special_in_market",
        title={"en": "Specials in the market", "zh-TW": "市場抽到特殊牌"},
        description={
            "en": "What happens to a special card that is turned for the market.",
            "zh-TW": "抽出放到市場的特殊牌如何處理。",
        },
        default_value=DISCARD_REPLACE,
        enum=pb.DiamsSpecialInMarket,
        choices={
            DISCARD_REPLACE: {"en": "out of the game, replaced", "zh-TW": "移出遊戲並補一張牌"},
            DISCARD: {"en": "out of the game, not replaced", "zh-TW": "移出遊戲，不補牌"},
        },
    ),
    IntOption(
        name="hand_limit",
        title={"en": "Hand limit", "zh-TW": "手牌上限"},
        description={
            "en": "How many cards may be left in hand at the end of a turn.",
            "zh-TW": "回合結束時手牌最多可以有幾張。",
        },
        default_value=5,
        min_value=3,
        max_value=MAX_HAND_LIMIT,
    ),
    ChoiceOption(
        name="overflow_to",
        title={"en": "Cards over the limit", "zh-TW": "超過上限的牌"},
        description={
            "en": "Where diamonds go that are given up over the hand limit.",
            "zh-TW": "超過手牌上限而棄掉的鑽石放到哪裡。",
        },
        default_value=TO_MARKET,
        enum=pb.DiamsOverflow,
        choices={
            TO_MARKET: {"en": "to the market", "zh-TW": "放到市場"},
            OUT_OF_GAME: {"en": "out of the game", "zh-TW": "移出遊戲"},
        },
    ),
    IntOption(
        name="refill_empty_market",
        title={"en": "Refill of an empty market", "zh-TW": "市場清空補牌"},
        description={
            "en": "How many cards are turned when the market is empty at the end of a turn.",
            "zh-TW": "回合結束時市場若沒有牌，抽幾張牌補上。",
        },
        default_value=0,
        min_value=0,
        max_value=3,
    ),
    BoolOption(
        name="open_safes",
        title={"en": "Open safes", "zh-TW": "公開保險箱"},
        description={
            "en": "Everybody sees what is in the safes.",
            "zh-TW": "所有人都看得到保險箱裡的鑽石。",
        },
        default_value=0,
    ),
    IntOption(
        name="purity_tie",
        title={"en": "Tie in purity", "zh-TW": "純度平手"},
        description={
            "en": "Points for each seat that shares the lead in purity; a single leader gets 5.",
            "zh-TW": "純度最高平手時各得幾分；單獨最高者得 5 分。",
        },
        default_value=2,
        min_value=0,
        max_value=5,
    ),
    IntOption(
        name="hand_bonus_tie",
        title={"en": "Tie in hand sums", "zh-TW": "手牌總和平手"},
        description={
            "en": "Points for each seat that shares the highest hand sum; a single one gets 3.",
            "zh-TW": "手牌總和最高平手時各得幾分；單獨最高者得 3 分。",
        },
        default_value=3,
        min_value=0,
        max_value=3,
    ),
    ChoiceOption(
        name="special_deposit_scope",
        title={"en": "Special deposit", "zh-TW": "專門存入保險箱"},
        description={
            "en": "What the special deposit may put into the safe at once.",
            "zh-TW": "「專門存入保險箱」一次可以存入哪些鑽石。",
        },
        default_value=ANY_KINDS,
        enum=pb.DiamsSpecialDepositScope,
        choices={
            ANY_KINDS: {"en": "any kinds in the safe", "zh-TW": "保險箱裡有的任何種類"},
            ONE_KIND: {"en": "one kind in the safe", "zh-TW": "保險箱裡有的一個種類"},
        },
    ),
    ChoiceOption(
        name="drill_to",
        title={"en": "Drilled diamond", "zh-TW": "鑽開保險箱得到的鑽石"},
        description={
            "en": "Where a drilled diamond goes.",
            "zh-TW": "鑽開保險箱得到的鑽石放到哪裡。",
        },
        default_value=TO_HAND,
        enum=pb.DiamsDrillTo,
        choices={
            TO_HAND: {"en": "into the hand", "zh-TW": "手牌"},
            TO_SAFE: {"en": "into the own safe", "zh-TW": "自己的保險箱"},
        },
    ),
    ChoiceOption(
        name="chip_ties",
        title={"en": "Chips after a tie", "zh-TW": "平手的勝利點數"},
        description={
            "en": "Which victory chips seats with equal points of a round get.",
            "zh-TW": "一輪分數相同的玩家各得多少勝利點數。",
        },
        default_value=BEST_RANK,
        enum=pb.DiamsChipTies,
        choices={
            BEST_RANK: {"en": "those of the best shared rank", "zh-TW": "依並列的最前名次"},
            WORST_RANK: {"en": "those of the worst shared rank", "zh-TW": "依並列的最後名次"},
        },
    ),
    NameOption(
        name="data_set",
        title={"en": "Tables", "zh-TW": "數值表"},
        description={
            "en": "Which values collections have and how many copies are pure.",
            "zh-TW": "使用哪一組收集分數與特殊純度的張數。",
        },
        default_value=0,
        names=data_set_names(DATA_SETS),
    ),
)

VARIANTS: tuple[VariantSpec, ...] = (
    VariantSpec(
        variant_id="standard",
        name={"en": "Standard", "zh-TW": "標準遊戲"},
        description={
            "en": "Three rounds, most victory chips win.",
            "zh-TW": "玩三輪，勝利點數最多者獲勝。",
        },
        values={},
        seats=(2, 3, 4, 5),
    ),
    VariantSpec(
        variant_id="quick",
        name={"en": "Quick game", "zh-TW": "快速遊戲"},
        description={
            "en": "One round, most points win.",
            "zh-TW": "只玩一輪，分數最高者獲勝。",
        },
        values={"rounds": QUICK},
        seats=(2, 3, 4, 5),
    ),
    VariantSpec(
        variant_id="bga",
        name={"en": "Quick game, late closing", "zh-TW": "快速遊戲，較晚結束營業"},
        description={
            "en": "One round as at Board Game Arena: with 4 or 5 seats the closing card lies in "
            "the last 6 cards.",
            "zh-TW": "如 BGA 的快速遊戲：4、5 人遊戲時結束營業卡在最後 6 張牌之中。",
        },
        values={"rounds": QUICK, "closing_window": BGA_CLOSING_WINDOW},
        seats=(4, 5),
    ),
    VariantSpec(
        variant_id="open",
        name={"en": "Open safes", "zh-TW": "公開保險箱"},
        description={
            "en": "Three rounds with safes that everybody sees.",
            "zh-TW": "三輪，所有人都看得到保險箱。",
        },
        values={"open_safes": 1},
        seats=(2, 3, 4, 5),
    ),
)
