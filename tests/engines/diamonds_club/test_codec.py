"""Everything that can be wrong with a message of Diamonds Club is named by its field."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from adamas.v1 import diamonds_club_pb2 as pb
from engines.registry import game
from engines.violations import Report
from tests.examples.diamonds_club import (
    BLUE,
    BUILD,
    EXCHANGE,
    KEEP,
    MARKET,
    PASS,
    PAYMENT,
    RED,
    RICH,
    build,
    player,
    position,
)

CLUB = game("diamonds_club")
Change = Callable[[Any], object]
TRACK = pb.DIAMONDS_CLUB_TRACK_FOREST
CARD = pb.DIAMONDS_CLUB_BONUS_CARD_THREE_FOUNTAINS
TILES = "Mr Mb R5 R2 S4 S3"


def states() -> dict[int, pb.DiamondsClubState]:
    """A correct state in each phase that asks for something."""
    paying = position(player(gems=RICH), player(), phase=BUILD)
    paying.table.phase = PAYMENT
    paying.table.purchase.CopyFrom(build(5).build)
    return {
        MARKET: position(player(coins=5), player(coins=5), player(coins=5)),
        EXCHANGE: position(player(TILES), player(), phase=EXCHANGE),
        KEEP: position(player("Mr R4"), player(), phase=KEEP),
        BUILD: position(player(gems=RICH), player(), phase=BUILD),
        PAYMENT: paying,
    }


def violations_of_state(state: pb.DiamondsClubState) -> list[Any]:
    report = Report()
    CLUB.codec.read_state(state, "state", report)
    return report.violations


def violations_of_move(phase: int, move: pb.DiamondsClubMove) -> list[Any]:
    report = Report()
    row = CLUB.codec.read_state(states()[phase], "state", report)
    CLUB.codec.read_move(row, move, "move", report)
    return report.violations


def setter(**values: Any) -> Change:
    def change(message: Any) -> None:
        for name, value in values.items():
            setattr(message, name, value)

    return change


def of_player(seat: int, change: Change) -> Change:
    return lambda state: change(state.table.players[seat])


def of_table(change: Change) -> Change:
    return lambda state: change(state.table)


MISTAKES: list[tuple[int, str, Change]] = [
    (MARKET, "seats", setter(seats=1)),
    (MARKET, "seats", setter(seats=5)),
    (MARKET, "options.max_rounds", lambda s: setattr(s.options, "max_rounds", 31)),
    (MARKET, "options.data_strips", lambda s: setattr(s.options, "data_strips", "none")),
    (MARKET, "table.round", of_table(setter(round=21))),
    (MARKET, "table.starter", of_table(setter(starter=3))),
    (MARKET, "table.turn", of_table(setter(turn=-1))),
    (MARKET, "table.phase", of_table(setter(phase=0))),
    (MARKET, "table.phase", of_table(setter(phase=7))),
    (MARKET, "table.players", lambda s: s.table.players.add()),
    (MARKET, "table.market", lambda s: s.table.market.pop()),
    (MARKET, "table.market[0].strip", lambda s: setattr(s.table.market[0], "strip", 7)),
    (MARKET, "table.market[2].strip", lambda s: setattr(s.table.market[2], "strip", 1)),
    (MARKET, "table.market[1].coins", lambda s: s.table.market[1].coins.pop()),
    (MARKET, "table.market[1].coins[3]", lambda s: s.table.market[1].coins.__setitem__(3, -1)),
    (MARKET, "table.market[0].symbols[0]", lambda s: s.table.market[0].symbols.extend([1] * 6)),
    (MARKET, "table.market[0].symbols", lambda s: s.table.market[0].symbols.append(9)),
    (MARKET, "table.start_track", lambda s: s.table.start_track.pop()),
    (MARKET, "table.start_track[1].seat", lambda s: setattr(s.table.start_track[1], "seat", 2)),
    (
        MARKET,
        "table.start_track[1].position",
        lambda s: setattr(s.table.start_track[1], "position", 9),
    ),
    (MARKET, "table.stacks.fountains", lambda s: setattr(s.table.stacks, "fountains", 22)),
    (MARKET, "table.stacks", lambda s: setattr(s.table.stacks, "fountains", 20)),
    (MARKET, "table.bonuses[0].card", lambda s: s.table.bonuses.add(card=0)),
    (MARKET, "table.bonuses[0].seat", lambda s: s.table.bonuses.add(card=1, seat=3)),
    (
        MARKET,
        "table.bonuses[1].card",
        lambda s: s.table.bonuses.extend(
            [pb.DiamondsClubBonus(card=pb.DIAMONDS_CLUB_BONUS_CARD_THREE_FOUNTAINS)] * 2
        ),
    ),
    (MARKET, "table.players[1].coins", of_player(1, setter(coins=100))),
    (MARKET, "table.players[1].gems.red", of_player(1, lambda p: setattr(p.gems, "red", 21))),
    (MARKET, "table.players[1].mines[0]", of_player(1, lambda p: p.mines.append(5))),
    (MARKET, "table.players[1].rights[0]", of_player(1, lambda p: p.rights.append(6))),
    (MARKET, "table.players[1].ships", of_player(1, lambda p: p.ships.extend([2] * 21))),
    (MARKET, "table.players[1].forests", of_player(1, setter(forests=85))),
    (
        MARKET,
        "table.players[1].buildings.pavilions",
        of_player(1, lambda p: setattr(p.buildings, "pavilions", -1)),
    ),
    (
        MARKET,
        "table.players[1].animals.ponds",
        of_player(1, lambda p: setattr(p.animals, "ponds", 8)),
    ),
    (
        MARKET,
        "table.players[1].tracks.money",
        of_player(1, lambda p: setattr(p.tracks, "money", 5)),
    ),
    (
        MARKET,
        "table.players[1].printed_covered",
        of_player(1, lambda p: p.printed_covered.append(True)),
    ),
    (
        MARKET,
        "table.players[1].printed_covered",
        of_player(1, lambda p: p.printed_covered.__setitem__(0, True)),
    ),
    (MARKET, "table.players[1].dark_tiles", of_player(1, setter(dark_tiles=6))),
    (MARKET, "table.players[1]", of_player(1, setter(dark_tiles=1))),
    (MARKET, "table.players[1]", of_player(1, setter(forests=12))),
    (MARKET, "table.players[0].out", of_player(0, setter(out=True))),
    (MARKET, "table.players", lambda s: [p.ships.extend([5, 5]) for p in s.table.players]),
    (EXCHANGE, "table.phase", of_player(0, lambda p: p.ClearField("ships"))),
    (
        EXCHANGE,
        "table.phase",
        lambda s: s.table.last_set.CopyFrom(pb.DiamondsClubSet(mine=RED, right=5, ship=4)),
    ),
    (
        EXCHANGE,
        "table.last_set.ship",
        lambda s: s.table.last_set.CopyFrom(pb.DiamondsClubSet(mine=BLUE, right=2, ship=6)),
    ),
    (KEEP, "table.phase", of_player(0, lambda p: p.ships.append(2))),
    (KEEP, "table.phase", of_player(0, lambda p: [p.ClearField("mines"), p.ClearField("rights")])),
    (BUILD, "table.players[0].charts[0]", of_player(0, lambda p: p.charts.append(7))),
    (BUILD, "table.players[0].charts[1]", of_player(0, lambda p: p.charts.extend([1, 1]))),
    (PAYMENT, "table.purchase", lambda s: s.table.ClearField("purchase")),
    (PAYMENT, "table.purchase", of_player(0, lambda p: p.ClearField("gems"))),
    (PAYMENT, "table.purchase.chart", lambda s: setattr(s.table.purchase, "chart", 7)),
    (PAYMENT, "table.purchase.kind", lambda s: setattr(s.table.purchase, "kind", 1)),
]


@pytest.mark.parametrize("phase", list(states()))
def test_a_correct_state_of_each_phase_has_something_to_decide(phase: int) -> None:
    report = Report()
    row = CLUB.codec.read_state(states()[phase], "state", report)
    assert not report.violations
    assert CLUB.kernels.seat_to_move(row) == 0


@pytest.mark.parametrize(("phase", "field", "mistake"), MISTAKES)
def test_a_mistake_in_a_state_is_named(phase: int, field: str, mistake: Change) -> None:
    state = states()[phase]
    mistake(state)
    assert f"state.{field}" in [violation.field for violation in violations_of_state(state)]


def test_a_wrong_seat_of_a_view_is_named() -> None:
    state = states()[MARKET]
    view = pb.DiamondsClubView(options=state.options, seats=3, seat=3, table=state.table)
    report = Report()
    CLUB.codec.read_view(view, "view", report)
    assert [violation.field for violation in report.violations] == ["view.seat"]


def test_strips_out_of_the_pile_include_those_in_the_market() -> None:
    state = states()[MARKET]
    state.options.strip_refresh = pb.DIAMONDS_CLUB_STRIP_REFRESH_CYCLE
    state.table.drawn_dark[:] = [1, 2, 3]
    state.table.drawn_light[:] = [1, 2]
    (violation,) = violations_of_state(state)
    assert violation.field == "state.table.drawn_light"
    assert violation.description == "lacks strip 3; list those in the market as well"


MOVE_MISTAKES: list[tuple[int, str, pb.DiamondsClubMove]] = [
    (MARKET, "move", pb.DiamondsClubMove()),
    (MARKET, "move", build(1)),
    (EXCHANGE, "move", PASS),
    (MARKET, "move.buy.row", pb.DiamondsClubMove(buy=pb.DiamondsClubPurchase(row=6))),
    (MARKET, "move.buy.column", pb.DiamondsClubMove(buy=pb.DiamondsClubPurchase(column=6))),
    (MARKET, "move.buy", pb.DiamondsClubMove(buy=pb.DiamondsClubPurchase(row=1, track=TRACK))),
    (MARKET, "move.buy", pb.DiamondsClubMove(buy=pb.DiamondsClubPurchase(row=3, column=3))),
    (
        MARKET,
        "move.buy.animal",
        pb.DiamondsClubMove(buy=pb.DiamondsClubPurchase(row=3, column=3, animal=9)),  # type: ignore[arg-type]
    ),
    (EXCHANGE, "move.exchange.mine", pb.DiamondsClubMove(exchange=pb.DiamondsClubSet())),
    (KEEP, "move.keep.right", pb.DiamondsClubMove(keep=pb.DiamondsClubKeep(right=1))),
    (BUILD, "move.build.chart", pb.DiamondsClubMove(build=pb.DiamondsClubBuild())),
    (BUILD, "move.build.kind", build(6, 6)),
    (BUILD, "move.build.kind", build(1, 2)),
    (PAYMENT, "move.pay.blue", pb.DiamondsClubMove(pay=pb.DiamondsClubGems(blue=32))),
]


@pytest.mark.parametrize(("phase", "field", "move"), MOVE_MISTAKES)
def test_a_mistake_in_a_move_is_named(phase: int, field: str, move: pb.DiamondsClubMove) -> None:
    assert [violation.field for violation in violations_of_move(phase, move)][:1] == [field]


def test_violations_say_what_is_wrong_and_what_would_be_right() -> None:
    state = states()[MARKET]
    state.table.players[2].tracks.money = 5
    (violation,) = violations_of_state(state)
    assert violation.field == "state.table.players[2].tracks.money"
    assert violation.description == "is 5; use 0 to 4"


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_break_the_codec(data: bytes) -> None:
    for message, read in (
        (pb.DiamondsClubView(), CLUB.codec.read_view),
        (pb.DiamondsClubState(), CLUB.codec.read_state),
    ):
        with suppress(DecodeError):
            message.ParseFromString(data)
        read(message, "m", Report())


@settings(deadline=None)
@given(st.binary(max_size=60), st.integers(0, 4))
def test_no_bytes_of_a_table_break_the_codec(data: bytes, phase: int) -> None:
    state = list(states().values())[phase]
    with suppress(DecodeError):
        state.table.MergeFromString(data)
    CLUB.codec.read_state(state, "state", Report())
