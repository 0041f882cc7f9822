"""The words of all games, over games that are played: what holds for every sentence of a language.

Which words are right is written in docs/words.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from engines.contract import CandidateFigures, Game
from engines.events import new_log
from engines.jit import Row
from engines.languages import ENGLISH, LANGUAGES, TRADITIONAL_CHINESE
from engines.options import ChoiceOption, NameOption
from engines.registry import games
from tests.contract.play import Setting, legal_moves, plies, variants

NAMES = ("Diamonds Club", "Diamonds", "Diam's", "DAO", "Dodekka", "BGA")
"""Names of games, editions and platforms: all that Chinese sentences have of Latin letters."""

GLOSSARY = Path(__file__).parents[2] / "docs" / "words.md"

CHANCES = re.compile(r"[\d.]+ ?%")


def other_words(heading: str) -> list[str]:
    """The column "not" of a game's table: words that the rules texts have another word for."""
    section = GLOSSARY.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("|")]
    assert [cell.strip() for cell in rows[0]][3] == "not"
    return [word.strip() for row in rows[2:] for word in row[3].split(",") if word.strip()]


def figures(moves: Iterable[int]) -> list[CandidateFigures]:
    """A ranking with the usual and the unusual: figures in order, level, mixed, and reversed."""
    told = [
        (900, 0.41, 33.6),
        (200, 0.37, 32.3),
        (90, 0.41, 33.6),
        (80, 0.4, 35.0),
        (70, 0.5, -3.0),
    ]
    return [
        CandidateFigures(move, *told[place % len(told)], 0.3, (move,))
        for place, move in enumerate(moves)
    ]


def spread(moves: list[int], most: int = 12) -> list[int]:
    """Some of the moves, from all over the list."""
    return moves[:: 1 + len(moves) // most]


def sentences_at(game: Game, row: Row, move: int, language: str) -> Iterator[str]:
    """The words of a position's moves, of their reasons, and of what a move brings about."""
    words = game.words
    moves = spread(legal_moves(game, row))
    for legal in moves:
        yield words.move(row, legal, language)
    yield words.hidden_move(row, language)
    for ranking in (figures(moves), figures(moves[::-1]), figures(moves[:1])):
        for index in range(len(ranking)):
            yield words.reason(row, ranking, index, language)
    after, log = row.copy(), new_log()
    game.kernels.apply_move(after, move, log)
    for event in game.codec.write_events(row, after, log):
        yield words.event(event, language)


def sentences(game: Game, language: str) -> set[str]:
    """Everything that is said in a game of each variant, and of its options."""
    found = {game.words.name(language), game.words.description(language)}
    for variant in game.variants:
        found |= {variant.name[language], variant.description[language]}
    for option in game.options:
        found |= {option.title[language], option.description[language]}
        if isinstance(option, ChoiceOption):
            found |= {label[language] for label in option.choices.values()}
        if isinstance(option, NameOption):
            found |= {label[language] for label in option.names.values()}
    for setting in _settings(game):
        for ply, (row, move) in enumerate(plies(setting, 5)):
            if move >= 0 and ply % 3 == 0:
                found |= set(sentences_at(game, row, move, language))
    return found


def _settings(game: Game) -> list[Setting]:
    """One game of each variant."""
    found = {}
    for setting in variants():
        if setting.game is game:
            found[setting.label] = setting
    return list(found.values())


@pytest.fixture(scope="module", params=games().values(), ids=lambda game: game.game_id)
def game(request: pytest.FixtureRequest) -> Game:
    found: Game = request.param
    return found


@pytest.fixture(scope="module")
def chinese(game: Game) -> set[str]:
    return sentences(game, TRADITIONAL_CHINESE)


@pytest.fixture(scope="module")
def english(game: Game) -> set[str]:
    return sentences(game, ENGLISH)


def test_chinese_is_chinese(chinese: set[str]) -> None:
    for sentence in chinese:
        rest = sentence
        for name in NAMES:
            rest = rest.replace(name, "")
        assert not re.search(r"[A-Za-z]", rest), sentence
        assert not re.search(r"[,;:!?()]", rest), sentence


def test_chinese_keeps_to_the_words_of_the_rules(game: Game, chinese: set[str]) -> None:
    words = other_words(game.words.name(ENGLISH))
    assert words
    for sentence in chinese:
        for word in words:
            assert word not in sentence, sentence


def test_chinese_spaces_its_digits(chinese: set[str]) -> None:
    for sentence in chinese:
        assert not re.search(
            r"[\u4e00-\u9fff]\d|\d[\u4e00-\u9fff]|  | [，。：；、）」]", sentence
        ), sentence
        assert sentence.count("「") == sentence.count("」"), sentence


def test_differences_have_verbs_and_no_signs(chinese: set[str], english: set[str]) -> None:
    for sentence in chinese:
        assert not re.search(r"[+±]", sentence), sentence
    for sentence in chinese | english:
        for chance in CHANCES.finditer(sentence):
            before = sentence[: chance.start()]
            assert before.endswith("勝率 ") or sentence[chance.end() :].startswith(" to win"), (
                sentence
            )


def test_a_minus_sign_is_no_hyphen(chinese: set[str], english: set[str]) -> None:
    for sentence in chinese | english:
        assert not re.search(r"[-\u2013\u2014]\d", sentence), sentence


def test_all_of_them_is_not_told_as_so_many_of_as_many(
    chinese: set[str], english: set[str]
) -> None:
    for sentence in english:
        assert not re.search(r"\b(\d+) of \1\b", sentence), sentence
    for sentence in chinese:
        assert not re.search(r"\b(\d+) [張顆片][^，：]*中[^，：]* \1 [張顆片]", sentence), sentence


def test_one_thing_is_no_plural(english: set[str]) -> None:
    for sentence in english:
        assert not re.search(
            r"(?<![\d.−-])1 (cards|coins|tiles|gems|diamonds|chips)\b", sentence
        ), sentence


def test_nothing_is_left_to_be_filled_in(chinese: set[str], english: set[str]) -> None:
    for sentence in chinese | english:
        assert sentence.strip() == sentence != "", sentence
        assert not re.search(r"[{}]|None|：。|: \.", sentence), sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_names_its_move(game: Game, language: str) -> None:
    """A frontend that shows reasons need not show the move's words beside them."""
    for setting in _settings(game):
        for ply, (row, move) in enumerate(plies(setting, 6)):
            if move < 0 or ply % 7:
                continue
            moves = spread(legal_moves(game, row))
            said = {
                game.words.reason(row, [CandidateFigures(m, 9, 0.5, 1.0, 0.5, (m,))], 0, language)
                for m in moves
            }
            assert len(said) == len(moves)
