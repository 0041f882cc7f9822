"""The demonstration's own words. Moves, events and reasons come from the service."""

from collections.abc import Mapping

LANGUAGES = ("en", "zh-TW")

_WORDS = {
    "en": {
        "starting": "Starting the server (its first start ever compiles the rules) …",
        "ready": "Ready after {seconds:.1f} s. This server plays {games}.",
        "web": "To sit down at a table yourself, in the browser: make web",
        "no_such_game": "There is no game {game!r}; this server has {games}.",
        "comma": ", ",
        "semicolon": "; ",
        "what_to_do": "What seat {seat} should do ({shown} of {legal} legal moves, "
        "most tried first):",
        "reason": "move and why",
        "win": "win",
        "score": "expected score",
        "visits": "tried",
        "line": "Expected line: {line}",
        "line_move": "seat {seat} {words}",
        "figures": "{iterations:,} iterations in {seconds:.2f} s ({rate:,.0f} a second), "
        "{nodes:,} nodes",
        "figures_untimed": "{iterations:,} iterations, {nodes:,} nodes",
        "match": "{game}: a game of {seats} bots, {milliseconds:.0f} ms a move",
        "result": "Result",
        "seat": "seat {seat}",
        "points": "{score} points",
        "wins": "wins",
        "shares": "shares the victory",
        "moves": "{moves} moves in {seconds:.1f} s.",
    },
    "zh-TW": {
        "starting": "正在啟動伺服器（首次啟動需要編譯規則）…",
        "ready": "{seconds:.1f} 秒後就緒。本伺服器提供：{games}。",
        "web": "想自己坐下來玩，可在瀏覽器開一桌：make web",
        "no_such_game": "沒有遊戲 {game!r}；本伺服器提供：{games}。",
        "comma": "、",
        "semicolon": "；",
        "what_to_do": "{seat} 號座位該怎麼做（{legal} 種合法的選擇中的 {shown} 種，"
        "試過最多次的在前）：",
        "reason": "行動與理由",
        "win": "勝率",
        "score": "預期分數",
        "visits": "試過次數",
        "line": "預期走法：{line}",
        "line_move": "{seat} 號座位{words}",
        "figures": "{seconds:.2f} 秒內 {iterations:,} 次迭代（每秒 {rate:,.0f} 次），"
        "{nodes:,} 個節點",
        "figures_untimed": "{iterations:,} 次迭代，{nodes:,} 個節點",
        "match": "{game}：{seats} 位電腦玩家對戰，每步 {milliseconds:.0f} 毫秒",
        "result": "結果",
        "seat": "{seat} 號座位",
        "points": "{score} 分",
        "wins": "獲勝",
        "shares": "共享勝利",
        "moves": "共 {moves} 步，耗時 {seconds:.1f} 秒。",
    },
}


def words(language: str) -> Mapping[str, str]:
    """All words of a language."""
    return _WORDS[language]
