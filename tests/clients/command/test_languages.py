"""The commands in each language."""

import re
import string
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor

from adamas.command.languages import LANGUAGES, TRADITIONAL_CHINESE, preferred
from adamas.command.terms import Terms
from adamas.command.words import words_in
from adamas.search import StopReason
from adamas.v1 import rules_service_pb2 as rules
from adamas.v1.dao_pb2 import DaoState, DaoView
from adamas.v1.diamonds_club_pb2 import DiamondsClubTable
from adamas.v1.diamonds_pb2 import DiamondsCaptured
from adamas.v1.game_pb2 import GameState, PlayerView
from tests.clients.command.scripts import SUMMARY, Run
from tests.clients.command.test_play import expect_decision, expect_game
from tests.clients.command.test_review import expect_replay, expect_searches, ranked, record_file
from tests.clients.fake_server import FakeServer
from tests.clients.messages import REVEAL, TAKE, recommendation, update

CHINESE = Terms(TRADITIONAL_CHINESE)


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_TW.UTF-8"}, "zh-TW"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_HK"}, "zh-TW"),
        ({"LC_ALL": "C", "LANG": "zh_TW.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "zh_TW.UTF-8"}, "zh-TW"),
        ({"LANG": "zh_CN.UTF-8"}, "en"),
        ({"LANG": "yue-Hant-HK"}, "zh-TW"),
        ({"LANG": "zh"}, "zh-TW"),
    ],
)
def test_the_system_says_which_language(environment: dict[str, str], language: str) -> None:
    assert preferred(environment) == language


def test_all_languages_have_the_same_sentences() -> None:
    def parts(sentence: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(sentence)} - {None}

    first, *others = (words_in(language) for language in LANGUAGES)
    for other in others:
        assert first.keys() == other.keys()
        for key, sentence in first.items():
            assert parts(sentence) == parts(other[key]), key
    assert first.keys() >= set(StopReason)


def descriptors(message: Descriptor, found: dict[str, Descriptor]) -> None:
    """A message and all that it may hold, but what is never shown."""
    found[message.full_name] = message
    for field in message.fields:
        kind = field.message_type
        if kind and field.name not in {"options", "history"} and kind.full_name not in found:
            descriptors(kind, found)


def shown_descriptors() -> list[Descriptor]:
    found: dict[str, Descriptor] = {}
    for kind in (PlayerView, GameState):
        for field in kind.DESCRIPTOR.fields:
            assert field.message_type
            descriptors(field.message_type, found)
    return list(found.values())


@pytest.mark.parametrize("message", shown_descriptors(), ids=lambda message: message.name)
def test_every_field_and_value_of_a_position_has_a_term(message: Any) -> None:
    names = [CHINESE.name(field) for field in message.fields]
    assert len(set(names)) == len(names)
    for field in message.fields:
        if field.name not in {"options", "history"}:
            assert not re.search("[A-Za-z]", CHINESE.name(field)), field.full_name
        if field.enum_type is not None:
            for value in field.enum_type.values:
                assert not re.search("[A-Za-z]", CHINESE.value(field.enum_type, value.number))


def test_games_have_words_of_their_own() -> None:
    def name(message: Any, field: str) -> str:
        return CHINESE.name(message.DESCRIPTOR.fields_by_name[field])

    assert name(DaoView, "round") == "局"
    assert name(DiamondsClubTable, "round") == "輪"
    assert name(DiamondsCaptured, "diamonds") == "方塊"
    assert name(DaoState, "deck") == "牌庫"


def test_the_frame_is_in_the_language_of_the_words(
    run: Run, server: FakeServer, view: Path, tmp_path: Path
) -> None:
    server.expect("Recommend", recommendation())
    assert run("hint", view, locale="zh_TW.UTF-8") == 0
    assert run.out.splitlines()[1] == "   勝率 62.5%，預期分數 4.50，試過 90 次"
    assert "次迭代（" in run.out
    server.expect("Analyze", update(10), update(30, final=True))
    assert run("analyze", view, "--watch", "--language", "zh-TW") == 0
    assert "目前 20 次迭代" in run.out
    server.expect("ValidateView", rules.ValidateViewResponse())
    assert run("validate", view, "--language", "zh-TW") == 0
    assert run.out == "沒有任何問題\n"
    server.expect("ListGames", rules.ListGamesResponse(games=[SUMMARY]))
    assert run("games", "--language", "zh-TW") == 0
    assert run.out == "DAO（dao），2 至 6 人\n"
    expect_replay(server, 2)
    expect_searches(server, ranked(0.7, 0.5), ranked(0.5, 0.3))
    expect_searches(server, ranked(0.5, 0.4))
    assert run("review", record_file(tmp_path, TAKE, REVEAL), "--language", "zh-TW") == 0
    assert "1 號座位：3 分，勝利 1；做了 2 次選擇，其中 1 次最佳" in run.out
    assert "以下的選擇高 10.0 個百分點：" in run.out


def test_a_game_in_another_language(run: Run, server: FakeServer) -> None:
    expect_game(server, 0)
    expect_decision(server)
    said = "none\nundo\nq\n"
    assert run("play", "dao", stdin=said, locale="zh_TW.UTF-8") == 0
    for words in (
        "你是 0 號座位",
        "重玩這副牌：--seed ",
        "沒有任何選擇含有「none」",
        "在這之前沒有你的選擇",
    ):
        assert words in run.out
