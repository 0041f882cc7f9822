"""The demonstration runs, in both languages, and shows what it says it shows."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.message import Message
from rich.console import Console

from adamas import Client, Limit
from adamas.v1.dao_pb2 import DAO_ELEMENT_FIRE, DaoCard
from demo.boards import board
from demo.positions import Shipped, shipped_positions
from demo.program import main
from demo.ranking import show_advice
from demo.text import LANGUAGES, words
from server.embedded import embedded_server

QUICK = ["--time", "0.05", "--move-time", "0.003"]


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_server() as address:
        yield address


@pytest.mark.parametrize("language", LANGUAGES)
def test_positions_and_a_game(
    target: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*QUICK, "--server", target, "--language", language]) == 0
    shown = capsys.readouterr().out
    text = words(language)
    with Client(target, language=language) as client:
        games = {game.game_id: game.name for game in client.games()}
    for position in shipped_positions():
        if position.game_id in games:
            assert games[position.game_id] in shown
    assert text["reason"] in shown
    assert "±" in shown
    assert text["result"] in shown
    assert text["wins"] in shown or text["shares"] in shown
    assert "\x1b" not in shown  # no colours where the output is no terminal


def test_one_game_and_no_match(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*QUICK, "--server", target, "--game", "dao", "--no-game"]) == 0
    shown = capsys.readouterr().out
    assert "Row, front first: Fire 1  Fire 0  Water 3" in shown
    assert words("en")["result"] not in shown


def test_a_game_that_is_unknown(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--server", target, "--game", "go"]) == 2
    assert "no game 'go'" in capsys.readouterr().err


def test_a_server_that_is_not_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Client, "wait_ready", lambda _: None)
    assert main(["--server", "127.0.0.1:1"]) == 1
    assert "no answer from a server at 127.0.0.1:1" in capsys.readouterr().err


@pytest.mark.parametrize("position", shipped_positions(), ids=lambda position: position.game_id)
def test_shipped_positions_can_be_searched(target: str, position: Shipped) -> None:
    with Client(target) as client:
        if position.game_id not in {game.game_id for game in client.games()}:
            pytest.skip("a game that this server does not have")
        assert client.validate(position.view) == ()
        assert len(client.legal_moves(position.view)) > 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("position", shipped_positions(), ids=lambda position: position.game_id)
def test_boards_are_shown_whole_on_a_narrow_terminal(position: Shipped, language: str) -> None:
    view = position.view
    if position.game_id == "diamonds_club":  # as wide as it gets: four seats
        view.table.players.append(view.table.players[0])
    narrow, wide = (_shown(view, language, width) for width in (80, 200))
    assert narrow == wide
    assert "…" not in narrow


def _shown(view: Message, language: str, width: int) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    console.print(board(view, language))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_picture(target: str, tmp_path: Path) -> None:
    picture = tmp_path / "demo.svg"
    arguments = ["--server", target, "--game", "dao", "--no-game", "--picture", str(picture)]
    assert main([*QUICK, *arguments]) == 0
    text = picture.read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert "expected&#160;score" in text


def test_a_move_is_told_once(target: str) -> None:
    """Its reason names it, so its words are not shown beside it."""
    (position,) = (shown for shown in shipped_positions() if shown.game_id == "dao")
    with Client(target) as client:
        console = Console(file=io.StringIO(), width=200, highlight=False)
        show_advice(client, position, Limit(iterations=50), "en", console, seed=7)
    assert isinstance(console.file, io.StringIO)
    ranking = console.file.getvalue().split("Expected line")[0].lower()
    assert ranking.count("takes fire 1 (") == 1
    assert ranking.count("takes fire 1") == 1


def test_what_is_no_position(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"chess": {}}')
    with pytest.raises(ValueError, match=r"broken\.json is no PlayerView"):
        shipped_positions(tmp_path)
    (tmp_path / "broken.json").write_text("{}")
    with pytest.raises(ValueError, match="of no game"):
        shipped_positions(tmp_path)


def test_a_game_without_a_board_is_shown_field_by_field() -> None:
    assert "element: DAO_ELEMENT_FIRE" in str(board(DaoCard(element=DAO_ELEMENT_FIRE), "en"))
