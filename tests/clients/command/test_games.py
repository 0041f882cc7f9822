"""`adamas games`."""

from adamas.v1 import rules_service_pb2 as rules
from adamas.v1.dao_pb2 import DaoOptions
from adamas.v1.game_pb2 import GameOptions
from tests.clients.command.scripts import SUMMARY, Run
from tests.clients.fake_server import FakeServer


def test_games(run: Run, server: FakeServer) -> None:
    for flags in ([], ["--json"]):
        server.expect("ListGames", rules.ListGamesResponse(games=[SUMMARY]))
        assert run("games", *flags) == 0
        if flags:
            assert run.values == [
                [{"game_id": "dao", "name": "DAO", "min_seats": 2, "max_seats": 6}]
            ]
        else:
            assert run.out == "DAO (dao), 2 to 6 seats\n"


def test_one_game(run: Run, server: FakeServer) -> None:
    described = rules.GetGameResponse(
        summary=SUMMARY,
        description="Take or turn.",
        variants=[
            rules.Variant(
                variant_id="short", name="Short", options=GameOptions(dao=DaoOptions()), seats=[2]
            )
        ],
        options=[
            rules.Option(
                name="row", int_option=rules.IntOption(default_value=3, min_value=2, max_value=4)
            )
        ],
        levels=[rules.Level(level=1, rating=203.4)],
    )
    exchange = server.expect("GetGame", described)
    assert run("games", "dao", "--seats", 2, "--language", "zh-TW") == 0
    assert (exchange.request.seats, exchange.request.language) == (2, "zh-TW")
    for text in ("Take or turn.", "short（2 人）", "row = 3（2 至 4）", "1：Elo 203"):
        assert text in run.out
    server.expect("GetGame", described)
    assert run("games", "dao", "--json") == 0
    assert run.values[0]["variants"][0]["options"] == {}
