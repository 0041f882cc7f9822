"""The options of Diamonds Club (rules section 7) and the named variants."""

from __future__ import annotations

from adamas.v1 import diamonds_club_pb2 as pb
from engines.diamonds_club.rules import tables
from engines.options import (
    BoolOption,
    ChoiceOption,
    IntOption,
    NameOption,
    OptionSpec,
    Text,
    VariantSpec,
    data_set_names,
)

ROUND_ROBIN = pb.DIAMONDS_CLUB_BUILD_ORDER_ROUND_ROBIN
ALL_AT_ONCE = pb.DIAMONDS_CLUB_BUILD_ORDER_ALL_AT_ONCE
AFTER_LIGHT_FULL = pb.DIAMONDS_CLUB_DARK_SPACES_AFTER_LIGHT_FULL
ANYTIME = pb.DIAMONDS_CLUB_DARK_SPACES_ANYTIME
ALL_EACH_ROUND = pb.DIAMONDS_CLUB_STRIP_REFRESH_ALL_EACH_ROUND
CYCLE = pb.DIAMONDS_CLUB_STRIP_REFRESH_CYCLE

MAX_ROUNDS = 30
MAX_SURCHARGE = 2
MAX_START_GEMS = 4
START_GEMS = tuple(f"start_gems_{gem}" for gem in tables.GEMS)
"""The options that give the gems at the start, in the order of the gems."""


def _data_option(table: str, title: Text, description: Text) -> NameOption:
    """The option that names a table's data set."""
    names = tables.names(table)
    return NameOption(
        name=f"data_{table}",
        title=title,
        description=description,
        default_value=names.index(tables.STANDARD),
        names=data_set_names(names),
    )


def _start_gems_option(gem: str, english: str, chinese: str) -> IntOption:
    """The option that gives the gems of one kind at the start."""
    return IntOption(
        name=f"start_gems_{gem}",
        title={"en": f"{english} at the start", "zh-TW": f"起始{chinese}"},
        description={
            "en": f"How many {english.lower()} each seat starts with.",
            "zh-TW": f"每位玩家開始時有幾顆{chinese}。",
        },
        default_value=0 if gem == "diamonds" else 1,
        min_value=0,
        max_value=MAX_START_GEMS,
    )


