"""Views of Diam's. Hidden are the hands, the safes unless they lie open, and the pile.

What a view's `history` needs is kept here, so nobody else has to.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from adamas.v1 import diams_pb2 as pb
from adamas.v1.diams_pb2 import DiamsCard, DiamsDiamond, DiamsEvent, DiamsMove, DiamsView
from adamas.views.builder import ViewBuilder, kind_of, remove

PILE = 54
"""All cards, the closing card included."""
DEALT = 3
HAND_LIMIT = 5
_NOT_IN_HISTORY = ("card_turned", "closing", "round_started", "round_scored")


class DiamsViewBuilder(ViewBuilder[DiamsView, DiamsMove, DiamsEvent]):
    """Keeps what a seat of Diam's has seen."""

    def __init__(self, options: pb.DiamsOptions, seats: int, seat: int) -> None:
        super().__init__(DiamsView(options=options, seats=seats, seat=seat))
        limit = options.hand_limit if options.HasField("hand_limit") else HAND_LIMIT
        self._hand_limit = limit
        self._phase: pb.DiamsPhase.ValueType = pb.DIAMS_PHASE_DRAW
        """Of the seat's own turn; DIAMS_PHASE_LIMIT once it has played."""
        self._drilled = 0
        self._handlers: Mapping[str, Callable[[Any], None]] = {
            "card_drawn": lambda body: self._drawn(body.seat),
            "card_placed": lambda body: self._to_market(body.seat, body.diamond),
            "card_taken": lambda body: self._from_market(body.seat, body.diamond),
            "deposited": lambda body: self._deposited(body.seat, body.count, body.diamonds),
            "sale_started": lambda body: self._special(body.seat, body.special),
            "card_offered": lambda body: self._to_market(body.seat, body.diamond),
            "card_sold": lambda body: self._to_market(body.seat, body.diamond),
            "drill_started": self._drill_started,
            "drill_named": self._drill_named,
            "special_deposited": self._special_deposited,
            "shoplifted": lambda body: self._special(body.seat, pb.DIAMS_SPECIAL_SHOPLIFTING),
            "card_given_up": self._given_up,
            "nothing_played": lambda _: None,
            "card_turned": lambda body: self._turned(body.card),
            "closing": self._closing,
            "round_started": self._start_round,
            "round_scored": self._round_scored,
        }

    def tell(self, event: DiamsEvent) -> None:
        """Something happened in front of everybody."""
        kind, body = kind_of(event)
        if kind not in self._handlers:
            return
        self._handlers[kind](body)
        if kind not in _NOT_IN_HISTORY:
            self._view.history.append(event)

    def play(self, move: DiamsMove) -> None:
        """The seat itself makes a move."""
        step, kind = self._view.step, move.WhichOneof("move")
        if kind == "draw":
            self._phase = pb.DIAMS_PHASE_PLAY
        elif kind == "visit" and move.visit.mode == pb.DIAMS_VISIT_MODE_SUM:
            self._phase = pb.DIAMS_PHASE_TAKE
            step.placed.CopyFrom(move.visit.placed)
            step.missing = move.visit.placed.kind
        elif kind == "take" and step.missing > move.take.kind:
            step.missing -= move.take.kind
            step.last.diamond.CopyFrom(move.take)
        elif kind == "sale":
            self._phase = pb.DIAMS_PHASE_OFFER
            step.opponent = move.sale.opponent
        elif kind == "drill":
            self._phase = pb.DIAMS_PHASE_NAME
            step.opponent = move.drill
        elif kind == "give_up":
            step.last.CopyFrom(move.give_up)
        else:
            self._phase = pb.DIAMS_PHASE_LIMIT
            self._view.ClearField("step")
        if kind in ("deposit", "special_deposit"):
            diamonds = getattr(move, kind).diamonds
            for diamond in diamonds:
                remove(self._view.hand, DiamsCard(diamond=diamond))
            self._view.safe.extend(diamonds)

    def deal(self, cards: Iterable[DiamsCard]) -> None:
        """The seat has been dealt its hand."""
        self._view.hand.extend(cards)

    def draw(self, card: DiamsCard) -> None:
        """The seat has drawn a card."""
        self._view.hand.append(card)

    def view(self) -> DiamsView:
        """What the seat knows, at a moment when it is to move."""
        view = self._view
        if self._phase == pb.DIAMS_PHASE_LIMIT and len(view.hand) <= self._hand_limit:
            self._phase = pb.DIAMS_PHASE_DRAW
            view.ClearField("step")
        found = DiamsView()
        found.CopyFrom(view)
        found.turn = self.seat
        found.phase = self._phase
        if self._phase == pb.DIAMS_PHASE_DRAW and view.HasField("closer"):
            found.phase = pb.DIAMS_PHASE_PLAY  # nobody draws any more
        return found

    # --------------------------------------------------------------------------- the round

    def _start_round(self, body: pb.DiamsRoundStarted) -> None:
        view = self._view
        view.round, view.starter = body.round, body.starter
        for field in (
            "market", "removed", "hand", "safe", "hand_sizes", "safe_sizes", "safes",
            "history", "closer", "step",
        ):  # fmt: skip
            view.ClearField(field)
        view.hand_sizes.extend([DEALT] * view.seats)
        view.safe_sizes.extend([0] * view.seats)
        for _ in range(view.seats if view.options.open_safes else 0):
            view.safes.add()
        view.deck_size = PILE - DEALT * view.seats
        self._phase = pb.DIAMS_PHASE_DRAW

    def _round_scored(self, body: pb.DiamsRoundScored) -> None:
        self._view.finished_rounds.add(points=[result.points for result in body.results])

    def _turned(self, card: DiamsCard) -> None:
        self._view.deck_size -= 1
        if card.HasField("diamond"):
            self._view.market.append(card.diamond)
        else:
            self._view.removed.append(card)

    def _drawn(self, seat: int) -> None:
        self._view.deck_size -= 1
        self._view.hand_sizes[seat] += 1

    def _closing(self, body: pb.DiamsClosing) -> None:
        self._view.deck_size -= 1
        self._view.closer = body.seat

    # --------------------------------------------------------------------- hands and market

    def _gain(self, seat: int, card: DiamsCard) -> None:
        self._view.hand_sizes[seat] += 1
        if seat == self.seat:
            self._view.hand.append(card)

    def _lose(self, seat: int, card: DiamsCard) -> None:
        self._view.hand_sizes[seat] -= 1
        if seat == self.seat:
            remove(self._view.hand, card)

    def _to_market(self, seat: int, diamond: DiamsDiamond) -> None:
        self._lose(seat, DiamsCard(diamond=diamond))
        self._view.market.append(diamond)

    def _from_market(self, seat: int, diamond: DiamsDiamond) -> None:
        remove(self._view.market, diamond)
        self._gain(seat, DiamsCard(diamond=diamond))

    def _special(self, seat: int, special: pb.DiamsSpecial.ValueType) -> None:
        card = DiamsCard(special=special)
        self._lose(seat, card)
        self._view.removed.append(card)

    def _given_up(self, body: pb.DiamsCardGivenUp) -> None:
        self._lose(body.seat, body.card)
        discarded = self._view.options.overflow_to == pb.DIAMS_OVERFLOW_DISCARD
        if body.card.HasField("diamond") and not discarded:
            self._view.market.append(body.card.diamond)
        else:
            self._view.removed.append(body.card)

    # -------------------------------------------------------------------------------- safes

    def _deposited(self, seat: int, count: int, diamonds: Iterable[DiamsDiamond]) -> None:
        view = self._view
        view.hand_sizes[seat] -= count
        view.safe_sizes[seat] += count
        if view.options.open_safes:
            view.safes[seat].diamonds.extend(diamonds)

    def _special_deposited(self, body: pb.DiamsSpecialDeposited) -> None:
        self._deposited(body.seat, body.count, body.diamonds)
        self._special(body.seat, pb.DIAMS_SPECIAL_DEPOSIT)

    def _drill_started(self, body: pb.DiamsDrillStarted) -> None:
        self._special(body.seat, pb.DIAMS_SPECIAL_DRILL)
        self._drilled = body.opponent

    def _drill_named(self, body: pb.DiamsDrillNamed) -> None:
        if not body.found:
            return
        self._change_safe(self._drilled, body.diamond, -1)
        if self._view.options.drill_to == pb.DIAMS_DRILL_TO_SAFE:
            self._change_safe(body.seat, body.diamond, 1)
        else:
            self._gain(body.seat, DiamsCard(diamond=body.diamond))

    def _change_safe(self, seat: int, diamond: DiamsDiamond, number: int) -> None:
        view = self._view
        view.safe_sizes[seat] += number
        safes: list[Any] = [view.safe] if seat == self.seat else []
        if view.options.open_safes:
            safes.append(view.safes[seat].diamonds)
        for safe in safes:
            if number > 0:
                safe.append(diamond)
            else:
                remove(safe, diamond)
