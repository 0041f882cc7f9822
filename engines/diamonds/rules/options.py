"""The options of Diamonds (rules section 7) and the named variants."""

from __future__ import annotations

from adamas.v1 import diamonds_pb2 as pb
from engines.options import BoolOption, ChoiceOption, IntOption, OptionSpec, VariantSpec

TABLE = pb.DIAMONDS_ROUND_COUNT_TABLE
PLAYER_COUNT = pb.DIAMONDS_ROUND_COUNT_PLAYER_COUNT
FIXED = pb.DIAMONDS_ROUND_COUNT_FIXED
LEFT = pb.DIAMONDS_DEALER_ROTATION_LEFT
ANY = pb.DIAMONDS_DEALER_ROTATION_ANY
NOBODY = pb.DIAMONDS_END_OF_ROUND_TIE_NOBODY
ALL_TIED = pb.DIAMONDS_END_OF_ROUND_TIE_ALL_TIED
TWO_DIAMONDS = pb.DIAMONDS_NO_TRICK_BONUS_TWO_DIAMONDS
TWO_ANY = pb.DIAMONDS_NO_TRICK_BONUS_TWO_ANY
THREE = pb.DIAMONDS_TEAM_START_GEMS_THREE
SIX = pb.DIAMONDS_TEAM_START_GEMS_SIX
PER_TEAM = pb.DIAMONDS_TEAM_NO_TRICK_ACTIONS_PER_TEAM
PER_PARTNER = pb.DIAMONDS_TEAM_NO_TRICK_ACTIONS_PER_PARTNER

MAX_ROUNDS = 12
MAX_SUPPLY = 1000
PRINTED_SUPPLY = 235
"""110 small crystals of one point and 25 large ones of five (section 1)."""
TEAM_SEATS = (4, 6)
PERFECT_SEATS = (2, 3, 4, 5)

OPTIONS: tuple[OptionSpec, ...] = (
    ChoiceOption(
        name="round_count",
        title={"en": "Number of rounds", "zh-TW": "輪數"},
        description={
            "en": "How many rounds a game has.",
            "zh-TW": "一場遊戲進行幾輪。",
        },
        default_value=TABLE,
        enum=pb.DiamondsRoundCount,
        choices={
            TABLE: {
                "en": "by the table: 4, 6, 4, 5, 6 for 2 to 6 seats",
                "zh-TW": "依規則表：2 至 6 人遊戲分別進行 4、6、4、5、6 輪",
            },
            PLAYER_COUNT: {"en": "as many as seats", "zh-TW": "與玩家人數相同"},
            FIXED: {"en": "the fixed number", "zh-TW": "自訂輪數"},
        },
    ),
    IntOption(
        name="fixed_rounds",
        title={"en": "Fixed number of rounds", "zh-TW": "自訂輪數"},
        description={
            "en": "How many rounds, if the number is fixed.",
            "zh-TW": "選擇自訂輪數時，進行幾輪。",
        },
        default_value=4,
        min_value=1,
        max_value=MAX_ROUNDS,
    ),
    ChoiceOption(
        name="dealer_rotation",
        title={"en": "Next dealer", "zh-TW": "下一位發牌員"},
        description={
            "en": "Who deals the next round.",
            "zh-TW": "下一輪由誰發牌。",
        },
        default_value=LEFT,
        enum=pb.DiamondsDealerRotation,
        choices={
            LEFT: {"en": "the dealer's left neighbour", "zh-TW": "發牌員左手邊的玩家"},
            ANY: {"en": "anybody, at random", "zh-TW": "隨機決定"},
        },
    ),
    ChoiceOption(
        name="end_of_round_tie",
        title={"en": "Tie for the most cards", "zh-TW": "花色張數平手"},
        description={
            "en": "Who acts when several have captured the most cards of a suit.",
            "zh-TW": "一輪結束時，吃到最多某花色牌的玩家平手，由誰執行花色行動。",
        },
        default_value=NOBODY,
        enum=pb.DiamondsEndOfRoundTie,
        choices={
            NOBODY: {"en": "nobody", "zh-TW": "無人"},
            ALL_TIED: {"en": "all of them", "zh-TW": "平手的玩家都執行"},
        },
    ),
    IntOption(
        name="supply",
        title={"en": "Crystals in the box", "zh-TW": "鑽石總數"},
        description={
            "en": "All crystals in points, those in the first showrooms included; the printed box "
            f"has {PRINTED_SUPPLY}. 0 means unlimited.",
            "zh-TW": f"全部鑽石的總分（含起始展示間）；實體盒裝為 {PRINTED_SUPPLY} 分，"
            "0 表示無限。",
        },
        default_value=0,
        min_value=0,
        max_value=MAX_SUPPLY,
    ),
    ChoiceOption(
        name="no_trick_bonus",
        title={"en": "Bonus for no tricks", "zh-TW": "沒有贏墩的獎勵"},
        description={
            "en": "What a seat that won no trick in a round gets.",
            "zh-TW": "一輪中沒有贏得任何一墩的玩家得到什麼。",
        },
        default_value=TWO_DIAMONDS,
        enum=pb.DiamondsNoTrickBonus,
        choices={
            TWO_DIAMONDS: {"en": "two diamonds actions", "zh-TW": "執行兩次方塊花色行動"},
            TWO_ANY: {"en": "two actions of its choice", "zh-TW": "任選花色執行兩次花色行動"},
        },
    ),
    BoolOption(
        name="perfect",
        title={"en": "Perfect Diamonds", "zh-TW": "完美鑽石"},
        description={
            "en": "A smaller deck that is dealt out completely.",
            "zh-TW": "使用較少的牌，並且全部發完。",
        },
        default_value=0,
        seats=PERFECT_SEATS,
    ),
    BoolOption(
        name="teams",
        title={"en": "Partnership", "zh-TW": "合作規則"},
        description={
            "en": "Partners sit opposite, pass to each other and share vault and showroom.",
            "zh-TW": "夥伴坐在對面，互相傳牌，共用一個金庫與展示間。",
        },
        default_value=0,
        seats=TEAM_SEATS,
    ),
    ChoiceOption(
        name="team_start_gems",
        title={"en": "A team's first crystals", "zh-TW": "隊伍起始鑽石"},
        description={
            "en": "Crystals in a team's showroom at the start of a partnership game.",
            "zh-TW": "合作規則中，遊戲開始時每隊展示間裡的鑽石數。",
        },
        default_value=THREE,
        enum=pb.DiamondsTeamStartGems,
        choices={
            THREE: {"en": "three a team", "zh-TW": "每隊三顆"},
            SIX: {"en": "six a team", "zh-TW": "每隊六顆"},
        },
        seats=TEAM_SEATS,
    ),
    ChoiceOption(
        name="team_no_trick_actions",
        title={"en": "A team's bonus for no tricks", "zh-TW": "隊伍沒有贏墩的獎勵"},
        description={
            "en": "How often a team gets the bonus when both partners won no trick.",
            "zh-TW": "兩位夥伴都沒有贏得任何一墩時，獎勵給幾次。",
        },
        default_value=PER_TEAM,
        enum=pb.DiamondsTeamNoTrickActions,
        choices={
            PER_TEAM: {"en": "once a team", "zh-TW": "每隊一次"},
            PER_PARTNER: {"en": "once for each partner", "zh-TW": "每位夥伴一次"},
        },
        seats=TEAM_SEATS,
    ),
    BoolOption(
        name="thief_token",
        title={"en": "Thief token", "zh-TW": "盜賊標記"},
        description={
            "en": "Clubs take from whoever has the token, which then moves one seat to the left.",
            "zh-TW": "梅花花色行動改從持有標記的玩家偷鑽石，之後標記移到左手邊的玩家。",
        },
        default_value=0,
    ),
    BoolOption(
        name="expose_vaults",
        title={"en": "Show vaults", "zh-TW": "公開金庫"},
        description={
            "en": "Whether frontends should show the vaults of others; bots remember them anyway.",
            "zh-TW": "畫面是否顯示其他玩家的金庫；電腦玩家無論如何都會記得。",
        },
        default_value=1,
    ),
    BoolOption(
        name="expose_captured",
        title={"en": "Count captured cards", "zh-TW": "公開吃到的牌數"},
        description={
            "en": "Whether views count the captured cards of each suit.",
            "zh-TW": "玩家視角是否列出每位玩家各種花色吃到的張數。",
        },
        default_value=1,
    ),
)

