"""SampleWorlds over gRPC: where hidden cards may lie, for every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import dao_pb2, diams_pb2, game_pb2
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from engines.registry import game, games
from engines.rng import generator
from server.requests.messages import State, View
from tests.contract.play import Setting, position_after, view_of
from tests.engines.dao.test_hidden import endgame
from tests.engines.diamonds.test_hidden import CASES, Case, knowledge
from tests.server.positions import failure

DEPTHS = (0, 3, 14, 40)
HIDING = [found.game_id for found in games().values() if found.hidden_cards]


def tables(game_id: str) -> Iterator[tuple[State, View]]:
    """Positions of a game's standard form, and what a seat knows there, to move or not."""
    chosen = game(game_id)
    for seed, depth in enumerate(DEPTHS):
        seats = min(chosen.min_seats + seed, chosen.max_seats)
        row = position_after(Setting(chosen, seats, "standard"), seed + 1, depth)
        yield State(chosen, row), View(chosen, view_of(chosen, row, depth % seats))


def ask(advisor: AdvisorServiceStub, view: View, **fields: Any) -> pb.SampleWorldsResponse:
    return advisor.SampleWorlds(pb.SampleWorldsRequest(view=view.message(), **fields), timeout=60)


def cards_in(world: game_pb2.GameState, place: pb.HiddenPlace) -> Counter[bytes] | None:
    """The cards of a full state in a place; None for one that its message does not list."""
    state: Any = getattr(world, str(world.WhichOneof("game")))
    match world.WhichOneof("game"), place.place:
        case "dao", "next_card":
            found = state.deck[:1]
        case "dao", "deck":
            found = state.deck[1:]
        case "diams", "safe":
            diamonds = state.safes[place.seat].diamonds
            found = [diams_pb2.DiamsCard(diamond=diamond) for diamond in diamonds]
        case _, "hand":
            found = state.hands[place.seat].cards
        case _, "deck" | "second_half":
            found = getattr(state, place.place)
        case _:
            return None
    return Counter(card.SerializeToString(deterministic=True) for card in found)


@pytest.mark.parametrize("game_id", HIDING)
def test_figures_are_those_of_the_worlds(advisor: AdvisorServiceStub, game_id: str) -> None:
    for _, view in tables(game_id):
        answer = ask(advisor, view, samples=60, worlds=60, seed=3)
        assert (answer.samples, len(answer.worlds), answer.seed) == (60, 60, 3)
        for place in answer.places:
            assert sum(card.copies for card in place.cards) == pytest.approx(place.size)
            found = [cards_in(world, place) for world in answer.worlds]
            if None in found:
                continue
            for card in place.cards:
                key = getattr(card.card, game_id).SerializeToString(deterministic=True)
                copies = [held[key] for held in found if held is not None]
                there = sum(count > 0 for count in copies) / 60
                assert card.probability == pytest.approx(there)
                assert card.copies == pytest.approx(sum(copies) / 60)
                assert card.standard_error == pytest.approx((there * (1 - there) / 60) ** 0.5)


@pytest.mark.parametrize("game_id", HIDING)
def test_every_hidden_card_is_in_one_place(advisor: AdvisorServiceStub, game_id: str) -> None:
    """However they lie, it is the same cards."""
    for _, view in tables(game_id):
        totals = []
        for seed in (1, 2):
            total: Counter[bytes] = Counter()
            for place in ask(advisor, view, samples=50, seed=seed).places:
                for card in place.cards:
                    total[card.card.SerializeToString(deterministic=True)] += round(
                        50 * card.copies
                    )
            assert all(copies % 50 == 0 for copies in total.values())
            totals.append(total)
        assert totals[0] == totals[1]


def test_worlds_are_what_the_search_samples(advisor: AdvisorServiceStub, game_id: str) -> None:
    for _, view in tables(game_id):
        table, rng, row = view.game.new_table(), generator(9), view.game.new_row()
        assert view.game.kernels.prepare(view.row, table)
        for world in ask(advisor, view, samples=5, worlds=5, seed=9).worlds:
            view.game.kernels.determinize(view.row, table, rng, row)
            assert world == State(view.game, row).message()


def test_worlds_agree_with_the_view(advisor: AdvisorServiceStub, game_id: str) -> None:
    """The server reads them as full states, and the seat would see in them what it sees."""
    for _, view in tables(game_id):
        asked = pb.SampleWorldsRequest(samples=4, worlds=4, seed=2)
        for world in ask(advisor, view, samples=4, worlds=4, seed=2).worlds:
            asked.state.CopyFrom(pb.StateOfSeat(state=world, seat=view.seat))
            again = advisor.SampleWorlds(asked)
            assert again == ask(advisor, view, samples=4, worlds=4, seed=2)


