"""What can't have happened is refused, at the field that is wrong, and all of it at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from adamas.v1 import diamonds_club_pb2 as pb
from engines.registry import game
from engines.violations import Report
from tests.examples.diamonds_club import BUILD, KEEP, OVER, column, player, position

CLUB = game("diamonds_club")
ALL = (True, True, True)
SET = (1, 1, 1, 1)


def bonuses(**seats: int) -> list[pb.DiamondsClubBonus]:
    """Cards by the ends of their names, and whose they are."""
    return [
        pb.DiamondsClubBonus(
            card=pb.DiamondsClubBonusCard.Value(f"DIAMONDS_CLUB_BONUS_CARD_{name.upper()}"),
            seat=seat,
        )
        for name, seat in seats.items()
    ]


def sold(row: int, coins: int = 1) -> list[pb.DiamondsClubColumn]:
    """A market for two in which one cell of the first column has been bought."""
    paid = [0] * 6
    paid[row] = coins
    return [column(1, coins=paid), column(2), column(1), column(2)]


def violations(state: pb.DiamondsClubState) -> dict[str, str]:
    """Field -> what is first said to be wrong with it, of what a seat sees of a state."""
    view = pb.DiamondsClubView(options=state.options, seats=state.seats, table=state.table)
    report = Report()
    CLUB.codec.read_view(view, "view", report)
    return {found.field: found.description for found in reversed(report.violations)}


IMPOSSIBLE: dict[str, tuple[pb.DiamondsClubState, str, str]] = {
    "first of all four without buildings": (
        position(player(), player(), bonuses=bonuses(first_all_four=0)),
        "table.bonuses",
        "FIRST_ALL_FOUR with seat 0; by the buildings in the parks it is with nobody",
    ),
    "a second card without the first": (
        position(player(buildings=SET, covered=ALL), player(), bonuses=bonuses(second_all_four=0)),
        "table.bonuses",
        "FIRST_ALL_FOUR with nobody; by the buildings in the parks it is with seat 0",
    ),
    "both cards for one set": (
        position(
            player(buildings=SET, covered=ALL),
            player(),
            bonuses=bonuses(first_all_four=0, second_all_four=0),
        ),
        "table.bonuses",
        "SECOND_ALL_FOUR with seat 0; by the buildings in the parks it is with nobody",
    ),
    "both cards to one seat though the option forbids it": (
        position(
            player(buildings=(2, 2, 2, 2), covered=ALL),
            player(),
            bonuses=bonuses(first_all_four=0, second_all_four=0),
            options={"second_bonus_same_player": False},
        ),
        "table.bonuses",
        "SECOND_ALL_FOUR with seat 0; by the buildings in the parks it is with nobody",
    ),
    "a card with another seat": (
        position(
            player(buildings=(3, 0, 0, 0), covered=(True, False, False)),
            player(),
            bonuses=bonuses(three_fountains=1),
        ),
        "table.bonuses",
        "THREE_FOUNTAINS with seat 1; by the buildings in the parks it is with seat 0",
    ),
    "a card that nobody has taken": (
        position(player(buildings=(3, 0, 0, 0), covered=(True, False, False)), player()),
        "table.bonuses",
        "THREE_FOUNTAINS with nobody; by the buildings in the parks it is with seat 0",
    ),
    "a sold tile that nobody has": (
        position(player(), player(), market=sold(2)),
        "table.players",
        "have [0, 0, 0, 0] mines by kind; the market has sold [0, 0, 1, 0] of them this round",
    ),
    "a sold step that nobody has made": (
        position(player(), player(), market=sold(5)),
        "table.players",
        "have [0, 0, 0] steps by track; the market has sold [0, 1, 0]",
    ),
    "hats that moved nobody": (
        position(player("S2"), player(), market=sold(0)),
        "table.start_track",
        "moved by 0 spaces together; the cells sold have 2 hats",
    ),
    "a price that no cell has": (
        position(player("Mg"), player(), market=sold(2, coins=3)),
        "table.market[0].coins[2]",
        "is 3; a cell costs 1 and what lies beside it, which is nothing",
    ),
    "coins on the market that nobody has paid": (
        position(player("Mg", coins=10), player(coins=10), market=sold(2)),
        "table.market",
        "has 1 coins on it; of what their money tracks gave the seats have spent 0",
    ),
    "more coins than a round gives": (
        position(player(coins=11), player()),
        "table.players[0].coins",
        "is 11, more than the money track gives in a round",
    ),
    "a marker behind its start": (
        position(player(), player(), track=[(0, 3), (1, 0)]),
        "table.start_track[1].position",
        "is 0; seat 1 began the round at 1",
    ),
    "a marker on top that has not moved": (
        position(player(), player(), track=[(1, 1), (0, 1)]),
        "table.start_track[0]",
        "stands above seat 0's marker but has not moved",
    ),
    "too many tiles after the exchange": (
        position(player("Mr Mb"), player(), phase=BUILD),
        "table.players[0]",
        "has 2 mines, 0 rights and 0 ships",
    ),
    "a whole set after the exchange": (
        position(player("Mr R2 S2"), player("Mg"), phase=KEEP, turn=1),
        "table.players[0]",
        "of one sort none",
    ),
    "more buildings than charts": (
        position(player(buildings=(23, 0, 0, 0), covered=(True, False, False)), player()),
        "table.players[0].buildings.fountains",
        "use 0 to 21",
    ),
    "a chart without what it sells": (
        position(player(charts=[1]), player(), phase=BUILD),
        "table.players[0].charts",
        "there is no tile of what it sells",
    ),
    "an end without a full park": (
        position(player(), player(), phase=OVER, options={"max_rounds": 21}),
        "table.phase",
        "is OVER, but no park is full",
    ),
    "an open picture of a building": (
        position(player(buildings=(1, 0, 0, 0)), player()),
        "table.players[0].printed_covered",
        "covers 0 spaces; the park has buildings for 1",
    ),
    "dark spaces before light ones": (
        position(
            player(buildings=(1, 0, 0, 0), covered=(True, False, False), forests=2, dark_tiles=1),
            player(),
        ),
        "table.players[0].dark_tiles",
        "is 1, but light spaces are free",
    ),
    "another seat's turn to buy": (
        position(player("Mg", coins=9), player(coins=10), market=sold(2)),
        "table.turn",
        "is 0; 1 cells have been sold, one a turn, clockwise from starter 0",
    ),
    "more cells than coins": (
        position(player("Mg", coins=10), player(coins=9), market=sold(2), turn=1),
        "table.turn",
        "it can't be that seat's turn",
    ),
    "another seat's turn to build": (
        position(player(), player(), phase=BUILD, turn=1, track=[(0, 2), (1, 1)]),
        "table.turn",
        "is 1, which has 0 charts, but seat 0 has 0 and is not out",
    ),
    "a seat that builds after it is out": (
        position(
            *(player(forests=2, charts=[5, 6]), player(out=True, forests=2, charts=[5, 6])),
            phase=BUILD,
        ),
        "table.turn",
        "but seat 1 has 2 and is out",
    ),
    "a game that goes on after its end": (
        position(
            player(buildings=SET, covered=ALL, forests=10),
            player(),
            bonuses=bonuses(first_all_four=0),
        ),
        "table.phase",
        "is not OVER, but the park of seat 0 was full before",
    ),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_can_not_happen_is_refused_with_its_cause(name: str) -> None:
    state, field, phrase = IMPOSSIBLE[name]
    found = violations(state)
    assert f"view.{field}" in found
    assert phrase in found[f"view.{field}"]


def test_a_first_market_with_buildings_is_refused() -> None:
    state = position(player(buildings=(1, 1, 0, 0), covered=(True, True, False)), player())
    assert not violations(state)
    state.table.round = 1
    assert list(violations(state)) == ["view.table.players[0].buildings"]


def first_market() -> pb.DiamondsClubView:
    """Seat 0 has bought a green mine in the first market of all; seat 1 is to buy."""
    start = {"blue": 1, "yellow": 1, "green": 1, "red": 1}
    state = position(
        player("Mg", coins=9, gems=start), player(coins=10, gems=start), market=sold(2), turn=1
    )
    state.table.round = 1
    return pb.DiamondsClubView(options=state.options, seats=2, table=state.table)


NOT_BOUGHT: dict[str, Callable[[Sequence[pb.DiamondsClubPlayer]], object]] = {
    "a tile": lambda players: players[0].ships.append(3),
    "a tile of another kind": lambda players: players[0].mines.append(pb.DIAMONDS_CLUB_COLOR_BLUE),
    "an animal": lambda players: players[0].animals.MergeFrom(pb.DiamondsClubAnimals(ponds=1)),
    "a step": lambda players: players[0].tracks.MergeFrom(pb.DiamondsClubTracks(forest=1)),
    "a gem": lambda players: players[0].gems.MergeFrom(pb.DiamondsClubGems(red=2)),
    "a diamond": lambda players: players[1].gems.MergeFrom(pb.DiamondsClubGems(diamonds=1)),
    "a gem too few": lambda players: players[1].gems.ClearField("red"),
    "coins that are gone": lambda players: players[0].MergeFrom(pb.DiamondsClubPlayer(coins=8)),
    "tiles of who has paid nothing": lambda players: players[1].mines.append(
        players[0].mines.pop()
    ),
}


@pytest.mark.parametrize("name", NOT_BOUGHT)
def test_nothing_is_there_in_the_first_market_that_nobody_bought(name: str) -> None:
    view, good, bad = first_market(), Report(), Report()
    CLUB.codec.read_view(view, "view", good)
    assert not good.violations
    NOT_BOUGHT[name](view.table.players)
    CLUB.codec.read_view(view, "view", bad)
    assert bad.violations


def test_hats_of_the_first_market_move_markers_by_what_was_sold() -> None:
    view, report = first_market(), Report()
    view.table.start_track[0].position = 2
    CLUB.codec.read_view(view, "view", report)
    assert {found.field for found in report.violations} == {"view.table.start_track"}


Spoil = Callable[[pb.DiamondsClubView], object]
EVERYTHING: list[tuple[Spoil, set[str]]] = [
    (
        lambda v: v.Clear(),
        {"seats"}
        | {f"table.{name}" for name in ("round", "phase", "players", "market", "start_track")},
    ),
    (
        lambda v: v.MergeFrom(
            pb.DiamondsClubView(seat=4, table=pb.DiamondsClubTable(turn=4, round=99, starter=-1))
        ),
        {"seat", "table.turn", "table.round", "table.starter"},
    ),
    (
        lambda v: v.MergeFrom(
            pb.DiamondsClubView(
                seats=9,
                options=pb.DiamondsClubOptions(max_rounds=99),
                table=pb.DiamondsClubTable(players=[player(coins=-1)]),
            )
        ),
        {"seats", "options.max_rounds", "table.players[2].coins"},
    ),
]


@pytest.mark.parametrize(("spoil", "fields"), EVERYTHING)
def test_everything_that_is_wrong_is_said_at_once(spoil: Spoil, fields: set[str]) -> None:
    state = position(player(), player())
    view = pb.DiamondsClubView(options=state.options, seats=2, table=state.table)
    spoil(view)
    report = Report()
    CLUB.codec.read_view(view, "view", report)
    assert {found.field for found in report.violations} == {f"view.{field}" for field in fields}
