"""Everything that can be wrong with a message of Diamonds is named by its field."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from adamas.v1 import diamonds_pb2 as pb
from engines.contract import GAME_OVER
from engines.events import NO_LOG, new_log
from engines.jit import Row
from engines.registry import game
from engines.rng import generator
from engines.violations import InvalidMessage, Report, Violation
from tests.contract.play import Setting, legal_moves, position_after, variants, view_of
from tests.engines.diamonds.positions import bonus, card, lead, number_of, passing, position
from tests.fuzz.structure import spoil

GAME = game("diamonds")
Change = Callable[[Any], object]

PASS_COUNT = pb.DIAMONDS_PHASE_PASS_COUNT
PASS = pb.DIAMONDS_PHASE_PASS
PLAY = pb.DIAMONDS_PHASE_PLAY
VICTIM = pb.DIAMONDS_PHASE_VICTIM
BONUS = pb.DIAMONDS_PHASE_BONUS
OVER = pb.DIAMONDS_PHASE_OVER
OFF_SUIT, TRICK, MAJORITY, NO_TRICK = 1, 2, 3, 4
"""As DiamondsActionReason numbers them."""
TWO_ANY = pb.DIAMONDS_NO_TRICK_BONUS_TWO_ANY
ONE_DIAMOND, A_HEART = card("D1"), card("H8")


def write_state(row: Row) -> pb.DiamondsState:
    message = GAME.codec.write_state(row)
    assert isinstance(message, pb.DiamondsState)
    return message


def read_state(state: pb.DiamondsState) -> Row:
    report = Report()
    row = GAME.codec.read_state(state, "state", report)
    report.raise_if_any()
    return row


def state_violations(state: pb.DiamondsState) -> list[Violation]:
    report = Report()
    GAME.codec.read_state(state, "state", report)
    return report.violations


def view_violations(view: pb.DiamondsView) -> list[Violation]:
    report = Report()
    GAME.codec.read_view(view, "view", report)
    return report.violations


def fields(violations: list[Violation]) -> list[str]:
    return [violation.field for violation in violations]


def view(state: pb.DiamondsState, seat: int) -> pb.DiamondsView:
    message = GAME.codec.write_view(view_of(GAME, read_state(state), seat))
    assert isinstance(message, pb.DiamondsView)
    return message


def middle(**options: Any) -> pb.DiamondsState:
    """Seat 1, which did not follow diamonds in trick 3, is to follow a spade of seat 0."""
    return position(
        3,
        plan="S1, C2, D0 1H, S2",
        unplayed=2,
        hands={0: "H12 S15 ..."},
        crystals={0: "2/9"},
        **options,
    )


def choosing(moves: int) -> pb.DiamondsState:
    """Seat 0 deals and chooses that two cards are passed, then all choose them, seat 1 first."""
    seed = next(seed for seed in range(99) if write_state(_dealt(seed)).dealer == 0)
    row = _dealt(seed)
    for ply in range(moves):
        GAME.kernels.apply_move(row, legal_moves(GAME, row)[0] if ply else 2, NO_LOG)
    return write_state(row)


def _dealt(seed: int) -> Row:
    return GAME.codec.new_game(pb.DiamondsOptions(), 3, seed, new_log())


def victims(reason: int) -> pb.DiamondsState:
    """A seat chooses a victim, after a card off suit, a trick, a majority or for no tricks."""
    three = dict.fromkeys(range(3), "3/9")
    if reason == MAJORITY:
        plan = "C0, C0, C1, S0, S1, S1, H2, H2, D2, D2"
        start = position(3, plan=plan, unplayed=1, crystals=three)
    elif reason == NO_TRICK:
        plan = "C0, C0, C1, S0, S1, S1, H0, H0, D1, D1"
        start = position(3, plan=plan, unplayed=1, crystals=three, no_trick_bonus=TWO_ANY)
    else:
        hands = {0: "S14 C13 ...", 1: "C14 ...", 2: "C15 ..."}
        start = position(3, plan="S0", hands=hands, without={1: "S"}, crystals=three)
    row = read_state(start)
    for word in {OFF_SUIT: ["S14", "C14"], TRICK: ["C13", "C14", "C15"]}.get(reason, []):
        GAME.kernels.apply_move(row, number_of(card(word)), NO_LOG)
    while write_state(row).victim_reason != reason:
        GAME.kernels.apply_move(row, legal_moves(GAME, row)[-1], NO_LOG)
    return write_state(row)


def card_of(number: int) -> pb.DiamondsCard:
    return card(f"{'DHSC'[number // 15]}{number % 15 + 1}")


def finished() -> pb.DiamondsState:
    """A game that is over."""
    return position(3, plan="S0, S0, S1, C1, C2, C2, H0, H1, D0, D1", round_=6, over=True)


def change(**values: Any) -> Change:
    def apply(message: Any) -> None:
        for name, value in values.items():
            setattr(message, name, value)

    return apply


def option(**values: Any) -> Change:
    return lambda message: change(**values)(message.options)


def crystals(vaults: list[int], showrooms: list[int], **values: Any) -> Change:
    def apply(message: Any) -> None:
        message.vaults[:] = vaults
        message.showrooms[:] = showrooms
        change(**values)(message)

    return apply


PUBLIC_MISTAKES: list[tuple[str, Change]] = [
    ("seats", change(seats=1)),
    ("seats", change(seats=7)),
    ("seats", change(seats=-3)),
    ("options.round_count", option(round_count=9)),
    ("options.fixed_rounds", option(fixed_rounds=13)),
    ("options.supply", option(supply=1001)),
    ("options.supply", option(supply=8)),
    ("options.teams", option(teams=True)),
    ("dealer", change(dealer=3)),
    ("dealer", change(dealer=-1)),
    ("tricks[0].leader", change(dealer=0)),
    ("round", change(round=0)),
    ("round", change(round=7)),
    ("phase", change(phase=0)),
    ("phase", change(phase=7)),
    ("phase", change(phase=OVER)),
    ("phase", change(phase=BONUS, bonus_actions_left=2)),
    ("tricks", change(phase=PASS)),
    ("tricks", change(phase=PASS_COUNT, pass_count=0)),
    ("pass_count", change(phase=PASS_COUNT)),
    ("pass_count", change(pass_count=0)),
    ("pass_count", change(pass_count=4)),
    ("turn", change(turn=3)),
    ("turn", change(turn=-1)),
    ("turn", change(turn=0)),
    ("thief", change(thief=1)),
    ("victim_reason", change(victim_reason=1)),
    ("victim_reason", change(phase=VICTIM)),
    ("victim_reason", change(phase=VICTIM, victim_reason=5)),
    ("victim_reason", change(phase=VICTIM, victim_reason=OFF_SUIT)),
    ("victim_reason", change(phase=VICTIM, victim_reason=TRICK)),
    ("phase", change(phase=VICTIM, victim_reason=MAJORITY)),
    ("bonus_actions_left", change(phase=VICTIM, victim_reason=NO_TRICK)),
    ("bonus_actions_left", change(bonus_actions_left=1)),
    ("vaults", lambda m: m.vaults.append(1)),
    ("vaults", lambda m: m.vaults.extend([1] * 1000)),
    ("showrooms", lambda m: m.showrooms.pop()),
    ("vaults[1]", crystals([9, -1, 20], [2, 3, 3])),
    ("vaults[2]", crystals([9, 20, 30_000], [2, 3, 3])),
    ("showrooms[0]", crystals([9, 20, 20], [-2, 3, 3])),
    ("vaults", crystals([1, 0, 0], [2, 3, 4])),
    ("vaults", crystals([60, 60, 0], [0, 0, 0])),
    ("vaults[0]", crystals([0, 20, 20], [2, 3, 3])),
    ("supply_left", change(supply_left=5)),
    ("tricks", lambda m: m.tricks.extend([m.tricks[0]] * 5_000)),
    ("tricks[1].cards", lambda m: m.tricks[1].cards.pop()),
    ("tricks[1].cards", lambda m: m.tricks[1].cards.add()),
    ("tricks[3].cards", lambda m: m.tricks[3].ClearField("cards")),
    ("tricks[3].cards", lambda m: m.tricks[3].cards.extend([ONE_DIAMOND] * 5_000)),
    ("tricks[1].leader", lambda m: change(leader=0)(m.tricks[1])),
    ("tricks[1].leader", lambda m: change(leader=-1)(m.tricks[1])),
    ("tricks[0].winner", lambda m: change(winner=2)(m.tricks[0])),
    ("tricks[3].winner", lambda m: change(winner=0)(m.tricks[3])),
    ("tricks[1].cards[0].suit", lambda m: change(suit=5)(m.tricks[1].cards[0])),
    ("tricks[1].cards[0].suit", lambda m: change(suit=0)(m.tricks[1].cards[0])),
    ("tricks[1].cards[0].rank", lambda m: change(rank=16)(m.tricks[1].cards[0])),
    ("tricks[1].cards[0].rank", lambda m: change(rank=0)(m.tricks[1].cards[0])),
    ("tricks[1].cards[2]", lambda m: m.tricks[1].cards[2].CopyFrom(m.tricks[1].cards[0])),
    ("tricks[3].cards[0]", lambda m: m.tricks[3].cards[0].CopyFrom(m.tricks[0].cards[0])),
]


@pytest.mark.parametrize(("field", "mistake"), PUBLIC_MISTAKES)
def test_a_mistake_in_what_all_see_is_named(field: str, mistake: Change) -> None:
    state = middle()
    message = view(state, 0)
    assert not view_violations(message)
    mistake(message)
    assert f"view.{field}" in fields(view_violations(message))
    mistake(state)
    assert f"state.{field}" in fields(state_violations(state))


VIEW_MISTAKES: list[tuple[str, Change]] = [
    ("seat", change(seat=3)),
    ("seat", change(seat=-1)),
    ("hand", change(seat=1)),
    ("hand", lambda v: v.hand.pop()),
    ("hand", lambda v: v.hand.extend([A_HEART] * 10_000)),
    ("hand[1]", lambda v: v.hand[1].CopyFrom(v.hand[0])),
    ("hand[0]", lambda v: v.hand[0].CopyFrom(v.tricks[1].cards[0])),
    ("hand[2].suit", lambda v: change(suit=-1)(v.hand[2])),
    ("hand[2].rank", lambda v: change(rank=99)(v.hand[2])),
    ("passed", lambda v: v.passed.pop()),
    ("passed", lambda v: v.passed.extend([A_HEART] * 1000)),
    ("passed[0]", lambda v: v.passed[0].CopyFrom(v.hand[0])),
    ("passed[0]", lambda v: v.passed[0].CopyFrom(v.tricks[0].cards[0])),
    ("passed[0]", lambda v: v.passed[0].CopyFrom(card("D15"))),
    ("passed[0].rank", lambda v: change(rank=0)(v.passed[0])),
    ("received", lambda v: v.received.pop()),
    ("received[0]", lambda v: v.received[0].CopyFrom(middle().hands[2].cards[0])),
    ("received[0]", lambda v: v.received[0].CopyFrom(v.passed[0])),
    ("captured", lambda v: v.captured.pop()),
    ("captured", lambda v: v.captured.extend([v.captured[0]] * 1000)),
    ("captured[1].spades", lambda v: change(spades=4)(v.captured[1])),
    ("captured[0].hearts", lambda v: change(hearts=-1)(v.captured[0])),
]


@pytest.mark.parametrize(("field", "mistake"), VIEW_MISTAKES)
def test_a_mistake_in_a_view_is_named(field: str, mistake: Change) -> None:
    message = view(middle(), 0)
    assert not view_violations(message)
    mistake(message)
    assert f"view.{field}" in fields(view_violations(message))


STATE_MISTAKES: list[tuple[str, Change]] = [
    ("hands", lambda s: s.hands.pop()),
    ("hands", lambda s: s.hands.extend([pb.DiamondsCards()] * 1000)),
    ("hands[2].cards", lambda s: s.hands[2].cards.pop()),
    ("hands[2].cards", lambda s: s.hands[2].cards.extend([A_HEART] * 10_000)),
    ("hands[2].cards[0]", lambda s: s.hands[2].cards[0].CopyFrom(s.hands[0].cards[0])),
    ("hands[1].cards[0]", lambda s: s.hands[1].cards[0].CopyFrom(s.tricks[0].cards[0])),
    ("hands[1].cards[3]", lambda s: s.hands[1].cards[3].CopyFrom(card("D9"))),
    ("hands[1].cards[3].rank", lambda s: change(rank=-1)(s.hands[1].cards[3])),
    ("passed", lambda s: s.passed.pop()),
    ("passed", lambda s: s.passed.extend([pb.DiamondsCards()] * 1000)),
    ("passed[0].cards", lambda s: s.passed[0].ClearField("cards")),
    ("passed[0].cards", lambda s: s.passed[0].cards.extend([A_HEART] * 1000)),
    ("passed[0].cards[0]", lambda s: s.passed[0].cards[0].CopyFrom(s.hands[0].cards[0])),
    ("passed[2].cards[0].suit", lambda s: change(suit=9)(s.passed[2].cards[0])),
]


@pytest.mark.parametrize(("field", "mistake"), STATE_MISTAKES)
def test_a_mistake_in_a_state_is_named(field: str, mistake: Change) -> None:
    state = middle()
    assert not state_violations(state)
    mistake(state)
    assert f"state.{field}" in fields(state_violations(state))


PASSING_MISTAKES: list[tuple[int, str, Change]] = [
    (0, "state.turn", change(turn=1)),
    (0, "state.passed[1].cards", lambda s: s.passed.extend(middle().passed)),
    (2, "state.turn", change(turn=1)),
    (2, "state.phase", lambda s: [s.passed[seat].MergeFrom(_two(s, seat)) for seat in (0, 2)]),
    (2, "state.passed[1].cards", lambda s: s.passed[1].cards.pop()),
    (2, "state.passed[1].cards[1]", lambda s: s.passed[1].cards[1].CopyFrom(s.hands[0].cards[0])),
    (2, "state.passed[1].cards[0]", lambda s: s.passed[1].cards[0].CopyFrom(A_HEART)),
    (2, "state.passed[1].cards[1]", lambda s: s.passed[1].cards[1].CopyFrom(s.passed[1].cards[0])),
    (2, "state.hands[0].cards", lambda s: s.hands[0].cards.pop()),
]


def _two(state: Any, seat: int) -> pb.DiamondsCards:
    return pb.DiamondsCards(cards=state.hands[seat].cards[:2])


@pytest.mark.parametrize(("moves", "field", "mistake"), PASSING_MISTAKES)
def test_a_mistake_before_the_first_trick_is_named(moves: int, field: str, mistake: Change) -> None:
    state = choosing(moves)
    assert not state_violations(state)
    mistake(state)
    assert field in fields(state_violations(state))


def test_a_view_before_the_first_trick_names_its_mistakes() -> None:
    message = view(choosing(1), 0)
    message.received.add().CopyFrom(A_HEART)
    assert fields(view_violations(message)) == ["view.received"]
    message = view(choosing(1), 0)
    message.passed.extend(message.hand[:1])
    assert fields(view_violations(message)) == ["view.passed"]
    message = view(choosing(0), 0)
    message.passed.extend(message.hand[:1])
    assert fields(view_violations(message)) == ["view.passed"]


VICTIM_MISTAKES: list[tuple[int, str, Change]] = [
    (OFF_SUIT, "turn", change(turn=2)),
    (OFF_SUIT, "victim_reason", change(victim_reason=TRICK)),
    (OFF_SUIT, "showrooms", crystals([20, 20, 20], [3, 3, 0])),
    (OFF_SUIT, "phase", option(thief_token=True)),
    (TRICK, "turn", change(turn=1)),
    (TRICK, "victim_reason", change(victim_reason=OFF_SUIT)),
    (TRICK, "phase", change(victim_reason=MAJORITY)),
    (MAJORITY, "turn", change(turn=1)),
    (MAJORITY, "phase", change(phase=PLAY, victim_reason=0)),
    (MAJORITY, "phase", change(victim_reason=NO_TRICK, bonus_actions_left=1)),
    (MAJORITY, "round", change(phase=OVER, victim_reason=0)),
    (NO_TRICK, "turn", change(turn=0)),
    (NO_TRICK, "bonus_actions_left", change(bonus_actions_left=3)),
    (NO_TRICK, "bonus_actions_left", change(bonus_actions_left=0)),
    (NO_TRICK, "phase", option(no_trick_bonus=0)),
]


@pytest.mark.parametrize(("reason", "field", "mistake"), VICTIM_MISTAKES)
def test_a_mistake_about_an_action_is_named(reason: int, field: str, mistake: Change) -> None:
    state = victims(reason)
    assert not state_violations(state)
    mistake(state)
    assert f"state.{field}" in fields(state_violations(state))


def test_the_phases_at_the_end_are_read_as_they_were_written() -> None:
    for reason in (OFF_SUIT, TRICK, MAJORITY, NO_TRICK):
        state = victims(reason)
        assert state.phase == VICTIM
        assert GAME.codec.write_state(read_state(state)) == state
    over = finished()
    over.turn = 17
    assert GAME.kernels.seat_to_move(read_state(over)) == GAME_OVER


def test_a_limited_supply_adds_up() -> None:
    state = middle(supply=235, supply_left=235 - 9 - 2 - 46)
    total = sum(state.vaults) + sum(state.showrooms)
    state.supply_left = 235 - total
    assert not state_violations(state)
    state.supply_left -= 1
    assert fields(state_violations(state)) == ["state.supply_left"]
    state.supply_left = 230
    assert fields(state_violations(state)) == ["state.supply_left"]
    state.supply_left = -1
    assert fields(state_violations(state)) == ["state.supply_left"]


def test_in_the_first_round_the_tricks_tell_how_many_crystals_there_are() -> None:
    state = position(3, plan="S1, C2, D0")
    assert fields(state_violations(state)) == ["state.vaults", "state.vaults[0]"]
    state.vaults[0] = 1
    assert not state_violations(state)
    state.vaults[1] = 1
    assert fields(state_violations(state)) == ["state.vaults"]


def test_perfect_diamonds_has_fewer_ranks() -> None:
    state = position(3, perfect=True)
    state.hands[0].cards[0].rank = 10
    (violation,) = state_violations(state)
    assert violation == Violation("state.hands[0].cards[0].rank", "is 10; this deck has 1 to 9")


def test_a_revoke_is_named_whether_played_or_held() -> None:
    played = middle()
    played.tricks[3].cards.add().CopyFrom(card("D15"))
    played.turn = 2
    (violation,) = state_violations(played)
    assert violation.field == "state.tricks[3].cards[1]"
    assert violation.description == (
        "Diamonds 15 can't be seat 1's: it did not follow Diamonds in trick 3"
    )
    held = view(middle(), 1)
    held.hand[2].CopyFrom(card("D15"))
    assert fields(view_violations(held)) == ["view.hand[2]"]


def test_cards_passed_to_a_seat_agree_with_what_it_has_played() -> None:
    void = view(middle(), 0)
    diamonds = [c for c in middle().hands[2].cards if c.suit == pb.DIAMONDS_SUIT_DIAMONDS]
    void.passed[0].CopyFrom(diamonds[0])
    assert view_violations(void)[0].description.endswith("it did not follow Diamonds in trick 3")
    end = position(3, plan="S0, S0, S1, C1, C2, C2, H0, H1, D0", crystals={0: "3/9"})
    end.pass_count = 2
    for seat in range(3):
        receiver = (seat + 1) % 3
        given = [end.hands[receiver].cards[0], end.tricks[0].cards[receiver]]
        end.passed[seat].CopyFrom(pb.DiamondsCards(cards=given))
    message = view(end, 0)
    assert not view_violations(message)
    unseen = sorted(set(range(60)) - {number_of(c) for c in known(message)})
    message.passed[1].CopyFrom(card_of(unseen[0]))
    assert fields(view_violations(message)) == ["view.passed"]


def known(message: pb.DiamondsView) -> list[pb.DiamondsCard]:
    return [*message.hand, *message.passed, *(c for trick in message.tricks for c in trick.cards)]


def test_a_view_with_which_no_deal_agrees_is_refused() -> None:
    """Nobody but seat 0 can hold spades any more, and it does not hold them all."""
    state = position(
        3,
        plan="S0 1D 2D",
        perfect=True,
        crystals={0: "3/9"},
        hands={0: "S2 S3 S4 S5 S6 S7 S8 S9 ..."},
    )
    message = view(state, 0)
    assert not view_violations(message)
    spade = list(message.hand).index(card("S9"))
    message.hand[spade].CopyFrom(state.hands[2].cards[0])
    (violation,) = view_violations(message)
    assert violation.field == "view.tricks"


def test_violations_say_what_is_wrong_and_what_would_be_right() -> None:
    message = view(middle(), 0)
    message.hand[3].CopyFrom(message.tricks[1].cards[0])
    (violation,) = view_violations(message)
    assert violation == Violation(
        "view.hand[3]", "Clubs 1 is also in trick 2; a card has one place"
    )
    message = view(middle(), 0)
    message.turn = 2
    (violation,) = view_violations(message)
    assert violation.description == "is 2; it is seat 1's turn, as the tricks say so"


def test_winners_and_captured_cards_may_be_left_out() -> None:
    message = view(middle(), 0)
    full = GAME.codec.read_view(message, "view", Report())
    message.ClearField("captured")
    for trick in message.tricks:
        trick.ClearField("winner")
    assert not view_violations(message)
    assert GAME.codec.read_view(message, "view", Report()).tobytes() == full.tobytes()


def test_the_order_of_cards_in_a_hand_does_not_matter() -> None:
    message = view(middle(), 0)
    row = GAME.codec.read_view(message, "view", Report())
    message.hand.reverse()
    assert GAME.codec.read_view(message, "view", Report()).tobytes() == row.tobytes()


def test_a_view_says_nothing_of_who_has_chosen_the_cards_to_pass() -> None:
    assert view(choosing(1), 0) == view(choosing(2), 0) == view(choosing(3), 0)


# ------------------------------------------------------------------------------------------- moves

MOVE_MISTAKES: list[tuple[pb.DiamondsState, str, pb.DiamondsMove]] = [
    (middle(), "move", pb.DiamondsMove()),
    (middle(), "move", pb.DiamondsMove(victim=1)),
    (middle(), "move.play.suit", pb.DiamondsMove(play=pb.DiamondsCard(rank=3))),
    (middle(), "move.play.rank", lead("S16")),
    (choosing(0), "move.pass_count", pb.DiamondsMove(pass_count=0)),
    (choosing(0), "move.pass_count", pb.DiamondsMove(pass_count=-4)),
    (choosing(0), "move", pb.DiamondsMove(play=A_HEART)),
    (choosing(1), "move.pass.cards", passing("")),
    (choosing(1), "move.pass.cards[1]", passing("H8 H8")),
    (choosing(1), "move.pass.cards[0].rank", passing("H16 H8")),
    (choosing(1), "move.pass.cards", passing("H8 " * 10_000)),
    (victims(TRICK), "move.victim", pb.DiamondsMove(victim=3)),
    (victims(TRICK), "move.victim", pb.DiamondsMove(victim=-1)),
    (finished(), "move", pb.DiamondsMove(victim=1)),
]


@pytest.mark.parametrize(("state", "field", "move"), MOVE_MISTAKES)
def test_a_mistake_in_a_move_is_named(
    state: pb.DiamondsState, field: str, move: pb.DiamondsMove
) -> None:
    report = Report()
    assert GAME.codec.read_move(read_state(state), move, "move", report) >= 0
    assert fields(report.violations) == [field]


def test_a_bonus_action_needs_a_suit() -> None:
    state = victims(NO_TRICK)
    change(phase=BONUS, victim_reason=0)(state)
    move = bonus("D")
    change(bonus=7)(move)
    report = Report()
    GAME.codec.read_move(read_state(state), move, "move", report)
    assert fields(report.violations) == ["move.bonus"]


# -------------------------------------------------------------------------------------------- fuzz


@given(st.binary(max_size=300))
def test_no_bytes_break_the_codec(data: bytes) -> None:
    for message, read in (
        (pb.DiamondsView(), GAME.codec.read_view),
        (pb.DiamondsState(), GAME.codec.read_state),
    ):
        with suppress(DecodeError):
            message.ParseFromString(data)
        read(message, "m", Report())


SETTINGS = [setting for setting in variants() if setting.game is GAME]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(SETTINGS),
    st.integers(0, 20),
    st.integers(0, 400),
    st.integers(1, 4),
    st.randoms(use_true_random=False),
)
def test_what_passes_is_safe_to_play_on_with(
    setting: Setting, seed: int, moves: int, mistakes: int, pick: Random
) -> None:
    row = position_after(setting, seed, moves)
    state = write_state(row)
    message = GAME.codec.write_view(view_of(GAME, row, pick.randrange(setting.seats)))
    for _ in range(mistakes):
        spoil(state, pick)
        spoil(message, pick)
    with suppress(InvalidMessage):
        play_on(read_state(state))
    report = Report()
    view_row = GAME.codec.read_view(message, "view", report)
    if not report.violations:
        table, sample = GAME.new_table(), GAME.new_row()
        assert GAME.kernels.prepare(view_row, table) == 1
        GAME.kernels.determinize(view_row, table, generator(seed), sample)
        seat = GAME.codec.viewing_seat(view_row)
        assert view_of(GAME, sample, seat).tobytes() == view_row.tobytes()
        play_on(sample)


def play_on(row: Row) -> None:
    """Checks the state, plays it to its end, and checks that too."""
    again = read_state(write_state(row))
    for seat in range(GAME.codec.seats(row)):
        assert GAME.kernels.prepare(view_of(GAME, row, seat), GAME.new_table()) == 1
    assert GAME.kernels.seats_to_move(again) == GAME.kernels.seats_to_move(row)
    GAME.kernels.playout(again, generator(1), 0)
    assert GAME.kernels.seat_to_move(again) == GAME_OVER
    read_state(write_state(again))
