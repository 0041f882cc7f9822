"""Views of DAO. Every card was open when it was taken, so all seats' views are the same."""

from adamas.v1.dao_pb2 import DaoCard, DaoEvent, DaoMove, DaoOptions, DaoView
from adamas.views.builder import ViewBuilder, kind_of

DECK = 60


class DaoViewBuilder(ViewBuilder[DaoView, DaoMove, DaoEvent]):
    """Keeps what a seat of DAO has seen."""

    def __init__(self, options: DaoOptions, seats: int, seat: int) -> None:
        super().__init__(DaoView(options=options, seats=seats, seat=seat))
        split = options.two_round_split if options.HasField("two_round_split") else seats == 2
        self._deck = DECK // 2 if split else DECK
        self._rounds = 2 if split else 1
        for _ in range(seats):
            self._view.piles.add()

    def tell(self, event: DaoEvent) -> None:
        """Something happened in front of everybody."""
        view = self._view
        kind, body = kind_of(event)
        if kind == "round_started":
            self._start_round(body.round, body.starter, body.row)
        elif kind == "card_taken":
            view.piles[body.seat].cards.append(body.card)
            del view.row[0]
        elif kind == "card_revealed":
            view.row.append(body.card)
            view.deck_size -= 1
        elif kind in ("bust", "leftover_taken"):
            view.piles[body.seat].cards.extend(view.row)
            del view.row[:]
        elif kind == "row_refilled":
            view.row.extend(body.cards)
            view.deck_size -= len(body.cards)
        elif kind == "round_scored" and body.round < self._rounds:
            view.first_round.extend(body.results)

    def _start_round(self, number: int, starter: int, row: list[DaoCard]) -> None:
        view = self._view
        if number > 1:
            view.first_half.extend(view.row)
            for pile in view.piles:
                view.first_half.extend(pile.cards)
                del pile.cards[:]
        view.round, view.starter = number, starter
        del view.row[:]
        view.row.extend(row)
        view.deck_size = self._deck - len(row)

    def view(self) -> DaoView:
        """What the seat knows, at a moment when it is to move."""
        found = DaoView()
        found.CopyFrom(self._view)
        found.turn = self.seat
        return found
