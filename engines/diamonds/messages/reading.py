"""Reads what states and views of Diamonds have in common and notes everything that is wrong.

A message is read in steps. A step is left out if one that it relies on has noted something, so that
nothing is reported that only follows from another mistake; of its fields it is still told what is
wrong with each by itself. Every list is measured before it is gone through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numba import types

from adamas.v1 import diamonds_pb2 as pb
from engines.contract import MAX_SEATS
from engines.diamonds.messages.cards import SUIT_NAMES, card_name, members, read_card
from engines.diamonds.rules.actions import possible_victims
from engines.diamonds.rules.options import MAX_ROUNDS, MAX_SUPPLY, OPTIONS, SIX, TWO_ANY
from engines.diamonds.rules.round_end import first_partners, majority_sides, trickless_seats
from engines.diamonds.rules.state import (
    BONUS,
    CARDS,
    CLUBS,
    DIAMONDS,
    FIRST_SHOWROOM,
    HEARTS,
    MAJORITY,
    MAX_PASS,
    MIN_PASS,
    NO_TRICK,
    NO_TRICK_ACTIONS,
    OFF_SUIT,
    OVER,
    PASS,
    PASS_COUNT,
    PLAY,
    RANKS,
    SPADES,
    STATE,
    SUITS,
    TRICK,
    VICTIM,
    cards_of_round,
    deck_ranks,
    receiver_of,
    rounds,
    set_derived_fields,
    side_of,
)
from engines.jit import INTS, ROW, Int, Ints, Row, entry
from engines.options import copy_options, read_options
from engines.violations import Report

TRICKLESS = SUITS
"""In place of a suit for ``seats_acting``: the seats without a trick."""


@entry(types.void(ROW, INTS))
def measure(row: Row, out: Ints) -> None:
    """Fills in what follows from options and seats. Writes to out: ranks of the deck, cards of a
    round, rounds of the game, and from then on who gets the cards that each seat passes."""
    s = row.view(STATE)[0]
    set_derived_fields(s)
    out[0] = deck_ranks(s)
    out[1] = cards_of_round(s)
    out[2] = rounds(s)
    for seat in range(s.seats):
        out[3 + seat] = receiver_of(s, seat)


@entry(types.int64(ROW, types.int64))
def seats_acting(row: Row, suit: Int) -> Int:
    """The seats that act at the end of the round for the most captured cards of a suit, or for
    having won no trick."""
    s = row.view(STATE)[0]
    if suit < SUITS:
        return first_partners(s, majority_sides(s, suit))
    return trickless_seats(s)


@entry(types.int64(ROW))
def victims_of_turn(row: Row) -> Int:
    """The sides that the seat to move can take a crystal from."""
    s = row.view(STATE)[0]
    return possible_victims(s, side_of(s, s.turn))


def from_dealers_left(record: Any, mask: int) -> list[int]:
    """The seats of a set in the order in which they act, the dealer last."""
    seats, dealer = int(record.seats), int(record.dealer)
    order = [(dealer + 1 + i) % seats for i in range(seats)]
    return [seat for seat in order if mask >> seat & 1]


def first_crystals(values: Mapping[str, int], seats: int) -> int:
    """Crystals in all showrooms at the start of a game."""
    if not values["teams"]:
        return FIRST_SHOWROOM * seats
    each = 2 * FIRST_SHOWROOM if values["team_start_gems"] == SIX else FIRST_SHOWROOM
    return each * (seats // 2)


def read_option_values(
    options: pb.DiamondsOptions, seats: int | None, path: str, report: Report
) -> dict[str, int]:
    """Options message -> values by name. A limited supply must fill the first showrooms.

    Without a number of seats (None) nothing is said that depends on it.
    """
    found = len(report.violations)
    values = read_options(OPTIONS, options, seats, path, report)
    if seats is not None and len(report.violations) == found:
        first = first_crystals(values, seats)
        report.check(
            values["supply"] == 0 or values["supply"] >= first,
            f"{path}.supply",
            f"is {values['supply']}, but {first} crystals lie in the showrooms at the start; use "
            f"{first} to {MAX_SUPPLY}, or 0 for an unlimited supply",
        )
    return values


class PublicReader:
    """Reads a message into ``row``, a state; of a view that holds only what the view tells."""

    def __init__(self, message: Any, path: str, report: Report) -> None:
        self.message = message
        self.path = path
        self.report = report
        self.row = np.zeros(STATE.itemsize, dtype=np.uint8)
        self.s = self.row.view(STATE)[0]
        self.found = len(report.violations)
        self.known = False
        """Whether seats and options are right. If not, the most that any of them allow counts."""
        self.seats = MAX_SEATS
        self.deck_ranks = RANKS
        self.round_cards = 0
        self.rounds = MAX_ROUNDS
        self.receivers: list[int] = []
        self.first_crystals = 0
        self.places: dict[int, str] = {}
        """Where each card has been seen."""
        self.played_by = [0] * MAX_SEATS
        """The cards that each seat has played, as masks."""
        self.voids: list[dict[int, int]] = [{} for _ in range(MAX_SEATS)]
        """The suits that each seat did not follow, with the number of the trick."""
        self.actions: list[tuple[int, int]] = []
        """The suit actions that the tricks have brought, as (seat, suit)."""
        self.last_seat = 0
        """Who played the last card."""
        self.next_seat = 0
        """Who plays the next card."""

    def read(self) -> bool:
        """Reads everything; False if something is wrong."""
        start = self.found
        self.known = self.step(self.read_frame)
        if not self.step(self.read_numbers) or not self.known:
            for number, trick in enumerate(self.message.tricks[:CARDS]):
                self.read_each_card(trick.cards, f"tricks[{number}].cards")
            self.read_cards_alone()
        elif not self.step(self.read_tricks):
            self.read_cards_alone()
        else:
            if self.step(self.read_phase):
                self.step(self.read_crystals)
            if self.sound("phase", "tricks", "round"):
                self.step(self.read_hidden)
        return len(self.report.violations) == start

    def step(self, read: Callable[[], None]) -> bool:
        """Takes a step of reading; whether it noted nothing."""
        self.found = len(self.report.violations)
        read()
        return self.fine()

    def read_own_numbers(self) -> None:
        """Checks the single numbers that states and views do not have in common."""

    def read_cards_alone(self) -> None:
        """Checks the cards that are not in tricks, each by itself."""
        raise NotImplementedError

    def read_hidden(self) -> None:
        """Reads what states and views do not have in common."""
        raise NotImplementedError

    @property
    def ignores_turn(self) -> bool:
        """Whether the message's turn says nothing."""
        raise NotImplementedError

    # --------------------------------------------------------------------------- violations

    def check(self, holds: bool, field: str, description: str) -> bool:
        """Notes a violation of a field unless the condition holds."""
        return self.report.check(bool(holds), f"{self.path}.{field}", description)

    def check_number(self, field: str, least: int, most: int, when: str = "") -> bool:
        """Notes a violation unless a field's number is in range."""
        number = getattr(self.message, field)
        right = f"{least}" if least == most else f"{least} to {most}"
        return self.check(least <= number <= most, field, f"is {number}; use {right}{when}")

    def fine(self) -> bool:
        """Whether nothing has been noted so far in this step."""
        return len(self.report.violations) == self.found

    def sound(self, *fields: str) -> bool:
        """Whether nothing has been noted of these fields or of what is below them."""
        return self.report.sound(*(f"{self.path}.{field}" for field in fields))

    # ------------------------------------------------------------------------------ numbers

    def read_frame(self) -> None:
        """Seats and options."""
        number = int(self.message.seats)
        fits = self.check(2 <= number <= 6, "seats", f"is {number}; Diamonds has 2 to 6 seats")
        seats = number if fits else None
        path = f"{self.path}.options"
        values = read_option_values(self.message.options, seats, path, self.report)
        if seats is not None:
            self.seats = seats
        if self.fine():
            self.s.seats = self.seats
            copy_options(values, self.s)
            sizes = np.zeros(3 + MAX_SEATS, dtype=np.int64)
            measure(self.row, sizes)
            self.deck_ranks, self.round_cards, self.rounds, *self.receivers = map(int, sizes)
            self.first_crystals = first_crystals(values, self.seats)

    def read_numbers(self) -> None:
        """The single numbers, each by itself, and the lengths of the public lists."""
        message, s = self.message, self.s
        phase = message.phase
        self.check_number("dealer", 0, self.seats - 1)
        self.check_number("round", 1, self.rounds)
        if not self.ignores_turn:
            self.check_number("turn", 0, self.seats - 1)
        self.read_own_numbers()
        if self.check(
            PASS_COUNT <= phase <= OVER,
            "phase",
            f"is {phase}; use DIAMONDS_PHASE_PASS_COUNT (1) to DIAMONDS_PHASE_OVER (6)",
        ):
            self.check_numbers_of_phase()
        if not self.known:
            for field in ("vaults", "showrooms"):
                length = len(getattr(message, field))
                self.check(
                    2 <= length <= self.seats,
                    field,
                    f"has {length} entries; give one a seat, or in a partnership one a team",
                )
            return
        if s.thief_token:
            self.check_number("thief", 0, self.seats - 1)
        else:
            self.check_number("thief", 0, 0, " without the thief token")
        self.check_lengths()
        if self.fine():
            s.dealer, s.round_number, s.phase = message.dealer, message.round, phase
            s.turn = 0 if self.ignores_turn else message.turn
            s.pass_count, s.thief = message.pass_count, message.thief
            s.victim_reason, s.bonus_left = message.victim_reason, message.bonus_actions_left

    def check_numbers_of_phase(self) -> None:
        """Numbers that have a meaning in some phases only."""
        phase = self.message.phase
        if phase == PASS_COUNT:
            self.check_number("pass_count", 0, 0, " before the dealer has chosen it")
        else:
            self.check_number("pass_count", MIN_PASS, MAX_PASS)
        if phase == VICTIM:
            self.check_number("victim_reason", int(OFF_SUIT), int(NO_TRICK))
        else:
            self.check_number("victim_reason", 0, 0, " unless a victim is to be chosen")
        if self.in_bonus():
            self.check_number("bonus_actions_left", 1, NO_TRICK_ACTIONS)
        else:
            self.check_number("bonus_actions_left", 0, 0, " outside the bonus for no tricks")

    def check_lengths(self) -> None:
        """The lengths of the public lists."""
        tricks = len(self.message.tricks)
        most = self.round_cards // int(self.s.trick_length)
        self.check(tricks <= most, "tricks", f"has {tricks} tricks; a round has {most}")
        owner = "team" if self.s.teams else "seat"
        for field in ("vaults", "showrooms"):
            length = len(getattr(self.message, field))
            self.check(
                length == self.s.sides,
                field,
                f"has {length} entries; give one a {owner}, {self.s.sides}",
            )

    def in_bonus(self) -> bool:
        """Whether a seat without a trick is doing its two actions."""
        phase, reason = self.message.phase, self.message.victim_reason
        return bool(phase == BONUS or (phase == VICTIM and reason == NO_TRICK))

    def after_tricks(self) -> bool:
        """Whether the last trick has been taken and its action done."""
        phase, reason = self.message.phase, self.message.victim_reason
        return bool(self.in_bonus() or phase == OVER or (phase == VICTIM and reason == MAJORITY))

    # ------------------------------------------------------------------------------- tricks

    def read_tricks(self) -> None:
        """The tricks of the round: who led, played and won, and whether all followed suit."""
        self.next_seat = (int(self.s.dealer) + 1) % self.seats
        last = len(self.message.tricks) - 1
        for number, trick in enumerate(self.message.tricks):
            self.check_shape(trick, number, is_last=number == last)
            if not self.fine():
                return
            where = f"tricks[{number}].cards"
            cards = self.read_cards(trick.cards, where, f"trick {number + 1}")
            if not self.fine():
                return
            self.read_trick(trick, cards, number, is_last=number == last)

    def check_shape(self, trick: pb.DiamondsTrick, number: int, *, is_last: bool) -> None:
        """Number of cards and leader of a trick, given that those before it are right."""
        length, full = len(trick.cards), int(self.s.trick_length)
        self.check(
            (1 if is_last else full) <= length <= full,
            f"tricks[{number}].cards",
            f"has {length} cards; "
            + (f"use 1 to {full}" if is_last else f"every trick but the last has {full}"),
        )
        self.check(
            trick.leader == self.next_seat,
            f"tricks[{number}].leader",
            f"is {trick.leader}; seat {self.next_seat} leads, "
            + ("having won the trick before" if number else "on the dealer's left"),
        )

    def read_trick(
        self, trick: pb.DiamondsTrick, cards: list[int], number: int, *, is_last: bool
    ) -> None:
        """Who played which card of a trick, and who won it."""
        s, where = self.s, f"tricks[{number}]"
        led, best, best_seat = cards[0] // RANKS, cards[0], trick.leader
        for place, card in enumerate(cards):
            seat = (trick.leader + place) % self.seats
            self.check_not_void(card, seat, f"{where}.cards[{place}]")
            suit = card // RANKS
            if suit != led:
                self.voids[seat].setdefault(led, number + 1)
                self.actions.append((seat, suit))
            elif card > best:
                best, best_seat = card, seat
            self.played_by[seat] |= 1 << card
            s.plays[int(s.played)] = card
            s.played += 1
            self.last_seat = seat
        full = len(cards) == s.trick_length
        if trick.HasField("winner"):
            self.check(
                full and trick.winner == best_seat,
                f"{where}.winner",
                f"is {trick.winner}; "
                + (f"seat {best_seat} won it" if full else "this trick is not full yet"),
            )
        mask = sum(1 << card for card in cards)
        waits = is_last and s.phase == VICTIM and s.victim_reason == OFF_SUIT
        if full and not waits:
            s.captured[best_seat] |= mask
            self.next_seat = best_seat
            self.actions.append((best_seat, led))
        else:
            s.trick, s.trick_size = mask, len(cards)
            s.led, s.best, s.best_seat = led, best, best_seat
            self.next_seat = (self.last_seat + 1) % self.seats

    def check_not_void(self, card: int, seat: int, where: str) -> None:
        """A seat that did not follow a suit has no card of it for the rest of the round."""
        trick = self.voids[seat].get(card // RANKS)
        self.check(
            trick is None,
            where,
            f"{card_name(card)} can't be seat {seat}'s: it did not follow "
            f"{SUIT_NAMES[card // RANKS]} in trick {trick}",
        )

    def read_cards(self, cards: Iterable[pb.DiamondsCard], where: str, place: str) -> list[int]:
        """The cards that lie at a place; a card lies at one place only, and there once."""
        numbers = []
        for i, card in enumerate(cards):
            number = self.read_card(card, f"{where}[{i}]")
            if number is not None and self.check(
                number not in self.places,
                f"{where}[{i}]",
                f"{card_name(number)} is also in {self.places.get(number)}; a card has one place",
            ):
                self.places[number] = place
                numbers.append(number)
        return numbers

    def read_each_card(self, cards: Sequence[pb.DiamondsCard], where: str) -> None:
        """Checks cards of a list, each by itself; no more of them than there are in play."""
        for i, card in enumerate(cards[:CARDS]):
            self.read_card(card, f"{where}[{i}]")

    def read_card(self, card: pb.DiamondsCard, where: str) -> int | None:
        """One card of this deck; None after a violation."""
        return read_card(card, self.deck_ranks, f"{self.path}.{where}", self.report)

    # ------------------------------------------------------------------------------- phases

    def read_phase(self) -> None:
        """Whether phase and turn fit the tricks; and who has still to act."""
        s = self.s
        left = self.round_cards - int(s.played)
        if s.phase in (PASS_COUNT, PASS):
            self.check(s.played == 0, "tricks", "has tricks; cards are passed before the first one")
        elif s.phase == PLAY:
            self.check(left > 0, "phase", "is DIAMONDS_PHASE_PLAY, but all cards are played")
        elif self.after_tricks():
            self.check(
                left == 0, "phase", f"comes after the last trick, but {left} cards are to be played"
            )
        if s.phase == OVER:
            self.check_number("round", self.rounds, self.rounds, " once the game is over")
        if self.fine():
            self.read_turn()

    def read_turn(self) -> None:
        """Whose turn it is follows from the tricks; several may act at the end of a round."""
        s = self.s
        if s.phase == PASS_COUNT:
            self.expect_turn(int(s.dealer), "the dealer chooses how many cards are passed")
        elif s.phase == PLAY:
            self.expect_turn(self.next_seat, "the tricks say so")
        elif s.phase == BONUS:
            self.read_bonus()
        elif s.phase == VICTIM:
            self.check(
                not s.thief_token,
                "phase",
                "is DIAMONDS_PHASE_VICTIM, but the thief token says whom clubs actions take from",
            )
            self.read_clubs_action()

    def read_clubs_action(self) -> None:
        """What the clubs action was earned with that waits for its victim."""
        s = self.s
        if s.victim_reason == OFF_SUIT:
            last = int(s.plays[int(s.played) - 1]) if s.played else 0
            if self.check(
                s.trick_size > 1 and s.led != CLUBS and last // RANKS == CLUBS,
                "victim_reason",
                "is OFF_SUIT, but the last card played is no Clubs card off the led suit",
            ):
                self.expect_turn(self.last_seat, "it played the last card")
        elif s.victim_reason == TRICK:
            if self.check(
                s.played > 0 and s.trick_size == 0 and self.actions[-1][1] == CLUBS,
                "victim_reason",
                "is TRICK, but the last trick is no full trick of Clubs",
            ):
                self.expect_turn(self.next_seat, "it won the last trick")
        elif s.victim_reason == MAJORITY:
            self.expect_actor(int(CLUBS), "has captured the most Clubs")
        else:
            self.read_bonus()

    def read_bonus(self) -> None:
        """The two actions of a seat without a trick."""
        if self.check(
            self.s.no_trick_bonus == TWO_ANY,
            "phase",
            "asks for a bonus action, but options.no_trick_bonus gives two diamonds actions",
        ):
            self.expect_actor(TRICKLESS, "gets the bonus for no tricks")

    def expect_turn(self, seat: int, reason: str) -> None:
        """Notes a violation unless it is a seat's turn."""
        turn = self.s.turn
        self.check(turn == seat, "turn", f"is {turn}; it is seat {seat}'s turn, as {reason}")

    def expect_actor(self, suit: int, deed: str) -> None:
        """The seat to move is one of those that act; the ones after it have still to."""
        actors = from_dealers_left(self.s, int(seats_acting(self.row, suit)))
        turn = int(self.s.turn)
        names = ", ".join(f"seat {seat}" for seat in actors) or "nobody"
        if self.check(turn in actors, "turn", f"is {turn}, but {names} {deed} in this round"):
            self.s.pending = sum(1 << seat for seat in actors[actors.index(turn) + 1 :])

    # ----------------------------------------------------------------------------- crystals

    def read_crystals(self) -> None:
        """Vaults, showrooms and supply, and whether play can have led to them."""
        message, s = self.message, self.s
        drawn, unsure = self.actions_on_supply()
        most = self.most_crystals(len(drawn) + unsure)
        for field, target in (("vaults", s.vaults), ("showrooms", s.showrooms)):
            for side, crystals in enumerate(getattr(message, field)):
                if self.check(
                    0 <= crystals <= most, f"{field}[{side}]", f"is {crystals}; use 0 to {most}"
                ):
                    target[side] = crystals
        if s.supply:
            self.check_number("supply_left", 0, int(s.supply) - self.first_crystals)
        else:
            self.check_number("supply_left", 0, 0, " with an unlimited supply")
        if self.fine():
            s.supply_left = message.supply_left
            self.check_sums(drawn, most)
        if self.fine() and s.round_number == 1 and not self.after_tricks():
            self.check_first_round()
        if self.fine() and s.phase == VICTIM:
            self.check(
                int(victims_of_turn(self.row)).bit_count() > 1,
                "showrooms",
                "leave no choice; a victim is chosen only if two or more others have crystals "
                "in the showroom",
            )

    def actions_on_supply(self) -> tuple[list[tuple[int, int]], int]:
        """The diamonds and hearts actions of this round, as (seat, suit); and how many more of
        them the seats without a trick may have chosen."""
        s = self.s
        actions, unsure = list(self.actions), 0
        if self.after_tricks():
            for suit in (int(DIAMONDS), int(HEARTS)):
                actions += [(seat, suit) for seat in members(seats_acting(self.row, suit))]
        if s.phase == OVER or self.in_bonus():
            trickless = list(members(seats_acting(self.row, TRICKLESS)))
            if s.no_trick_bonus == TWO_ANY:
                to_come = NO_TRICK_ACTIONS * int(s.pending).bit_count() + int(s.bonus_left)
                unsure = NO_TRICK_ACTIONS * len(trickless) - to_come
            else:
                actions += [(seat, int(DIAMONDS)) for seat in trickless] * NO_TRICK_ACTIONS
        return [(seat, suit) for seat, suit in actions if suit in (DIAMONDS, HEARTS)], unsure

    def most_crystals(self, drawn: int) -> int:
        """The most crystals that can lie in vaults and showrooms, of which so many were drawn from
        the supply in this round: a round has an action a card, and those at its end."""
        a_round = self.round_cards + 2 * int(self.s.sides) + NO_TRICK_ACTIONS * self.seats
        return self.first_crystals + (int(self.s.round_number) - 1) * a_round + drawn

    def check_sums(self, drawn: list[tuple[int, int]], most: int) -> None:
        """Crystals come from the supply and from nowhere else."""
        s = self.s
        total = int(s.vaults.sum()) + int(s.showrooms.sum())
        if s.supply:
            self.check(
                total + s.supply_left == s.supply,
                "supply_left",
                f"is {s.supply_left}; of {s.supply} crystals {total} lie in vaults and showrooms",
            )
            if s.supply_left == 0:
                drawn = []  # it may have run out before
        least = self.first_crystals + len(drawn)
        self.check(
            least <= total <= most,
            "vaults",
            f"and showrooms hold {total} crystals; at this point of round {s.round_number} use "
            + (f"{least}" if least == most else f"{least} to {most}"),
        )
        for side in range(int(s.sides)):
            gains = sum(seat % int(s.sides) == side for seat, suit in drawn if suit == DIAMONDS)
            self.check(
                s.vaults[side] >= gains,
                f"vaults[{side}]",
                f"is {s.vaults[side]}; {gains} crystals have come into it in this round",
            )

    def check_first_round(self) -> None:
        """In round 1 the actions of the tricks tell what each side can have by now: a spades action
        moves a crystal if there is one, a clubs action takes one from a side of choice."""
        s, sides = self.s, int(self.s.sides)
        each = self.first_crystals // sides
        stolen = sum(suit == CLUBS for _, suit in self.actions)
        for side in range(sides):
            own = [suit for seat, suit in self.actions if seat % sides == side]
            vault, crystals = int(s.vaults[side]), int(s.vaults[side] + s.showrooms[side])
            most = own.count(DIAMONDS) + own.count(SPADES)
            self.check(
                vault <= most,
                f"vaults[{side}]",
                f"is {vault}; in round 1 at most {most} crystals have come into it",
            )
            drawn, taken = own.count(DIAMONDS) + own.count(HEARTS), own.count(CLUBS)
            least = each + (drawn if not s.supply or s.supply_left else 0) - (stolen - taken)
            self.check(
                least <= crystals <= each + drawn + taken,
                f"showrooms[{side}]",
                f"is {s.showrooms[side]}, {crystals} crystals with the vault; in round 1 "
                f"{max(least, 0)} to {each + drawn + taken} are possible by now",
            )
