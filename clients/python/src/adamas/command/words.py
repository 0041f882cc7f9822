"""The commands' own sentences in each language. Moves, events and reasons come from the service."""

from collections.abc import Mapping

from adamas.command.languages import ENGLISH, TRADITIONAL_CHINESE, known

Words = Mapping[str, str]

_WORDS: Mapping[str, Words] = {
    ENGLISH: {
        "game": "{name} ({game_id}), {fewest} to {most} seats",
        "variants": "variants",
        "variant": "  {variant_id} ({seats} seats): {name}. {description}",
        "options": "options",
        "option": "  {name} = {default}",
        "option_of": "  {name} = {default} ({allowed})",
        "option_words": "      {title}. {description}",
        "range": "{least} to {most}",
        "comma": ", ",
        "levels": "levels",
        "level": "  {level:2}: {rating:.0f} Elo",
        "figures": "   win {win}, score {score}, {visits:,} visits",
        "so_far": "{iterations:,} iterations so far",
        "search": "{iterations:,} iterations in {seconds:.3f} s ({nodes:,} nodes, stopped by: "
        "{reason})",
        "running": "nothing yet",
        "single move": "single move",
        "time": "time",
        "iterations": "iterations",
        "deadline": "deadline",
        "shutdown": "shutdown",
        "no search": "no search",
        "solved": "solved",
        "other": "other",
        "nothing_wrong": "nothing is wrong with it",
        "violation": "{field}: {description}",
        "begin": "{game}: {seats} seats; you are seat {seat}, bots play at level {level}",
        "again": "this deal again: --seed {seed}",
        "prompt": "1 to {moves}, h(int), u(ndo), q(uit), or words of a move: ",
        "not_found": "no move has {said!r} in its words",
        "more": "      and {more} more; say words of a move to find it",
        "no_undo": "there is no decision of yours before this one",
        "kept": "the game is in {path}",
        "result": "seat {seat}: {score} points",
        "result_wins": "seat {seat}: {score} points, wins {share:.3g}",
        "you": "{result} (you)",
        "review_seat": "{result}; {decisions} decisions, {best} of them the best one; {lost:.1f} "
        "percentage points lost in all",
        "record_ends": "the record ends before the game does",
        "turned": "where the odds turned",
        "never_turned": "the odds never turned by much",
        "turn": "  from move {first} to {then}: seat {seat} {before} -> {after}",
        "mistakes": "mistakes",
        "no_mistakes": "no mistakes",
        "mistake": "  move {ply}, seat {seat}: {words}",
        "mistake_loss": "      wins {win} ({visits:,} visits); {loss:.1f} percentage points more "
        "with:",
        "better": "      {words} ({visits:,} visits)",
        "yes": "yes",
        "no": "no",
    },
    TRADITIONAL_CHINESE: {
        "game": "{name}（{game_id}），{fewest} 至 {most} 人",
        "variants": "玩法",
        "variant": "  {variant_id}（{seats} 人）：{name}。{description}",
        "options": "選項",
        "option": "  {name} = {default}",
        "option_of": "  {name} = {default}（{allowed}）",
        "option_words": "      {title}：{description}",
        "range": "{least} 至 {most}",
        "comma": "、",
        "levels": "強度等級",
        "level": "  {level:2}：Elo {rating:.0f}",
        "figures": "   勝率 {win}，預期分數 {score}，試過 {visits:,} 次",
        "so_far": "目前 {iterations:,} 次迭代",
        "search": "{seconds:.3f} 秒內 {iterations:,} 次迭代（{nodes:,} 個節點，"
        "結束原因：{reason}）",
        "running": "尚未結束",
        "single move": "只有一種選擇",
        "time": "時間用完",
        "iterations": "次數用完",
        "deadline": "期限將至",
        "shutdown": "伺服器關閉",
        "no search": "不需搜尋",
        "solved": "已經算盡",
        "other": "其他",
        "nothing_wrong": "沒有任何問題",
        "violation": "{field}：{description}",
        "begin": "{game}：{seats} 人遊戲；你是 {seat} 號座位，電腦玩家的強度等級是 {level}",
        "again": "重玩這副牌：--seed {seed}",
        "prompt": "1 到 {moves}、h（提示）、u（悔棋）、q（離開），或選擇中的字詞：",
        "not_found": "沒有任何選擇含有「{said}」",
        "more": "      還有 {more} 種；輸入選擇中的字詞就能找到",
        "no_undo": "在這之前沒有你的選擇",
        "kept": "這場遊戲存在 {path}",
        "result": "{seat} 號座位：{score} 分",
        "result_wins": "{seat} 號座位：{score} 分，勝利 {share:.3g}",
        "you": "{result}（你）",
        "review_seat": "{result}；做了 {decisions} 次選擇，其中 {best} 次最佳；總共損失 {lost:.1f} "
        "個百分點",
        "record_ends": "記錄在遊戲結束之前就中斷了",
        "turned": "局勢的轉折",
        "never_turned": "局勢沒有明顯的轉折",
        "turn": "  從第 {first} 步到第 {then} 步：{seat} 號座位 {before} → {after}",
        "mistakes": "失誤",
        "no_mistakes": "沒有失誤",
        "mistake": "  第 {ply} 步，{seat} 號座位：{words}",
        "mistake_loss": "      勝率 {win}（試過 {visits:,} 次）；"
        "以下的選擇高 {loss:.1f} 個百分點：",
        "better": "      {words}（試過 {visits:,} 次）",
        "yes": "是",
        "no": "否",
    },
}


def words_in(language: str) -> Words:
    """The sentences in the language that is nearest to a tag."""
    return _WORDS[known(language)]
