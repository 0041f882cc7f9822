"""RulesService over gRPC, for every game."""

from __future__ import annotations

import random
from pathlib import Path

import grpc
import pytest
from google.protobuf import json_format

from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as pb
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from engines.registry import game, game_ids
from tests.server.positions import deal, failure, options

VIEWS = Path(__file__).parents[3] / "docs" / "views"


def test_list_games(rules: RulesServiceStub) -> None:
    found = rules.ListGames(pb.ListGamesRequest()).games
    assert [entry.game_id for entry in found] == list(game_ids())
    for entry in found:
        assert entry.name
        assert 2 <= entry.min_seats <= entry.max_seats


def test_names_come_in_the_language_asked_for(rules: RulesServiceStub, game_id: str) -> None:
    english = rules.GetGame(pb.GetGameRequest(game_id=game_id))
    chinese = rules.GetGame(pb.GetGameRequest(game_id=game_id, language="zh-Hant"))
    assert english.description != chinese.description
    assert [o.title for o in english.options] != [o.title for o in chinese.options]


def test_get_game_describes_every_option(rules: RulesServiceStub, game_id: str) -> None:
    message = getattr(game_pb2.GameOptions(), game_id)
    found = rules.GetGame(pb.GetGameRequest(game_id=game_id))
    assert {o.name for o in found.options} == {f.name for f in message.DESCRIPTOR.fields}
    for option in found.options:
        assert option.title
        assert option.description
        assert option.WhichOneof("type")
        assert list(option.seats) == sorted(set(option.seats))
        assert option.seats
    assert found.variants
    for variant in found.variants:
        assert variant.options.WhichOneof("game") == game_id
        assert variant.seats


def test_get_game_gives_the_defaults_of_a_number_of_seats(rules: RulesServiceStub) -> None:
    def split(seats: int) -> bool:
        found = rules.GetGame(pb.GetGameRequest(game_id="dao", seats=seats))
        (option,) = (o for o in found.options if o.name == "two_round_split")
        return option.bool_option.default_value

    assert split(0)
    assert split(2)
    assert not split(3)


def test_choice_options_name_enum_values(rules: RulesServiceStub, game_id: str) -> None:
    message = getattr(game_pb2.GameOptions(), game_id)
    for option in rules.GetGame(pb.GetGameRequest(game_id=game_id)).options:
        if (
            option.HasField("choice_option")
            and message.DESCRIPTOR.fields_by_name[option.name].enum_type
        ):
            known = message.DESCRIPTOR.fields_by_name[option.name].enum_type.values_by_name
            choice = option.choice_option
            assert choice.default_value in {c.value for c in choice.choices}
            assert all(c.value in known and c.title for c in choice.choices)


def test_every_variant_can_be_started(rules: RulesServiceStub, game_id: str) -> None:
    for variant in rules.GetGame(pb.GetGameRequest(game_id=game_id)).variants:
        for seats in variant.seats:
            started = rules.StartGame(
                pb.StartGameRequest(options=variant.options, seats=seats, seed=1)
            )
            assert started.status.seats_to_move


def test_a_whole_game(rules: RulesServiceStub, game_id: str) -> None:
    """Random moves to the end, through the RPCs alone."""
    pick = random.Random(3)
    dealt = deal(rules, game_id, seats=game(game_id).min_seats)
    state, status = dealt.state, dealt.status
    assert not status.over
    moves = 0
    while not status.over:
        seat = pick.choice(list(status.seats_to_move))
        legal = rules.ListLegalMoves(pb.ListLegalMovesRequest(state=state, seat=seat)).moves
        assert legal
        view = rules.GetPlayerView(pb.GetPlayerViewRequest(state=state, seat=seat)).view
        if moves % 7 == 0:
            assert not rules.ValidateView(pb.ValidateViewRequest(view=view)).violations
            from_view = rules.ListLegalMoves(pb.ListLegalMovesRequest(view=view)).moves
            assert list(from_view) == list(legal)
        chosen = pick.choice(list(legal))
        assert chosen.words
        applied = rules.ApplyMove(pb.ApplyMoveRequest(state=state, move=chosen.move, seat=seat))
        assert len(applied.events) == len(applied.event_words)
        assert all(applied.event_words)
        state, status = applied.state, applied.status
        assert rules.GetTableStatus(pb.GetTableStatusRequest(state=state)).status == status
        moves += 1
    assert not status.seats_to_move
    assert sum(result.win_share for result in status.results) == pytest.approx(1.0)
    request = pb.ApplyMoveRequest(state=state, move=chosen.move)
    failed = failure(lambda: rules.ApplyMove(request))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert "over" in failed.description("seat")


def test_a_seed_fixes_the_deal(rules: RulesServiceStub, game_id: str) -> None:
    assert deal(rules, game_id, seed=5) == deal(rules, game_id, seed=5)
    assert deal(rules, game_id, seed=5) != deal(rules, game_id, seed=6)
    random_deals = [
        rules.StartGame(pb.StartGameRequest(options=options(game_id), seats=3)).state
        for _ in range(2)
    ]
    assert random_deals[0] != random_deals[1]


def test_no_win_share_while_the_game_runs(rules: RulesServiceStub, game_id: str) -> None:
    status = deal(rules, game_id).status
    assert [result.seat for result in status.results] == [0, 1, 2]
    assert not any(result.win_share for result in status.results)


