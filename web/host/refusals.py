"""What a request is refused with, in the words of the person who asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_WORDS = {
    "invalid": {
        "en": "{what} makes no sense: {why}",
        "zh-TW": "{what} 不正確：{why}",
    },
    "illegal": {"en": "this move is not legal now", "zh-TW": "現在不能這樣行動"},
    "not_yours": {"en": "this is not your seat", "zh-TW": "這不是你的座位"},
    "owner_only": {
        "en": "only whoever opened the table may do this",
        "zh-TW": "只有開桌的人可以這麼做",
    },
    "other_site": {
        "en": "another site has sent this request",
        "zh-TW": "這個請求來自其他網站",
    },
    "not_found": {"en": "there is no such table", "zh-TW": "沒有這張桌子"},
    "no_page": {"en": "there is nothing here", "zh-TW": "這裡什麼都沒有"},
    "no_journal": {
        "en": "this host was started without a tournament's journal",
        "zh-TW": "這個主機啟動時沒有指定賽事紀錄",
    },
    "late": {"en": "this decision is over already", "zh-TW": "這個決定已經結束了"},
    "taken": {"en": "this seat is taken", "zh-TW": "這個座位已經有人了"},
    "seated": {"en": "you sit at this table already", "zh-TW": "你已經坐在這張桌子了"},
    "used": {"en": "this invitation has been used", "zh-TW": "這個邀請已經用過了"},
    "not_your_turn": {"en": "it is not your turn", "zh-TW": "還沒輪到你"},
    "no_hints": {"en": "this table plays without hints", "zh-TW": "這張桌子不提供提示"},
    "no_undo": {"en": "nothing can be taken back here", "zh-TW": "這裡沒有可以收回的行動"},
    "revealed": {
        "en": "something that was hidden has come to light since, so this stays as it is",
        "zh-TW": "之後已有原本隱藏的資訊公開，所以不能收回",
    },
    "not_over": {"en": "only when the game is over", "zh-TW": "遊戲結束後才可以"},
    "hidden": {
        "en": "other seats can be looked at once the game is over",
        "zh-TW": "遊戲結束後才能看其他座位",
    },
    "no_watching": {
        "en": "only where bots play among themselves",
        "zh-TW": "只有電腦彼此對戰時才可以",
    },
    "too_large": {
        "en": "this is too long: {most} bytes at most",
        "zh-TW": "太長了：最多 {most} 位元組",
    },
    "too_slow": {"en": "this request took too long to arrive", "zh-TW": "請求傳送得太慢了"},
    "too_many": {
        "en": "too much at once; try again in {seconds} s",
        "zh-TW": "太頻繁了，請 {seconds} 秒後再試",
    },
    "unavailable": {
        "en": "the Adamas server can't be reached just now; the table is kept",
        "zh-TW": "目前連不上 Adamas 伺服器；牌桌會保留",
    },
    "failed": {"en": "the host has failed on this request", "zh-TW": "主機處理這個請求時發生錯誤"},
}
LANGUAGES = ("en", "zh-TW")


@dataclass
class Refusal(Exception):
    """A request that is answered with an error on purpose.

    Attributes:
        status: The HTTP status.
        reason: For programs.
        key: Which words.
        parts: What goes into them.
        retry_after: Seconds after which the same may be asked again; 0: that does not help.
    """

    status: int
    reason: str
    key: str
    parts: dict[str, Any]
    retry_after: int = 0

    def words(self, language: str) -> str:
        """For people."""
        return words(self.key, language, **self.parts)

    def __str__(self) -> str:
        return self.words("en")


def words(key: str, language: str, **parts: Any) -> str:
    """A sentence of the host."""
    return _WORDS[key][language].format(**parts)


def invalid(what: str, why: str) -> Refusal:
    """Something in the request is wrong; ``what`` is its field."""
    return Refusal(400, "INVALID", "invalid", {"what": what, "why": why})


def illegal() -> Refusal:
    """A move against the rules."""
    return Refusal(400, "INVALID", "illegal", {})


def forbidden(key: str) -> Refusal:
    """Not for this browser."""
    return Refusal(403, "FORBIDDEN", key, {})


def not_found(key: str = "not_found") -> Refusal:
    """Nothing there, or nothing that this browser should know of."""
    return Refusal(404, "NOT_FOUND", key, {})


def late() -> Refusal:
    """For a decision that is over."""
    return Refusal(409, "LATE", "late", {})


def impossible(key: str) -> Refusal:
    """Not as things stand."""
    return Refusal(409, "IMPOSSIBLE", key, {})


def too_large(most: int) -> Refusal:
    """A body that nobody wants to read."""
    return Refusal(413, "TOO_LARGE", "too_large", {"most": most})


def too_slow() -> Refusal:
    """A body that does not come."""
    return Refusal(408, "TOO_SLOW", "too_slow", {})


def too_many(seconds: float) -> Refusal:
    """More than an address may ask for."""
    wait = max(1, round(seconds))
    return Refusal(429, "TOO_MANY", "too_many", {"seconds": wait}, wait)


def unavailable() -> Refusal:
    """The server can't be had."""
    return Refusal(503, "UNAVAILABLE", "unavailable", {}, 2)


def failed() -> Refusal:
    """A fault of the host."""
    return Refusal(500, "FAILED", "failed", {})
