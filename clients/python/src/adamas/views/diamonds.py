"""Views of Diamonds. Hidden are the hands, and which cards the others pass on."""

from collections.abc import Iterable, Sequence

from adamas.v1 import diamonds_pb2 as pb
from adamas.v1.diamonds_pb2 import DiamondsCard, DiamondsEvent, DiamondsMove, DiamondsView
from adamas.views.builder import ViewBuilder, kind_of, remove

FIRST_SHOWROOM = 3
BONUS_ACTIONS = 2
_CAPTURED = {
    pb.DIAMONDS_SUIT_DIAMONDS: "diamonds",
    pb.DIAMONDS_SUIT_HEARTS: "hearts",
    pb.DIAMONDS_SUIT_SPADES: "spades",
    pb.DIAMONDS_SUIT_CLUBS: "clubs",
}


class DiamondsViewBuilder(ViewBuilder[DiamondsView, DiamondsMove, DiamondsEvent]):
    """Keeps what a seat of Diamonds has seen."""

    def __init__(self, options: pb.DiamondsOptions, seats: int, seat: int) -> None:
        super().__init__(DiamondsView(options=options, seats=seats, seat=seat))
        self._sides = seats // 2 if options.teams else seats
        first = FIRST_SHOWROOM
        if options.teams and options.team_start_gems == pb.DIAMONDS_TEAM_START_GEMS_SIX:
            first = 2 * FIRST_SHOWROOM
        self._view.vaults.extend([0] * self._sides)
        self._view.showrooms.extend([first] * self._sides)
        self._view.supply_left = max(0, options.supply - first * self._sides)
        self._action: pb.DiamondsActionReason.ValueType | None = None
        """Why the seat has an action to do that has not been told yet."""
        self._suits_compared = 0
        self._bonus_actions = 0

    def tell(self, event: DiamondsEvent) -> None:
        """Something happened in front of everybody."""
        view = self._view
        kind, body = kind_of(event)
        if kind == "round_started":
            self._start_round(body.round, body.dealer)
        elif kind == "pass_count_chosen":
            view.pass_count = body.pass_count
            view.phase = pb.DIAMONDS_PHASE_PASS
        elif kind == "cards_passed":
            view.phase = pb.DIAMONDS_PHASE_PLAY
            if body.seat == view.seat:
                for card in view.passed:
                    remove(view.hand, card)
        elif kind == "card_played":
            self._card_played(body.seat, body.card)
        elif kind == "trick_won":
            self._trick_won(body.seat)
        elif kind == "suit_action":
            self._suit_action(body)
        elif kind == "majority":
            self._suits_compared += 1
            if view.seat in body.seats:
                self._action = pb.DIAMONDS_ACTION_REASON_MAJORITY

    def play(self, move: DiamondsMove) -> None:
        """The seat itself makes a move."""
        if move.WhichOneof("move") == "pass":
            chosen: pb.DiamondsCards = getattr(move, "pass")
            self._view.passed.extend(chosen.cards)
        elif move.WhichOneof("move") == "bonus":
            self._action = pb.DIAMONDS_ACTION_REASON_NO_TRICK

    def deal(self, cards: Iterable[DiamondsCard]) -> None:
        """The seat has been dealt its hand."""
        self._view.hand.extend(cards)

    def draw(self, card: DiamondsCard) -> None:
        """The seat has been passed a card."""
        self._view.received.append(card)
        self._view.hand.append(card)

    def _start_round(self, number: int, dealer: int) -> None:
        view = self._view
        view.round, view.dealer = number, dealer
        view.phase = pb.DIAMONDS_PHASE_PASS_COUNT
        view.pass_count = 0
        for field in ("hand", "passed", "received", "tricks", "captured"):
            view.ClearField(field)
        options = view.options
        if not options.HasField("expose_captured") or options.expose_captured:
            view.captured.extend(pb.DiamondsCaptured() for _ in range(self._sides))
        if number == 1 and view.options.thief_token:
            view.thief = dealer
        self._suits_compared = 0
        self._bonus_actions = 0

    def _card_played(self, seat: int, card: DiamondsCard) -> None:
        view = self._view
        if not view.tricks or view.tricks[-1].HasField("winner"):
            view.tricks.add(leader=seat)
        trick = view.tricks[-1]
        trick.cards.append(card)
        if len(trick.cards) == view.seats * (2 if view.seats == 2 else 1):
            trick.winner = (trick.leader + _winning(trick.cards)) % view.seats
        if seat == view.seat:
            remove(view.hand, card)
            if card.suit != trick.cards[0].suit:
                self._action = pb.DIAMONDS_ACTION_REASON_OFF_SUIT

    def _trick_won(self, seat: int) -> None:
        if self._view.captured:
            captured = self._view.captured[seat % self._sides]
            for card in self._view.tricks[-1].cards:
                name = _CAPTURED[card.suit]
                setattr(captured, name, getattr(captured, name) + 1)
        if seat == self._view.seat:
            self._action = pb.DIAMONDS_ACTION_REASON_TRICK

    def _suit_action(self, action: pb.DiamondsSuitAction) -> None:
        view, side = self._view, action.seat % self._sides
        if action.HasField("thief"):
            view.thief = action.thief
        if action.seat == view.seat:
            self._action = None
            if action.reason == pb.DIAMONDS_ACTION_REASON_NO_TRICK:
                self._bonus_actions += 1
        if not action.moved:
            return
        if action.suit == pb.DIAMONDS_SUIT_CLUBS:
            view.showrooms[action.victim] -= 1
        elif action.suit == pb.DIAMONDS_SUIT_SPADES:
            view.showrooms[side] -= 1
        elif view.options.supply:
            view.supply_left -= 1
        to_vault = action.suit in (pb.DIAMONDS_SUIT_DIAMONDS, pb.DIAMONDS_SUIT_SPADES)
        gaining = view.vaults if to_vault else view.showrooms
        gaining[side] += 1

    def view(self) -> DiamondsView:
        """What the seat knows, at a moment when it is to move."""
        found = DiamondsView()
        found.CopyFrom(self._view)
        found.turn = self.seat
        bonus = pb.DIAMONDS_ACTION_REASON_NO_TRICK
        if self._action is not None:
            found.phase = pb.DIAMONDS_PHASE_VICTIM
            found.victim_reason = self._action
        elif self._suits_compared == len(_CAPTURED):
            found.phase = pb.DIAMONDS_PHASE_BONUS
        if found.phase == pb.DIAMONDS_PHASE_BONUS or self._action == bonus:
            found.bonus_actions_left = BONUS_ACTIONS - self._bonus_actions
        return found


def _winning(cards: Sequence[DiamondsCard]) -> int:
    """The place of the highest card of the suit that was led."""
    return max(
        range(len(cards)), key=lambda place: (cards[place].suit == cards[0].suit, cards[place].rank)
    )