_ALL_SEATS = (2, 3, 4, 5, 6)

VARIANTS: tuple[VariantSpec, ...] = (
    VariantSpec(
        variant_id="standard",
        name={"en": "Standard", "zh-TW": "標準規則"},
        description={
            "en": "Ten cards each, everybody plays alone; with 2 seats two cards each to a trick.",
            "zh-TW": "每位玩家 10 張牌，各自為戰；2 人遊戲每墩各打出 2 張。",
        },
        values={},
        seats=_ALL_SEATS,
    ),
    VariantSpec(
        variant_id="perfect",
        name={"en": "Perfect Diamonds", "zh-TW": "完美鑽石"},
        description={
            "en": "The highest ranks are removed so that all cards are dealt.",
            "zh-TW": "移除數字最大的牌，讓所有的牌都發完。",
        },
        values={"perfect": 1},
        seats=PERFECT_SEATS,
    ),
    VariantSpec(
        variant_id="partnership",
        name={"en": "Partnership", "zh-TW": "合作規則"},
        description={
            "en": "Two or three teams of opposite seats with one vault and showroom each.",
            "zh-TW": "夥伴坐在對面，分成兩隊或三隊，每隊共用一個金庫與展示間。",
        },
        values={"teams": 1},
        seats=TEAM_SEATS,
    ),
    VariantSpec(
        variant_id="thief_token",
        name={"en": "Thief token", "zh-TW": "盜賊標記"},
        description={
            "en": "The second edition's mini-expansion: a token says whom clubs take from.",
            "zh-TW": "第二版的迷你擴充：由標記決定梅花花色行動偷誰的鑽石。",
        },
        values={"thief_token": 1},
        seats=_ALL_SEATS,
    ),
    VariantSpec(
        variant_id="one_deal_each",
        name={"en": "One deal each", "zh-TW": "每人發牌一次"},
        description={
            "en": "As many rounds as seats, as some accounts of the rules have it.",
            "zh-TW": "輪數與玩家人數相同，依部分規則說明。",
        },
        values={"round_count": PLAYER_COUNT},
        seats=_ALL_SEATS,
    ),
)
