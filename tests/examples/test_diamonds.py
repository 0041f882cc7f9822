"""The worked examples of docs/rules/diamonds.md, section 9, and the decisions of section 10.

Crystals are written "showroom/vault"; how cards and plans of tricks are written:
tests/engines/diamonds/positions.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import comb
from typing import Any

import pytest

from adamas.v1 import diamonds_pb2 as pb
from tests.engines.diamonds.positions import (
    bonus,
    card,
    crystals_of,
    lead,
    of_kind,
    pass_count,
    passing,
    position,
    victim,
    words,
)
from tests.examples.referee import Referee, play

CLUBS = pb.DIAMONDS_SUIT_CLUBS
DIAMONDS = pb.DIAMONDS_SUIT_DIAMONDS
HEARTS = pb.DIAMONDS_SUIT_HEARTS
SPADES = pb.DIAMONDS_SUIT_SPADES
NO_TRICK = pb.DIAMONDS_ACTION_REASON_NO_TRICK
ALL_TIED = pb.DIAMONDS_END_OF_ROUND_TIE_ALL_TIED


def played(referee: Referee, state: Any, text: str) -> Any:
    """The state after some cards."""
    return play(referee, state, [lead(word) for word in text.split()])


def legal_cards(referee: Referee, state: Any) -> list[str]:
    return words(move.play for move in referee.legal(state))


def legal_victims(referee: Referee, state: Any) -> list[int]:
    return [move.victim for move in referee.legal(state)]


def last_card(state: Any) -> Any:
    """The move that plays the only card in the hand of the seat to move."""
    (only,) = state.hands[state.turn].cards
    return pb.DiamondsMove(play=only)


def finish(referee: Referee, state: Any) -> tuple[Any, list[Any]]:
    """Plays the last card of the round; the state after it, and what everybody saw."""
    return referee.apply(state, last_card(state)), referee.events(state, last_card(state))


def majority(events: Sequence[Any], suit: int) -> tuple[list[int], list[int]]:
    """Captured cards of a suit, and who acts for the most of them."""
    (found,) = [event for event in of_kind(events, "majority") if event.suit == suit]
    return list(found.captured), list(found.seats)


def bonus_actions(events: Sequence[Any]) -> list[tuple[int, int]]:
    """Seat and suit of every action of the bonus for no tricks."""
    actions = of_kind(events, "suit_action")
    return [(action.seat, action.suit) for action in actions if action.reason == NO_TRICK]


def test_example_1_follow_suit(referee: Referee) -> None:
    start = position(3, plan="S0, S0, S0, C0, C0, C0", hands={0: "H7 ...", 1: "H3 H9 S2 D14"})
    assert legal_cards(referee, played(referee, start, "H7")) == ["H3", "H9"]


def test_example_2_cannot_follow(referee: Referee) -> None:
    start = position(
        3,
        plan="S0, S0, S0, C0, C0, C0, C0",
        hands={0: "S6 ...", 1: "H3 D14 C5", 2: "S2 ..."},
    )
    led = played(referee, start, "S6")
    assert legal_cards(referee, led) == ["D14", "H3", "C5"]
    after = played(referee, led, "D14")
    assert crystals_of(after)[1] == "3/1"
    assert played(referee, after, "S2").tricks[-1].winner == 0


def test_example_3_trick_winner(referee: Referee) -> None:
    start = position(4, hands={0: "D7 ...", 1: "D2 ...", 2: "D13 ...", 3: "D9 ..."})
    after = played(referee, start, "D7 D2 D13 D9")
    assert crystals_of(after) == ["3/0", "3/0", "3/1", "3/0"]
    assert (after.phase, after.turn) == (pb.DIAMONDS_PHASE_PLAY, 2)


def test_example_4_off_suit_action_inside_a_trick(referee: Referee) -> None:
    start = position(
        4,
        hands={0: "D7 ...", 1: "H3 ...", 2: "D13 ...", 3: "D1 ..."},
        without={1: "D"},
    )
    off_suit = played(referee, start, "D7 H3")
    assert crystals_of(off_suit)[1] == "4/0"
    assert off_suit.turn == 2
    after = played(referee, off_suit, "D13 D1")
    assert crystals_of(after) == ["3/0", "4/0", "3/1", "3/0"]


EXAMPLE_5 = "D0, D0, D1, H1, H2, S2 1H, S2 1D, S0 1H, S0 1H, C1 2H"
"""Captured diamonds 6, 3, 1; captured hearts 2, 4, 4."""


def test_example_5_round_end_majority_and_tie(referee: Referee) -> None:
    start = position(3, plan=EXAMPLE_5, unplayed=1, crystals={0: "0/9", 1: "2/9", 2: "0/9"})
    after, events = finish(referee, start)
    assert majority(events, DIAMONDS) == ([6, 3, 1], [0])
    assert majority(events, HEARTS) == ([2, 4, 4], [])
    assert crystals_of(after)[0] == "0/10"


def test_example_6_scoring(referee: Referee) -> None:
    state = position(3, crystals={0: "5/21"})
    assert referee.results(state)[0].score == 47


def test_example_7_two_players(referee: Referee) -> None:
    """Chad is seat 0, Mike seat 1."""
    start = position(2, hands={0: "D4 H9 ...", 1: "D3 D8 ..."}, without={0: "D"})
    third = played(referee, start, "D4 D3")
    assert "H9" in legal_cards(referee, third)
    third = played(referee, third, "H9")
    assert crystals_of(third)[0] == "4/0"
    after = played(referee, third, "D8")
    assert crystals_of(after) == ["4/0", "3/1"]
    assert after.turn == 1
    captured = referee.view(after, 0).captured[1]
    assert (captured.diamonds, captured.hearts) == (3, 1)


def test_example_7_the_leader_follows_with_its_second_card_if_it_can(referee: Referee) -> None:
    start = position(2, hands={0: "D4 D6 H9 ...", 1: "D3 D8 ..."}, without={0: "D"})
    assert legal_cards(referee, played(referee, start, "D4 D3")) == ["D6"]


def test_example_8_off_suit_rank_is_worthless(referee: Referee) -> None:
    start = position(
        4,
        hands={0: "C4 ...", 1: "C9 ...", 2: "D15 ...", 3: "C2 ..."},
        without={2: "C"},
    )
    after = played(referee, start, "C4 C9 D15 C2")
    assert after.tricks[0].winner == 1
    assert crystals_of(after)[2] == "3/1"
    assert (after.phase, after.turn) == (pb.DIAMONDS_PHASE_VICTIM, 1)
    assert after.victim_reason == pb.DIAMONDS_ACTION_REASON_TRICK


def showrooms(*figures: int) -> pb.DiamondsState:
    """Seat 0 of four can win a trick of clubs."""
    return position(
        4,
        hands={0: "C9 ...", 1: "C1 ...", 2: "C2 ...", 3: "C3 ..."},
        crystals={seat: f"{figure}/9" for seat, figure in enumerate(figures)},
    )


def test_example_9_victims(referee: Referee) -> None:
    choice = played(referee, showrooms(2, 0, 3, 1), "C9 C1 C2 C3")
    assert legal_victims(referee, choice) == [2, 3]
    assert list(referee.apply(choice, victim(3)).showrooms) == [3, 0, 3, 0]
    nobody = played(referee, showrooms(2, 0, 0, 0), "C9 C1 C2 C3")
    assert (nobody.phase, list(nobody.showrooms)) == (pb.DIAMONDS_PHASE_PLAY, [2, 0, 0, 0])
    one = played(referee, showrooms(0, 0, 5, 0), "C9 C1 C2 C3")
    assert (one.phase, list(one.showrooms)) == (pb.DIAMONDS_PHASE_PLAY, [1, 0, 4, 0])


def test_example_10_spades_with_an_empty_showroom(referee: Referee) -> None:
    start = position(3, hands={0: "S9 ...", 1: "S1 ...", 2: "S2 ..."}, crystals={0: "0/6"})
    assert crystals_of(played(referee, start, "S9 S1 S2"))[0] == "0/6"


def test_example_11_hearts_come_before_spades(referee: Referee) -> None:
    plan = "S0, S0, S1, H0, H0, H1, C1, C2, D1, D2"
    after, events = finish(referee, position(3, plan=plan, unplayed=1, crystals={0: "0/5"}))
    assert majority(events, HEARTS)[1] == majority(events, SPADES)[1] == [0]
    assert crystals_of(after)[0] == "0/6"


def test_example_12_spades_protect_before_clubs(referee: Referee) -> None:
    """Q is seat 1, P seat 0."""
    plan = "S1, S1, S2, C0, C0, C2, H0, H0, D2, D0"
    start = position(3, plan=plan, unplayed=1, crystals={0: "0/9", 1: "1/4", 2: "0/9"})
    after, events = finish(referee, start)
    assert majority(events, SPADES)[1] == [1]
    assert majority(events, CLUBS)[1] == [0]
    assert crystals_of(after)[1] == "0/5"
    assert not of_kind(events, "suit_action")[-1].moved
    assert after.phase == pb.DIAMONDS_PHASE_PASS_COUNT


NO_CLUBS = "D0, H0, S1, D1, H{other}, S1, D0, H0, S0, D0 1H"
"""Seat 2 wins no trick, with {other} = 1 neither does seat 3. No club is captured."""


@pytest.mark.parametrize(("other", "trickless"), [(3, [2]), (1, [2, 3])])
def test_example_13_no_tricks(referee: Referee, other: int, trickless: list[int]) -> None:
    start = position(
        4, plan=NO_CLUBS.format(other=other), unplayed=1, crystals={2: "2/3", 3: "2/3"}
    )
    after, events = finish(referee, start)
    assert bonus_actions(events) == [(seat, DIAMONDS) for seat in trickless for _ in range(2)]
    for seat in trickless:
        assert crystals_of(after)[seat] == "2/5"


@pytest.mark.parametrize(("third", "shares"), [("3/20", [0, 1, 0]), ("2/21", [0, 0.5, 0.5])])
def test_example_14_game_tie_break(referee: Referee, third: str, shares: list[float]) -> None:
    state = position(
        3,
        plan="S0, S0, S0, S1, S1, C0, C0, C1, C1, C2",
        crystals={0: "4/20", 1: "2/21", 2: third},
        round_=6,
        over=True,
    )
    results = referee.results(state)
    assert [result.score for result in results[:2]] == [44, 44]
    assert [result.win_share for result in results] == shares


@pytest.mark.parametrize("count", [1, 2, 3])
def test_example_15_passing_choices(referee: Referee, count: int) -> None:
    dealt = referee.start(pb.DiamondsOptions(), 4, 5)
    assert referee.legal(dealt) == [pass_count(1), pass_count(2), pass_count(3)]
    chosen = referee.apply(dealt, pass_count(count))
    for seat in range(4):
        assert len(referee.legal(chosen, seat)) == comb(10, count)


def test_example_15_partners_pass_to_each_other(referee: Referee) -> None:
    state = referee.apply(referee.start(pb.DiamondsOptions(teams=True), 4, 5), pass_count(2))
    given = {seat: words(state.hands[seat].cards)[:2] for seat in range(4)}
    for seat in range(4):
        state = referee.apply(state, passing(" ".join(given[seat])), seat)
    assert set(given[0]) <= set(words(state.hands[2].cards))
    assert words(referee.view(state, 0).received) == given[2]


EXAMPLE_16 = "D0, D1, D2, S0 3H, S0 3H, S0 3H, S1 3H, S1 3H, C1 3H, C2 3H"
"""Captured hearts 3, 3, 1, 0; seat 3 wins no trick."""


def test_example_16_partnership_majority(referee: Referee) -> None:
    start = position(4, plan=EXAMPLE_16, unplayed=1, teams=True, crystals={0: "5/9", 1: "5/9"})
    _, events = finish(referee, start)
    assert majority(events, HEARTS) == ([4, 3], [0])
    assert bonus_actions(events) == [(3, DIAMONDS), (3, DIAMONDS)]
    (scored,) = of_kind(events, "round_scored")
    assert len(scored.vaults) == 2


def test_example_17_two_tricks_in_sequence(referee: Referee) -> None:
    """A, B and C are seats 0, 1 and 2."""
    start = position(
        3,
        leader=1,
        hands={0: "S4 H2 ...", 1: "C8 C1 ...", 2: "C11 H15 ..."},
        without={0: "C", 1: "H"},
    )
    state = played(referee, start, "C8 C11 S4")
    assert crystals_of(state) == ["2/1", "3/0", "3/0"]
    assert legal_victims(referee, state) == [0, 1]
    state = referee.apply(state, victim(1))
    assert crystals_of(state) == ["2/1", "2/0", "4/0"]
    state = played(referee, state, "H15 H2 C1")
    assert (state.turn, legal_victims(referee, state)) == (1, [0, 2])
    state = referee.apply(state, victim(2))
    assert crystals_of(state) == ["2/1", "3/0", "4/0"]
    assert (state.phase, state.turn) == (pb.DIAMONDS_PHASE_PLAY, 2)


@pytest.mark.parametrize(
    ("seats", "deck", "highest", "hand"),
    [(2, 32, 8, 16), (3, 36, 9, 12), (4, 52, 13, 13), (5, 60, 15, 12)],
)
def test_example_18_perfect_deck(
    referee: Referee, seats: int, deck: int, highest: int, hand: int
) -> None:
    state = referee.start(pb.DiamondsOptions(perfect=True), seats, 1)
    dealt = [word for held in state.hands for word in words(held.cards)]
    assert sorted(dealt) == sorted(f"{s}{r}" for s in "DHSC" for r in range(1, highest + 1))
    assert len(dealt) == deck
    assert {len(held.cards) for held in state.hands} == {hand}


def test_example_19_thief_token(referee: Referee) -> None:
    hands = {0: "C9 ...", 1: "C1 ...", 2: "C2 ...", 3: "C3 ..."}
    start = position(4, hands=hands, thief_token=True, thief=2)
    after = played(referee, start, "C9 C1 C2 C3")
    assert (list(after.showrooms), after.thief) == ([4, 3, 2, 3], 3)
    assert after.phase == pb.DIAMONDS_PHASE_PLAY
    own = position(4, hands={**hands, 2: "C15 ..."}, thief_token=True, thief=2)
    after = played(referee, own, "C9 C1 C15 C3")
    assert (list(after.showrooms), after.thief) == ([3, 3, 3, 3], 3)


def test_clarification_1_all_tied_seats_act_but_not_for_nothing(referee: Referee) -> None:
    tied = position(
        3,
        plan=EXAMPLE_5,
        unplayed=1,
        crystals={0: "0/9", 1: "2/9", 2: "0/9"},
        end_of_round_tie=ALL_TIED,
    )
    after, events = finish(referee, tied)
    assert majority(events, HEARTS) == ([2, 4, 4], [1, 2])
    assert after.phase == pb.DIAMONDS_PHASE_PASS_COUNT
    no_clubs = position(
        4,
        plan=NO_CLUBS.format(other=3),
        unplayed=1,
        crystals={0: "3/9"},
        end_of_round_tie=ALL_TIED,
    )
    assert majority(finish(referee, no_clubs)[1], CLUBS) == ([0, 0, 0, 0], [])


THREE_TEAMS = "C4, C4, H0, H0, S2, S2, D0, D0, D0 3H 4H 5H, S2 3C 4C 5C"
"""All sixty cards; seat 4 captures the most clubs for team 1, the dealer is seat 5."""


def test_clarification_2_the_first_partner_from_the_dealers_left_chooses(
    referee: Referee,
) -> None:
    start = position(
        6,
        plan=THREE_TEAMS,
        unplayed=1,
        teams=True,
        crystals={0: "5/9", 1: "0/9", 2: "5/9"},
    )
    state = referee.apply(start, last_card(start))
    assert (state.phase, state.turn) == (pb.DIAMONDS_PHASE_VICTIM, 1)
    assert state.victim_reason == pb.DIAMONDS_ACTION_REASON_MAJORITY
    assert legal_victims(referee, state) == [0, 2]
    before = list(state.showrooms)
    after = referee.apply(state, victim(2))
    assert list(after.showrooms) == [before[0], before[1] + 1, before[2] - 1]


def test_clarification_3_two_actions_of_any_suit_one_at_a_time(referee: Referee) -> None:
    start = position(
        4,
        plan=NO_CLUBS.format(other=1),
        unplayed=1,
        crystals={2: "0/3", 3: "2/3"},
        no_trick_bonus=pb.DIAMONDS_NO_TRICK_BONUS_TWO_ANY,
    )
    state, _ = finish(referee, start)
    assert (state.phase, state.turn, state.bonus_actions_left) == (pb.DIAMONDS_PHASE_BONUS, 2, 2)
    assert referee.legal(state) == [bonus(suit) for suit in "DHSC"]
    state = referee.apply(state, bonus("S"))
    assert (crystals_of(state)[2], state.turn, state.bonus_actions_left) == ("0/3", 2, 1)
    state = referee.apply(state, bonus("C"))
    assert (state.phase, state.turn) == (pb.DIAMONDS_PHASE_VICTIM, 2)
    state = referee.apply(state, victim(3))
    assert crystals_of(state)[2:] == ["1/3", "1/3"]
    assert (state.phase, state.turn, state.bonus_actions_left) == (pb.DIAMONDS_PHASE_BONUS, 3, 2)
    state = play(referee, state, [bonus("D"), bonus("H")])
    assert crystals_of(state)[3] == "2/4"
    assert state.phase == pb.DIAMONDS_PHASE_PASS_COUNT


def test_clarification_4_the_thief_token_with_teams(referee: Referee) -> None:
    hands = {0: "C9 ...", 1: "C1 ...", 2: "C2 ...", 3: "C3 ..."}
    for thief, after_it in ((2, [3, 3]), (3, [4, 2])):
        start = position(4, hands=hands, teams=True, thief_token=True, thief=thief)
        after = played(referee, start, "C9 C1 C2 C3")
        assert (list(after.showrooms), after.thief) == (after_it, (thief + 1) % 4)


def test_clarification_5_any_number_of_crystals(referee: Referee) -> None:
    hands = {0: "D9 ...", 1: "D1 ...", 2: "D2 ..."}
    enough = position(3, hands=hands, supply=10, supply_left=1)
    after = played(referee, enough, "D9 D1 D2")
    assert (crystals_of(after)[0], after.supply_left) == ("3/1", 0)
    empty = played(referee, position(3, hands=hands, supply=9), "D9 D1 D2")
    assert (crystals_of(empty)[0], empty.supply_left) == ("3/0", 0)
    assert referee.start(pb.DiamondsOptions(supply=235), 3, 1).supply_left == 235 - 9


@pytest.mark.parametrize(
    ("rule", "seats_rewarded"),
    [
        (pb.DIAMONDS_TEAM_NO_TRICK_ACTIONS_PER_TEAM, [1]),
        (pb.DIAMONDS_TEAM_NO_TRICK_ACTIONS_PER_PARTNER, [1, 3]),
    ],
)
def test_clarification_6_two_trickless_partners(
    referee: Referee, rule: int, seats_rewarded: list[int]
) -> None:
    plan = "D0, D2, D0, S0, S2, S0, H0, H2, H0, D0 3H"
    start = position(
        4, plan=plan, unplayed=1, crystals={0: "5/9"}, teams=True, team_no_trick_actions=rule
    )
    _, events = finish(referee, start)
    assert bonus_actions(events) == [(seat, DIAMONDS) for seat in seats_rewarded for _ in range(2)]


def test_clarification_7_captured_cards_may_be_left_out_of_views(referee: Referee) -> None:
    shown = position(3, plan="S1, C2")
    assert [c.spades for c in referee.view(shown, 0).captured] == [0, 3, 0]
    assert not referee.view(position(3, plan="S1, C2", expose_captured=False), 0).captured


def test_clarification_8_a_single_choice_is_never_asked(referee: Referee) -> None:
    start = position(2, hands={0: "C9 C8 ...", 1: "C1 C2 ..."})
    after = played(referee, start, "C9 C1 C8 C2")
    assert (after.phase, list(after.showrooms)) == (pb.DIAMONDS_PHASE_PLAY, [4, 2])


def test_clarification_9_the_order_of_passing_has_no_effect(referee: Referee) -> None:
    start = referee.apply(referee.start(pb.DiamondsOptions(), 3, 2), pass_count(1))
    given = {seat: words(start.hands[seat].cards)[seat] for seat in range(3)}
    ends = []
    for order in permutations(range(3)):
        state = start
        for seat in order:
            events = referee.events(state, passing(given[seat]), seat)
            state = referee.apply(state, passing(given[seat]), seat)
        ends.append(state)
        passed = [event.seat for event in of_kind(events, "cards_passed")]
        assert passed == [(start.dealer + 1 + i) % 3 for i in range(3)]
    assert all(end == ends[0] for end in ends)
    assert card(given[0]) in ends[0].hands[1].cards
