"""Views of Diamonds Club. Nothing is hidden, but a table tells what happens, not how it stands."""

from dataclasses import dataclass, field
from typing import Any

from adamas.v1 import diamonds_club_pb2 as pb
from adamas.v1.diamonds_club_pb2 import DiamondsClubEvent, DiamondsClubMove, DiamondsClubView
from adamas.views.builder import ViewBuilder, kind_of

LOWEST_VALUE = 2
STRIPS = 6
_TRACKS = ("", "forest", "technology", "money")
_ANIMALS = ("", "ponds", "deer_parks", "aviaries")
_BUILDINGS = ("", "fountains", "orangeries", "pavilions", "rose_gardens")
_GEMS = ("blue", "yellow", "green", "red", "diamonds")
_FOUNTAIN, _ORANGERY, _PAVILION, _ROSE_GARDEN = range(1, 5)


@dataclass(frozen=True, slots=True)
class ClubTables:
    """What is printed on the box's parts, as far as a view needs it; the standard data sets.

    Attributes:
        income: Coins of a round by the level of the money track.
        hats: Steps on the start-player track that a symbol brings.
        light_spaces: Light spaces of a park, those with a picture included.
        printed: The buildings printed on each seat's board, from left to right.
        stack: Landscape tiles of each building at the start.
    """

    income: tuple[int, ...] = (10, 11, 12, 13, 14)
    hats: dict[int, int] = field(
        default_factory=lambda: {
            pb.DIAMONDS_CLUB_SYMBOL_HATS: 3,
            pb.DIAMONDS_CLUB_SYMBOL_RIGHT_2: 2,
            pb.DIAMONDS_CLUB_SYMBOL_SHIP_2: 2,
            pb.DIAMONDS_CLUB_SYMBOL_RIGHT_3: 1,
            pb.DIAMONDS_CLUB_SYMBOL_SHIP_3: 1,
        }
    )
    light_spaces: int = 14
    printed: tuple[tuple[int, int, int], ...] = (
        (_FOUNTAIN, _ORANGERY, _PAVILION),
        (_ORANGERY, _PAVILION, _ROSE_GARDEN),
        (_PAVILION, _ROSE_GARDEN, _FOUNTAIN),
        (_ROSE_GARDEN, _FOUNTAIN, _ORANGERY),
    )
    stack: int = 21