def test_another_seat_has_no_moves(rules: RulesServiceStub) -> None:
    dealt = deal(rules, "dao")
    (seat,) = dealt.status.seats_to_move
    other = (seat + 1) % 3
    request = pb.ListLegalMovesRequest(state=dealt.state, seat=other)
    assert not rules.ListLegalMoves(request).moves
    view = rules.GetPlayerView(pb.GetPlayerViewRequest(state=dealt.state, seat=other)).view
    assert not rules.ListLegalMoves(pb.ListLegalMovesRequest(view=view)).moves
    move = rules.ListLegalMoves(pb.ListLegalMovesRequest(state=dealt.state)).moves[0].move
    applying = pb.ApplyMoveRequest(state=dealt.state, move=move, seat=other)
    failed = failure(lambda: rules.ApplyMove(applying))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert f"to move: {seat}" in failed.description("seat")


def test_an_illegal_move_is_refused_with_the_legal_ones(rules: RulesServiceStub) -> None:
    from adamas.v1 import dao_pb2

    state = deal(rules, "dao").state
    # An empty deck leaves taking as the only move.
    state.dao.options.refill_ends_game = False
    state.dao.piles[0].cards.extend(state.dao.deck)
    del state.dao.deck[:]
    move = game_pb2.Move(dao=dao_pb2.DaoMove(action=dao_pb2.DAO_ACTION_REVEAL))
    failed = failure(lambda: rules.ApplyMove(pb.ApplyMoveRequest(state=state, move=move)))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert "legal: takes" in failed.description("move.dao")


def test_validate_view_names_the_field(rules: RulesServiceStub) -> None:
    dealt = deal(rules, "dao")
    view = rules.GetPlayerView(pb.GetPlayerViewRequest(state=dealt.state)).view
    view.dao.row[1].value = 9
    (violation,) = rules.ValidateView(pb.ValidateViewRequest(view=view)).violations
    assert violation.field == "view.dao.row[1].value"
    assert "0 to 4" in violation.description


def test_the_view_that_the_docs_show_is_consistent(rules: RulesServiceStub, game_id: str) -> None:
    text = (VIEWS / f"{game_id}.json").read_text(encoding="utf-8")
    view = json_format.Parse(text, game_pb2.PlayerView())
    assert view.WhichOneof("game") == game_id
    assert not rules.ValidateView(pb.ValidateViewRequest(view=view)).violations


def test_validate_view_says_whether_the_seat_is_to_move(rules: RulesServiceStub) -> None:
    dealt = deal(rules, "dao")
    (turn,) = dealt.status.seats_to_move
    for seat in range(dealt.state.dao.seats):
        asked = pb.GetPlayerViewRequest(state=dealt.state, seat=seat)
        view = rules.GetPlayerView(asked).view
        answer = rules.ValidateView(pb.ValidateViewRequest(view=view))
        assert not answer.violations
        assert answer.to_move == (seat == turn)


@pytest.mark.parametrize(
    ("method", "request_", "field"),
    [
        ("ListGames", pb.ListGamesRequest(language="xx"), "language"),
        ("GetGame", pb.GetGameRequest(), "game_id"),
        ("GetGame", pb.GetGameRequest(game_id="chess"), "game_id"),
        ("GetGame", pb.GetGameRequest(game_id="dao", seats=7), "seats"),
        ("GetGame", pb.GetGameRequest(game_id="dao", seats=-1), "seats"),
        ("GetGame", pb.GetGameRequest(game_id="dao", language="zh-CN"), "language"),
        ("StartGame", pb.StartGameRequest(seats=3), "options"),
        ("StartGame", pb.StartGameRequest(options=options("dao")), "seats"),
        ("StartGame", pb.StartGameRequest(options=options("dao"), seats=7), "seats"),
        ("GetPlayerView", pb.GetPlayerViewRequest(), "state"),
        ("ListLegalMoves", pb.ListLegalMovesRequest(), "position"),
        ("ListLegalMoves", pb.ListLegalMovesRequest(state=game_pb2.GameState()), "state"),
        ("ListLegalMoves", pb.ListLegalMovesRequest(view=game_pb2.PlayerView()), "view"),
        ("ApplyMove", pb.ApplyMoveRequest(), "state"),
        ("GetTableStatus", pb.GetTableStatusRequest(), "state"),
    ],
)
def test_bad_requests_name_the_field(
    rules: RulesServiceStub, method: str, request_: object, field: str
) -> None:
    failed = failure(lambda: getattr(rules, method)(request_))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert failed.fields == [field]
    assert failed.info.domain == "adamas"


def test_bad_options_name_the_option(rules: RulesServiceStub) -> None:
    wrong = options("dao")
    wrong.dao.initial_row = 4
    failed = failure(lambda: rules.StartGame(pb.StartGameRequest(options=wrong, seats=2)))
    assert failed.fields == ["options.dao.initial_row"]


@pytest.mark.parametrize("seat", [-1, 3, 2**31 - 1])
def test_seats_out_of_range(rules: RulesServiceStub, seat: int) -> None:
    state = deal(rules, "dao").state
    move = rules.ListLegalMoves(pb.ListLegalMovesRequest(state=state)).moves[0].move
    for call in (
        lambda: rules.GetPlayerView(pb.GetPlayerViewRequest(state=state, seat=seat)),
        lambda: rules.ListLegalMoves(pb.ListLegalMovesRequest(state=state, seat=seat)),
        lambda: rules.ApplyMove(pb.ApplyMoveRequest(state=state, seat=seat, move=move)),
    ):
        failed = failure(call)
        assert failed.fields == ["seat"]
        assert "0 to 2" in failed.description("seat")