def test_the_hidden_part_of_a_state_changes_nothing(
    advisor: AdvisorServiceStub, game_id: str
) -> None:
    for state, view in tables(game_id):
        asked = pb.SampleWorldsRequest(samples=100, seed=4)
        asked.state.CopyFrom(pb.StateOfSeat(state=state.message(), seat=view.seat))
        assert advisor.SampleWorlds(asked) == ask(advisor, view, samples=100, seed=4)


def test_dao_is_uniform(advisor: AdvisorServiceStub) -> None:
    """Five cards, two of them alike: each is the next one with a chance of its copies in five."""
    state = endgame([2, 2, 7, 13, 24], [], split=False)
    asked = pb.SampleWorldsRequest(samples=10_000, seed=8)
    asked.state.state.dao.CopyFrom(state)
    answer = advisor.SampleWorlds(asked)
    assert [place.place for place in answer.places] == ["next_card", "deck"]
    next_card, deck = answer.places
    assert (next_card.size, deck.size) == (1, 4)
    chances = [0.4, 0.2, 0.2, 0.2]
    for card, chance in zip(next_card.cards, chances, strict=True):
        assert abs(card.probability - chance) < 5 * card.standard_error
    for card, chance, copies in zip(deck.cards, [1.0, 0.8, 0.8, 0.8], chances, strict=True):
        assert abs(card.probability - chance) <= 5 * card.standard_error
        assert card.copies == pytest.approx(5 * copies - copies, abs=0.03)
    assert next_card.cards[0].card.dao == dao_pb2.DaoCard(
        element=dao_pb2.DAO_ELEMENT_METAL, value=2
    )


@pytest.mark.parametrize("case", CASES, ids=str)
def test_diamonds_is_uniform(advisor: AdvisorServiceStub, case: Case) -> None:
    """Against all deals that agree with a view, of which each is equally likely."""
    state = case.state
    _, known = knowledge(state, case.seat)
    hands = list(known.hands())
    asked = pb.SampleWorldsRequest(samples=10_000, seed=8)
    asked.state.CopyFrom(pb.StateOfSeat(state=game_pb2.GameState(diamonds=state), seat=case.seat))
    answer = advisor.SampleWorlds(asked)
    for place in answer.places:
        lies = Counter(
            card
            for dealt in hands
            for card in (
                dealt[place.seat]
                if place.HasField("seat")
                else known.unseen - frozenset().union(*dealt)
            )
        )
        found = {
            15 * (card.card.diamonds.suit - 1) + card.card.diamonds.rank - 1: card
            for card in place.cards
        }
        assert set(found) == set(lies)
        for number, card in found.items():
            chance = lies[number] / len(hands)
            bound = 5 * (chance * (1 - chance) / 10_000) ** 0.5
            assert abs(card.probability - chance) <= bound


def test_a_game_that_hides_nothing_has_no_places(advisor: AdvisorServiceStub) -> None:
    for _, view in tables("diamonds_club"):
        assert not ask(advisor, view, samples=10).places


def test_places_are_told_in_both_languages(advisor: AdvisorServiceStub) -> None:
    for game_id in HIDING:
        _, view = next(tables(game_id))
        english, chinese = (
            ask(advisor, view, samples=10, seed=1, language=language).places
            for language in ("en", "zh-TW")
        )
        for one, other in zip(english, chinese, strict=True):
            assert one.words
            assert other.words
            assert one.words != other.words
            assert [c.probability for c in one.cards] == [c.probability for c in other.cards]
            assert one.cards[0].words != other.cards[0].words


def test_a_short_deadline_makes_fewer_samples_and_not_none(advisor: AdvisorServiceStub) -> None:
    _, view = list(tables("diams"))[2]
    request = pb.SampleWorldsRequest(view=view.message(), samples=10_000)
    assert 1 <= advisor.SampleWorlds(request, timeout=30).samples <= 10_000
    assert ask(advisor, view).samples == 1000


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.SampleWorldsRequest(), "position"),
        (pb.SampleWorldsRequest(view=game_pb2.PlayerView()), "view"),
        (pb.SampleWorldsRequest(state=pb.StateOfSeat()), "state.state"),
    ],
)
def test_bad_positions_are_named(
    advisor: AdvisorServiceStub, request_: pb.SampleWorldsRequest, field: str
) -> None:
    failed = failure(lambda: advisor.SampleWorlds(request_))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert failed.fields == [field]


def test_bad_numbers_are_named(advisor: AdvisorServiceStub) -> None:
    state, view = next(tables("dao"))
    for fields, wrong in (
        ({"samples": -1}, "samples"),
        ({"samples": 10_001}, "samples"),
        ({"worlds": 101}, "worlds"),
        ({"language": "zh-CN"}, "language"),
    ):
        assert failure(lambda: ask(advisor, view, **fields)).fields == [wrong]  # noqa: B023
    asked = pb.SampleWorldsRequest(state=pb.StateOfSeat(state=state.message(), seat=2))
    assert failure(lambda: advisor.SampleWorlds(asked)).fields == ["state.seat"]
