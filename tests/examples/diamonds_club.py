"""Positions of Diamonds Club, written short, and ways to move in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adamas.v1 import diamonds_club_pb2 as pb
from tests.examples.referee import Referee

BLUE, YELLOW, GREEN, RED = (pb.DiamondsClubColor.ValueType(n) for n in (1, 2, 3, 4))
FOUNTAIN, ORANGERY, PAVILION, ROSE_GARDEN, FOREST = (
    pb.DiamondsClubKind.ValueType(n) for n in range(1, 6)
)
JOKER = pb.DIAMONDS_CLUB_CHART_JOKER
POND, DEER_PARK, AVIARY = (pb.DiamondsClubAnimal.ValueType(n) for n in (1, 2, 3))
MARKET = pb.DIAMONDS_CLUB_PHASE_MARKET
EXCHANGE = pb.DIAMONDS_CLUB_PHASE_EXCHANGE
KEEP = pb.DIAMONDS_CLUB_PHASE_KEEP
BUILD = pb.DIAMONDS_CLUB_PHASE_BUILD
PAYMENT = pb.DIAMONDS_CLUB_PHASE_PAYMENT
OVER = pb.DIAMONDS_CLUB_PHASE_OVER
PASS = pb.DiamondsClubMove(pass_turn=pb.DiamondsClubPass())
GEMS = ("blue", "yellow", "green", "red", "diamonds")
RICH = dict.fromkeys(GEMS, 5)
"""Enough gems for anything."""
COLORS = {"b": BLUE, "y": YELLOW, "g": GREEN, "r": RED}
STACK = 21


def gems(**numbers: int) -> pb.DiamondsClubGems:
    return pb.DiamondsClubGems(**numbers)


def player(
    tiles: str = "",
    gems: Mapping[str, int] | None = None,
    buildings: Sequence[int] = (0, 0, 0, 0),
    animals: Sequence[int] = (0, 0, 0),
    tracks: Sequence[int] = (0, 0, 0),
    covered: Sequence[bool] = (False, False, False),
    **fields: Any,
) -> pb.DiamondsClubPlayer:
    """A board. Tiles as on the strips: "Mr R5 S3"; buildings, animals and tracks in their order."""
    fountains, orangeries, pavilions, rose_gardens = buildings
    ponds, deer_parks, aviaries = animals
    forest, technology, money = tracks
    words = tiles.split()
    return pb.DiamondsClubPlayer(
        gems=pb.DiamondsClubGems(**(gems or {})),
        mines=[COLORS[word[1]] for word in words if word[0] == "M"],
        rights=[int(word[1]) for word in words if word[0] == "R"],
        ships=[int(word[1]) for word in words if word[0] == "S"],
        buildings=pb.DiamondsClubBuildings(
            fountains=fountains,
            orangeries=orangeries,
            pavilions=pavilions,
            rose_gardens=rose_gardens,
        ),
        animals=pb.DiamondsClubAnimals(ponds=ponds, deer_parks=deer_parks, aviaries=aviaries),
        tracks=pb.DiamondsClubTracks(forest=forest, technology=technology, money=money),
        printed_covered=covered,
        **fields,
    )


def column(strip: int, side: str = "a", coins: Sequence[int] = (0,) * 6) -> pb.DiamondsClubColumn:
    return pb.DiamondsClubColumn(strip=strip, side_b=side == "b", coins=coins)


def position(
    *players: pb.DiamondsClubPlayer,
    phase: pb.DiamondsClubPhase.ValueType = MARKET,
    turn: int = 0,
    starter: int = 0,
    market: Sequence[pb.DiamondsClubColumn] = (),
    track: Sequence[tuple[int, int]] = (),
    options: Mapping[str, Any] | None = None,
    **table: Any,
) -> pb.DiamondsClubState:
    """A state of round 10, so that anything may have been built, or of the last round. Without a
    market strips 1, 2, … lie there, side a up, nothing bought; without a track the markers are
    lined up from seat 0, and the seat that is to build is ahead of them."""
    seats = len(players)
    lined_up = [(seat, seat) for seat in reversed(range(seats))]
    if phase in (BUILD, PAYMENT):
        lined_up.remove((turn, turn))
        lined_up.insert(0, (turn, seats))
    built = [p.buildings for p in players]
    stacks = pb.DiamondsClubBuildings(
        fountains=STACK - sum(b.fountains for b in built),
        orangeries=STACK - sum(b.orangeries for b in built),
        pavilions=STACK - sum(b.pavilions for b in built),
        rose_gardens=STACK - sum(b.rose_gardens for b in built) - sum(p.forests for p in players),
    )
    return pb.DiamondsClubState(
        options=pb.DiamondsClubOptions(**(options or {})),
        seats=seats,
        random_state=1,
        table=pb.DiamondsClubTable(
            round=20 if phase == OVER else 10,
            starter=starter,
            phase=phase,
            turn=turn,
            players=players,
            market=market or [column(strip + 1) for _ in range(2) for strip in range(seats)],
            start_track=[
                pb.DiamondsClubMarker(seat=seat, position=at) for seat, at in (track or lined_up)
            ],
            stacks=stacks,
            **table,
        ),
    )


def purchases(referee: Referee, state: Any, row: int, column: int) -> list[Any]:
    """The legal moves that buy a cell."""
    return [
        move
        for move in referee.legal(state)
        if move.HasField("buy") and (move.buy.row, move.buy.column) == (row, column)
    ]


def buy(referee: Referee, state: Any, row: int, column: int) -> Any:
    """The state after buying a cell in the first legal way."""
    return referee.apply(state, purchases(referee, state, row, column)[0])


def build(chart: int, kind: int | None = None) -> pb.DiamondsClubMove:
    return pb.DiamondsClubMove(
        build=pb.DiamondsClubBuild(
            chart=pb.DiamondsClubChart.ValueType(chart),
            kind=pb.DiamondsClubKind.ValueType(kind or chart),
        )
    )


def builds(referee: Referee, state: Any) -> set[tuple[int, int]]:
    """The legal purchases of tiles, as chart and kind."""
    return {
        (move.build.chart, move.build.kind)
        for move in referee.legal(state)
        if move.HasField("build")
    }


def build_and_pay(referee: Referee, state: Any, chart: int, kind: int | None = None) -> Any:
    """The state after building, paid in the first legal way."""
    state = referee.apply(state, build(chart, kind))
    if state.table.phase == PAYMENT:
        state = referee.apply(state, referee.legal(state)[0])
    return state


def gem_counts(state: Any, seat: int) -> tuple[int, ...]:
    """Blue, yellow, green, red gems and diamonds of a seat."""
    held = state.table.players[seat].gems
    return tuple(getattr(held, gem) for gem in GEMS)