class DiamondsClubViewBuilder(ViewBuilder[DiamondsClubView, DiamondsClubMove, DiamondsClubEvent]):
    """Keeps what a seat of Diamonds Club has seen."""

    def __init__(
        self,
        options: pb.DiamondsClubOptions,
        seats: int,
        seat: int,
        tables: ClubTables | None = None,
    ) -> None:
        """`tables`: of the data sets that the options name; None: the standard ones."""
        super().__init__(DiamondsClubView(options=options, seats=seats, seat=seat))
        self._tables = tables or ClubTables()
        self._kept = False
        table = self._view.table
        for name in _BUILDINGS[1:]:
            setattr(table.stacks, name, self._tables.stack)
        for _ in range(seats):
            player = table.players.add(printed_covered=[False] * 3)
            for name in _GEMS:
                option = f"start_gems_{name}"
                given = getattr(options, option) if options.HasField(option) else None  # type: ignore[arg-type]
                default = 0 if name == "diamonds" else 1
                setattr(player.gems, name, default if given is None else given)
            player.animals.SetInParent()
            player.buildings.SetInParent()
            player.tracks.SetInParent()

    def tell(self, event: DiamondsClubEvent) -> None:
        """Something happened in front of everybody."""
        table = self._view.table
        kind, body = kind_of(event)
        if kind == "round_started":
            self._start_round(body)
        elif kind == "cell_bought":
            self._cell_bought(body)
        elif kind == "out":
            table.players[body.seat].out = True
            if body.phase == pb.DIAMONDS_CLUB_PHASE_MARKET and all(p.out for p in table.players):
                self._end_market()
        elif kind == "diamond_given":
            table.players[body.seat].gems.diamonds += 1
        elif kind == "set_exchanged":
            self._set_exchanged(body)
        elif kind == "tiles_kept":
            self._tiles_kept(body)
        elif kind == "built":
            self._built(body)
        elif kind == "bonus_taken":
            table.bonuses.append(body)

    def play(self, move: DiamondsClubMove) -> None:
        """The seat itself makes a move."""
        if move.WhichOneof("move") == "build":
            purchase = self._view.table.purchase
            purchase.CopyFrom(move.build)
            if not purchase.kind:  # only the joker sells more than one
                purchase.kind = pb.DiamondsClubKind.ValueType(int(purchase.chart))

    def view(self) -> DiamondsClubView:
        """What the seat knows, at a moment when it is to move."""
        found = DiamondsClubView()
        found.CopyFrom(self._view)
        found.table.turn = self.seat
        found.table.phase = self._phase()
        if found.table.phase != pb.DIAMONDS_CLUB_PHASE_EXCHANGE:
            found.table.ClearField("last_set")
        return found

    def _phase(self) -> pb.DiamondsClubPhase.ValueType:
        table = self._view.table
        own = table.players[self.seat]
        if table.phase == pb.DIAMONDS_CLUB_PHASE_MARKET:
            return pb.DIAMONDS_CLUB_PHASE_MARKET
        if own.mines and own.rights and own.ships and not self._kept:
            return pb.DIAMONDS_CLUB_PHASE_EXCHANGE
        if (own.mines or own.rights or own.ships) and not self._kept:
            return pb.DIAMONDS_CLUB_PHASE_KEEP
        if table.HasField("purchase"):
            return pb.DIAMONDS_CLUB_PHASE_PAYMENT
        return pb.DIAMONDS_CLUB_PHASE_BUILD

    # --------------------------------------------------------------------------- the market

    def _start_round(self, body: pb.DiamondsClubRoundStarted) -> None:
        table = self._view.table
        table.round, table.starter = body.round, body.starter
        table.phase = pb.DIAMONDS_CLUB_PHASE_MARKET
        self._kept = False
        for field_name in ("market", "start_track", "last_set", "purchase"):
            table.ClearField(field_name)
        table.market.extend(body.market)
        for place in reversed(range(self._view.seats)):
            seat = (body.starter + place) % self._view.seats
            table.start_track.add(seat=seat, position=place)
        for player in table.players:
            player.coins = self._tables.income[player.tracks.money]
            player.out = False
            del player.charts[:]
        if self._view.options.strip_refresh == pb.DIAMONDS_CLUB_STRIP_REFRESH_CYCLE:
            for drawn, first in ((table.drawn_dark, 0), (table.drawn_light, self._view.seats)):
                columns = body.market[first : first + self._view.seats]
                _note_drawn(drawn, [column.strip for column in columns])

    def _cell_bought(self, body: pb.DiamondsClubCellBought) -> None:
        table = self._view.table
        player, symbol = table.players[body.seat], body.symbol
        player.coins -= body.coins
        table.market[body.column].coins[body.row] = body.coins
        if symbol <= pb.DIAMONDS_CLUB_SYMBOL_MINE_RED:
            player.mines.append(pb.DiamondsClubColor.ValueType(int(symbol)))
        elif symbol <= pb.DIAMONDS_CLUB_SYMBOL_RIGHT_5:
            player.rights.append(symbol - pb.DIAMONDS_CLUB_SYMBOL_RIGHT_2 + LOWEST_VALUE)
        elif symbol <= pb.DIAMONDS_CLUB_SYMBOL_SHIP_5:
            player.ships.append(symbol - pb.DIAMONDS_CLUB_SYMBOL_SHIP_2 + LOWEST_VALUE)
        elif body.track:
            _add(player.tracks, _TRACKS[body.track], 1)
            if body.track == pb.DIAMONDS_CLUB_TRACK_MONEY:
                level, income = player.tracks.money, self._tables.income
                player.coins += income[level] - income[level - 1]
        elif body.animal:
            if self._free_light_spaces(player) == 0:
                player.dark_tiles += 1
            _add(player.animals, _ANIMALS[body.animal], 1)
        self._advance(body.seat, self._tables.hats.get(symbol, 0))

    def _advance(self, seat: int, steps: int) -> None:
        """Moves a marker on the start-player track; it comes to lie on top of any there."""
        if steps == 0:
            return
        track = list(self._view.table.start_track)
        own = next(marker for marker in track if marker.seat == seat)
        track.remove(own)
        own.position += steps
        ahead = sum(marker.position > own.position for marker in track)
        track.insert(ahead, own)
        copies = [pb.DiamondsClubMarker(seat=m.seat, position=m.position) for m in track]
        del self._view.table.start_track[:]
        self._view.table.start_track.extend(copies)

    def _end_market(self) -> None:
        table = self._view.table
        table.phase = pb.DIAMONDS_CLUB_PHASE_BUILD
        for player in table.players:
            player.out = False

    # ------------------------------------------------------------------- exchange and building

    def _set_exchanged(self, body: pb.DiamondsClubSetExchanged) -> None:
        player, tiles = self._view.table.players[body.seat], body.set
        player.mines.remove(tiles.mine)
        player.rights.remove(tiles.right)
        player.ships.remove(tiles.ship)
        for name in _GEMS:
            _add(player.gems, name, getattr(body.gems, name))
        if body.seat == self.seat:
            self._view.table.last_set.CopyFrom(tiles)

    def _tiles_kept(self, body: pb.DiamondsClubTilesKept) -> None:
        player, kept = self._view.table.players[body.seat], body.kept
        del player.mines[:], player.rights[:], player.ships[:]
        player.mines.extend([kept.mine] if kept.mine else [])
        player.rights.extend([kept.right] if kept.right else [])
        player.ships.extend([kept.ship] if kept.ship else [])
        if body.seat == self.seat:
            self._kept = True

    def _built(self, body: pb.DiamondsClubBuilt) -> None:
        table = self._view.table
        player = table.players[body.seat]
        for name in _GEMS:
            _add(player.gems, name, -getattr(body.payment, name))
        player.charts.append(body.chart)
        if body.kind == pb.DIAMONDS_CLUB_KIND_FOREST:
            player.forests += 1
            largest = max(_BUILDINGS[1:], key=lambda name: int(getattr(table.stacks, name)))
            _add(table.stacks, largest, -1)
        else:
            _add(player.buildings, _BUILDINGS[body.kind], 1)
            _add(table.stacks, _BUILDINGS[body.kind], -1)
        if body.space == pb.DIAMONDS_CLUB_SPACE_DARK:
            player.dark_tiles += 1
        elif body.space == pb.DIAMONDS_CLUB_SPACE_PRINTED:
            player.printed_covered[self._printed_space(body.seat, body.kind)] = True
        if body.seat == self.seat:
            table.ClearField("purchase")

    def _printed_space(self, seat: int, kind: int) -> int:
        """The first open space that shows the building, or any if that will do."""
        covered = self._view.table.players[seat].printed_covered
        spaces = [space for space in range(len(covered)) if not covered[space]]
        shown = [space for space in spaces if self._tables.printed[seat][space] == kind]
        return (shown or spaces)[0]

    def _free_light_spaces(self, player: pb.DiamondsClubPlayer) -> int:
        """Light spaces without a picture that are still free."""
        tiles = player.forests - player.dark_tiles - sum(player.printed_covered)
        tiles += sum(int(getattr(player.buildings, name)) for name in _BUILDINGS[1:])
        tiles += sum(int(getattr(player.animals, name)) for name in _ANIMALS[1:])
        return self._tables.light_spaces - len(player.printed_covered) - tiles


def _add(message: Any, name: str, number: int) -> None:
    setattr(message, name, getattr(message, name) + number)


def _note_drawn(drawn: Any, laid: list[int]) -> None:
    """Strips are drawn from the pile; once it is empty all but those just laid are in it again."""
    out = set(drawn)
    for index, strip in enumerate(laid):
        if len(out) == STRIPS:
            out = set(laid[:index])
        out.add(strip)
    del drawn[:]
    drawn.extend(sorted(out))
