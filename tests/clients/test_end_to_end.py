"""The client with the real server."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adamas import (
    AsyncBotPlayer,
    AsyncClient,
    BotPlayer,
    Client,
    InvalidRequest,
    Limit,
    Query,
    RandomPlayer,
    StopReason,
    play_match,
    play_match_async,
)
from adamas.v1.dao_pb2 import DaoMove, DaoOptions, DaoView
from adamas.v1.game_pb2 import GameOptions
from server.embedded import embedded_server
from server.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "clients" / "python" / "README.md"


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_server() as address:
        yield address


@pytest.fixture
def client(target: str) -> Iterator[Client]:
    with Client(target) as client:
        yield client


def options(game_id: str) -> GameOptions:
    """All defaults."""
    message = GameOptions()
    getattr(message, game_id).SetInParent()
    return message


def test_a_seed_and_an_iteration_limit_fix_the_answer(client: Client) -> None:
    table = client.table(DaoOptions(), seats=3, seed=7)
    view = table.view(0)
    assert isinstance(view, DaoView)

    def answer(**position: Any) -> list[tuple[str, int, float]]:
        advice = client.recommend(limit=Limit(iterations=500), seed=3, trees=1, **position)
        assert isinstance(advice.best_move, DaoMove)
        assert advice.search.iterations == 500
        assert advice.search.stop_reason is StopReason.ITERATIONS
        assert advice.search.seed == 3
        return [(each.words, each.visits, each.expected_score) for each in advice.candidates]

    first = answer(position=view)
    assert answer(position=view) == first
    assert answer(position=table.state, seat=0) == first


def test_an_analysis_ends_with_one_final_answer(client: Client) -> None:
    view = client.table(DaoOptions(), seats=3, seed=7).view(0)
    with client.analyze(view, Limit(time=0.3), update_interval=0.05) as analysis:
        updates = list(analysis)
    assert [update.final for update in updates] == [False] * (len(updates) - 1) + [True]
    assert len(updates) > 1
    iterations = [update.search.iterations for update in updates]
    assert iterations == sorted(iterations)
    assert updates[-1].search.stop_reason is StopReason.TIME


def test_a_batch_of_every_game_with_a_bad_position_amid(client: Client) -> None:
    queries = []
    for game in client.games():
        table = client.table(options(game.game_id), game.min_seats, seed=3)
        seat = table.seats_to_move[0]
        queries += [
            Query(table.view(seat), Limit(iterations=50), request_id=f"{game.game_id} {number}")
            for number in range(10)
        ]
    queries.insert(20, Query(DaoView(seats=9), request_id="bad"))
    with client.recommend_batch(queries, window=8) as batch:
        results = {result.request_id: result for result in batch}
    assert results.keys() == {query.request_id for query in queries}
    error = results.pop("bad").error
    assert isinstance(error, InvalidRequest)
    assert error.violations[0].field == "query.view.dao.seats"
    for result in results.values():
        assert result.get().search.stop_reason in {StopReason.ITERATIONS, StopReason.SINGLE_MOVE}


async def test_a_batch_outlives_a_server_and_loses_nothing() -> None:
    """A server stops in the midst of a batch, and another takes its place."""
    with embedded_server() as address, Client(address) as first:
        view = first.table(DaoOptions(), seats=3, seed=7).view(0)
    port = int(address.rsplit(":", 1)[1])
    results = []
    servers = [embedded_server(Settings(port=port, log_level="error")) for _ in range(2)]
    await asyncio.to_thread(servers[0].__enter__)
    async with (
        AsyncClient(address, grace=30) as client,
        client.recommend_batch([view] * 60, Limit(time=0.05), retries=100) as batch,
    ):
        async for result in batch:
            results.append(result)
            if len(results) == 20:
                await asyncio.to_thread(servers[0].__exit__, None, None, None)
                await asyncio.to_thread(servers[1].__enter__)
    await asyncio.to_thread(servers[1].__exit__, None, None, None)
    assert sorted(int(result.request_id) for result in results) == list(range(60))
    assert all(result.advice for result in results)


def test_what_is_wrong_is_said(client: Client) -> None:
    with pytest.raises(InvalidRequest) as caught:
        client.recommend(DaoView(seats=9))
    assert caught.value.violations[0].field == "query.view.dao.seats"
    assert client.validate(DaoView(seats=9))[0].field == "view.dao.seats"
    with pytest.raises(InvalidRequest, match=r"game_id: .*diamonds"):
        client.game("no-such-game")


def test_every_game_is_played_to_its_end(client: Client) -> None:
    for game in client.games():
        assert client.game(game.game_id).summary == game
        table = client.table(options(game.game_id), game.min_seats, seed=11)
        bot = BotPlayer(client, Limit(iterations=10))
        players = [bot, RandomPlayer(client, seed=1), *[bot] * (game.min_seats - 2)]
        results = play_match(table, players)
        assert table.over
        assert sum(result.win_share for result in results) == pytest.approx(1)
        assert len(table.winners) >= 1


async def test_a_match_for_asyncio(target: str) -> None:
    async with AsyncClient(target, language="zh-TW") as client:
        table = await client.table(DaoOptions(), seats=2, seed=5)
        words: list[str] = []
        await play_match_async(
            table,
            [AsyncBotPlayer(client, Limit(iterations=30))] * 2,
            lambda turn: words.extend(event.words for event in turn.events),
        )
    assert table.over
    assert any("座位" in sentence for sentence in words)


def readme_blocks() -> list[str]:
    text = README.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 5
    return blocks


def test_the_readme_is_true(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"__name__": "readme"}
    for block in readme_blocks():
        exec(compile(block.replace("localhost:50051", target), README.name, "exec"), names)  # noqa: S102
    shown = capsys.readouterr().out
    assert "query.view.dao.row[0].value - " in shown
    for sample in re.findall(r"  # (\w+ \w+)", "\n".join(readme_blocks())):
        assert sample.split()[0] in shown