OPTIONS: tuple[OptionSpec, ...] = (
    _data_option(
        tables.STRIPS,
        {"en": "Market strips", "zh-TW": "市場板塊"},
        {"en": "What the market strips show.", "zh-TW": "市場板塊上的圖樣。"},
    ),
    _data_option(
        tables.PRICES,
        {"en": "Prices", "zh-TW": "建築價格"},
        {"en": "What buildings and forests cost.", "zh-TW": "建築物與樹林的價格。"},
    ),
    _data_option(
        tables.TRACKS,
        {"en": "Development tracks", "zh-TW": "發展區"},
        {"en": "What the development tracks give.", "zh-TW": "發展區各格的效果。"},
    ),
    _data_option(
        tables.PRINTED,
        {"en": "Parks", "zh-TW": "花園版圖"},
        {
            "en": "Numbers of spaces and printed buildings of the parks.",
            "zh-TW": "花園的格數與已經畫有的建築物。",
        },
    ),
    _data_option(
        tables.SUPPLY,
        {"en": "Supply", "zh-TW": "配件數量"},
        {"en": "How many gems and tiles there are.", "zh-TW": "寶石與圖樣的數量。"},
    ),
    ChoiceOption(
        name="build_order",
        title={"en": "Building turns", "zh-TW": "購買建築物的順序"},
        description={
            "en": "How the seats take turns in the building phase.",
            "zh-TW": "購買建築物時如何輪流。",
        },
        default_value=ROUND_ROBIN,
        enum=pb.DiamondsClubBuildOrder,
        choices={
            ROUND_ROBIN: {"en": "one purchase a turn", "zh-TW": "每次購買一個，輪流進行"},
            ALL_AT_ONCE: {"en": "all purchases in one turn", "zh-TW": "一次買完"},
        },
    ),
    IntOption(
        name="savings_diamond_min_coins",
        title={"en": "Coins for the savings diamond", "zh-TW": "剩餘錢鑽石的下限"},
        description={
            "en": "Coins a seat must have left to get the diamond for the most coins.",
            "zh-TW": "至少剩下多少錢，才能獲得剩餘錢最多的鑽石。",
        },
        default_value=0,
        min_value=0,
        max_value=5,
    ),
    ChoiceOption(
        name="dark_spaces",
        title={"en": "Dark spaces", "zh-TW": "深色空格"},
        description={
            "en": "When the dark spaces of a park may be used.",
            "zh-TW": "何時可以使用花園的深色空格。",
        },
        default_value=AFTER_LIGHT_FULL,
        enum=pb.DiamondsClubDarkSpaces,
        choices={
            AFTER_LIGHT_FULL: {"en": "when all light spaces are full", "zh-TW": "淺色空格填滿之後"},
            ANYTIME: {
                "en": "when the light spaces without a picture are full",
                "zh-TW": "沒有畫建築物的淺色空格填滿之後",
            },
        },
    ),
    BoolOption(
        name="printed_any_building",
        title={"en": "Any building on a picture", "zh-TW": "畫有建築物的空格可蓋任何建築物"},
        description={
            "en": "Any building may cover a printed space, not only the one shown.",
            "zh-TW": "畫有建築物的空格可以蓋任何建築物，不限所畫的那種。",
        },
        default_value=0,
    ),
    IntOption(
        name="surcharge_per_marker",
        title={"en": "Surcharge", "zh-TW": "額外支付"},
        description={
            "en": "Gems added to a price for each marker that already stands in the chart.",
            "zh-TW": "建築物每已有一位玩家購買，就要額外多付幾顆寶石。",
        },
        default_value=1,
        min_value=0,
        max_value=MAX_SURCHARGE,
    ),
    _start_gems_option("blue", "Blue gems", "藍寶石"),
    _start_gems_option("yellow", "Yellow gems", "黃寶石"),
    _start_gems_option("green", "Green gems", "綠寶石"),
    _start_gems_option("red", "Red gems", "紅寶石"),
    _start_gems_option("diamonds", "Diamonds", "鑽石"),
    ChoiceOption(
        name="strip_refresh",
        title={"en": "New markets", "zh-TW": "更新市場"},
        description={
            "en": "How the market strips are drawn each round.",
            "zh-TW": "每輪如何抽出市場板塊。",
        },
        default_value=ALL_EACH_ROUND,
        enum=pb.DiamondsClubStripRefresh,
        choices={
            ALL_EACH_ROUND: {"en": "from all strips each round", "zh-TW": "每輪全部重洗"},
            CYCLE: {"en": "through the piles, then shuffle", "zh-TW": "抽完整疊再重洗"},
        },
    ),
    BoolOption(
        name="second_bonus_same_player",
        title={"en": "Both cards of a pair", "zh-TW": "可兼得兩張獎勵卡"},
        description={
            "en": "One seat may take both the first and the second card of a pair.",
            "zh-TW": "同一位玩家可以取得第一個與第二個蓋出的獎勵卡。",
        },
        default_value=1,
    ),
    BoolOption(
        name="uncovered_printed_zero",
        title={"en": "Zero for an open picture", "zh-TW": "畫有建築物的空格沒蓋滿為 0 分"},
        description={
            "en": "An uncovered printed space makes the whole score 0.",
            "zh-TW": "畫有建築物的空格沒蓋滿時，整場以 0 分計算。",
        },
        default_value=1,
    ),
    IntOption(
        name="max_rounds",
        title={"en": "Most rounds", "zh-TW": "輪數上限"},
        description={
            "en": "The game ends after this round at the latest.",
            "zh-TW": "最晚在這一輪之後結束遊戲。",
        },
        default_value=20,
        min_value=1,
        max_value=MAX_ROUNDS,
    ),
    BoolOption(
        name="random_start",
        title={"en": "Random start player", "zh-TW": "隨機起始玩家"},
        description={
            "en": "Draw the first start player at random; otherwise seat 0 starts.",
            "zh-TW": "隨機決定起始玩家，否則由 0 號座位開始。",
        },
        default_value=1,
    ),
)

VARIANTS: tuple[VariantSpec, ...] = (
    VariantSpec(
        variant_id="standard",
        name={"en": "Standard", "zh-TW": "標準規則"},
        description={"en": "The rules as printed.", "zh-TW": "依照規則書進行。"},
        values={},
        seats=(2, 3, 4),
    ),
    VariantSpec(
        variant_id="thrifty",
        name={"en": "Savings count", "zh-TW": "有存款才有鑽石"},
        description={
            "en": "Whoever has spent everything gets no diamond for the most coins.",
            "zh-TW": "錢花光的玩家不能獲得剩餘錢最多的鑽石。",
        },
        values={"savings_diamond_min_coins": 1},
        seats=(2, 3, 4),
    ),
    VariantSpec(
        variant_id="quick_building",
        name={"en": "Quick building", "zh-TW": "快速建築"},
        description={
            "en": "Each seat makes all its purchases of buildings in one turn.",
            "zh-TW": "每位玩家輪到時一次買完所有建築物。",
        },
        values={"build_order": ALL_AT_ONCE},
        seats=(2, 3, 4),
    ),
)
