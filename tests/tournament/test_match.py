"""One game: whatever a player does, it ends with a result by the stated rule."""

from collections.abc import Callable
from contextlib import ExitStack

import grpc
import pytest

from adamas import Client
from adamas.v1 import advisor_service_pb2 as pb
from adamas_tournament.match import Abandoned
from adamas_tournament.records import GameKey, GameRecord, Offence
from adamas_tournament.referee import RefereeLost
from adamas_tournament.schedule import ScheduledGame
from adamas_tournament.worker import Worker
from tests.tournament import bots
from tests.tournament.bots import Behaviour
from tests.tournament.configs import config_text
from tests.tournament.conftest import planned


def endpoint(name: str, address: str) -> str:
    return f'[[entrants]]\nname = "{name}"\nkind = "endpoint"\naddress = "{address}"\n'


RANDOM = '[[entrants]]\nname = "{}"\nkind = "random"\n'


class Table:
    """Plays single games of a configuration."""

    def __init__(self, target: str, client: Client) -> None:
        self._target = target
        self._client = client

    def play(self, text: str, entrants: tuple[int, ...] = (0, 1), seed: int = 11) -> GameRecord:
        text = text.replace("[tournament]", f'[tournament]\nreferee = "{self._target}"', 1)
        worker = Worker(*planned(text, self._client))
        try:
            return worker.play(ScheduledGame(GameKey(0, 0), seed, entrants))
        finally:
            worker.close()


@pytest.fixture
def table(target: str, client: Client) -> Table:
    return Table(target, client)


@pytest.fixture
def play_with(table: Table) -> Callable[..., GameRecord]:
    """Plays a game of bots that behave as told; they are entrants 0, 1, ... at those seats."""

    def play(*behaviours: Behaviour, rest: str = "", seats: int = 0) -> GameRecord:
        with ExitStack() as stack:
            entrants = ""
            for number, behaviour in enumerate(behaviours):
                address = stack.enter_context(bots.bot(behaviour))
                entrants += endpoint(f"bot {number}", address)
            text = config_text(entrants=entrants, rest=rest, seats=seats or len(behaviours))
            return table.play(text, tuple(range(len(behaviours))))

    return play


def test_a_bot_needs_to_answer_nothing_but_a_move(
    play_with: Callable[..., GameRecord], target: str
) -> None:
    game = play_with(bots.first_move(target), bots.first_move(target))
    assert game.forfeits == ()
    assert sum(side.win_share for side in game.sides) == pytest.approx(1)
    assert {move.win_probability for move in game.moves} == {None}
    assert [side.moves for side in game.sides] == [
        sum(move.seat == seat for move in game.moves) for seat in (0, 1)
    ]


@pytest.mark.parametrize(
    ("bad", "offence", "told"),
    [
        (bots.illegal, Offence.ILLEGAL, "move"),
        (bots.of_another_game, Offence.ILLEGAL, "move"),
        (bots.silent, Offence.ILLEGAL, "move"),
        (bots.failing, Offence.CRASH, "no idea what to play"),
        (bots.hanging, Offence.HANG, "within 0.5 s"),
    ],
)
def test_an_offence_loses_the_game_at_once(
    play_with: Callable[..., GameRecord], target: str, bad: Behaviour, offence: Offence, told: str
) -> None:
    good = bots.first_move(target)
    game = play_with(bots.after(3, bad, good), good, rest="[time]\nhang = 0.5")
    (forfeit,) = game.forfeits
    assert (forfeit.side, forfeit.seat, forfeit.offence) == (0, 0, offence)
    assert forfeit.ply == len(game.moves)
    assert told in forfeit.detail
    assert [(side.place, side.win_share) for side in game.sides] == [(2, 0.0), (1, 1.0)]


def test_a_move_over_its_limit_is_lost_on_time(
    play_with: Callable[..., GameRecord], target: str
) -> None:
    good = bots.first_move(target)
    game = play_with(
        good, bots.after(1, bots.hanging, good), rest="[time]\nmove = 0.4\nlag = 0.3\nhang = 30"
    )
    (forfeit,) = game.forfeits
    assert (forfeit.side, forfeit.offence) == (1, Offence.TIME)


def test_a_budget_that_is_used_up_is_lost_on_time(
    play_with: Callable[..., GameRecord], target: str
) -> None:
    good = bots.first_move(target)
    game = play_with(good, bots.after(1, bots.hanging, good), rest="[time]\ntotal = 1.5\nhang = 30")
    (forfeit,) = game.forfeits
    assert (forfeit.side, forfeit.offence) == (1, Offence.TIME)


def test_the_service_is_not_asked_to_think_longer_than_servers_allow(
    table: Table, target: str
) -> None:
    times: dict[str, set[float]] = {}
    for kind in ("service", "endpoint"):
        questions: list[pb.SearchQuery] = []
        with bots.bot(bots.noting(questions, bots.first_move(target))) as address:
            entrant = endpoint("bot", address).replace("endpoint", kind)
            game = table.play(
                config_text(entrants=entrant + RANDOM.format("r"), rest="[time]\nmove = 120")
            )
        assert game.forfeits == ()
        times[kind] = {query.limits.time.ToTimedelta().total_seconds() for query in questions}
    assert times == {"service": {60.0}, "endpoint": {120.0}}


@pytest.mark.parametrize("expected", [float("inf"), float("nan"), -0.5, 1.5])
def test_a_probability_that_is_none_is_not_recorded(
    play_with: Callable[..., GameRecord], target: str, expected: float
) -> None:
    good = bots.first_move(target)

    def boasting(
        request: pb.RecommendRequest, context: grpc.ServicerContext
    ) -> pb.RecommendResponse:
        answer = good(request, context)
        answer.advice.candidates.add(visits=1, win_probability=expected)
        return answer

    game = play_with(boasting, good)
    assert game.forfeits == ()
    assert {move.win_probability for move in game.moves} == {None}


def test_an_entrant_that_nobody_can_reach_crashes(table: Table) -> None:
    text = config_text(
        entrants=endpoint("gone", "127.0.0.1:1") + RANDOM.format("random"),
        rest="[time]\npatience = 0.2",
    )
    game = table.play(text)
    assert [forfeit.offence for forfeit in game.forfeits] == [Offence.CRASH]


def test_with_others_left_a_stand_in_plays_on(
    play_with: Callable[..., GameRecord], target: str
) -> None:
    good = bots.first_move(target)
    game = play_with(bots.after(1, bots.illegal, good), good, good)
    (forfeit,) = game.forfeits
    later = [move for move in game.moves if move.ply >= forfeit.ply]
    assert {move.seat for move in later} == {0, 1, 2}
    assert all(move.stand_in == (move.seat == 0) for move in later)
    assert game.sides[0].place == 3
    assert game.sides[0].moves == 1
    assert sum(side.win_share for side in game.sides[1:]) == pytest.approx(1)


def test_when_only_one_side_is_left_the_game_ends(
    play_with: Callable[..., GameRecord], target: str
) -> None:
    good = bots.first_move(target)
    game = play_with(bots.failing, good, bots.illegal)
    assert [forfeit.side for forfeit in game.forfeits] == [0, 2]
    assert [side.place for side in game.sides] == [3, 1, 2]


def test_partners_are_one_side(table: Table) -> None:
    text = config_text(
        game="diamonds",
        seats=4,
        options="options = { teams = true }",
        entrants=RANDOM.format("a") + RANDOM.format("b"),
    )
    game = table.play(text)
    assert [side.seats for side in game.sides] == [(0, 2), (1, 3)]
    assert {move.seat for move in game.moves} == {0, 1, 2, 3}
    assert sorted(side.place for side in game.sides) in ([1, 2], [1, 1])


@pytest.mark.parametrize("seats", [2, 6])
def test_a_seed_fixes_a_game(table: Table, seats: int) -> None:
    kinds = '[[entrants]]\nname = "s"\nkind = "service"\niterations = 20\n' + (
        '[[entrants]]\nname = "c"\nkind = "casual"\n' + RANDOM.format("r")
    )
    text = config_text(entrants=kinds, seats=seats)
    sitting = (0, 1, 2, 0, 1, 2)[:seats]
    first, second = (table.play(text, sitting) for _ in range(2))
    assert [move.move for move in first.moves] == [move.move for move in second.moves]
    assert first.digest == second.digest
    other = table.play(text, sitting, seed=12)
    assert other.digest != first.digest


def test_a_referee_that_is_gone_is_nobodys_fault(table: Table, target: str, client: Client) -> None:
    text = config_text(entrants=RANDOM.format("a") + RANDOM.format("b"))
    config, plan = planned(
        text.replace("[tournament]", '[tournament]\nreferee = "127.0.0.1:1"'), client
    )
    worker = Worker(config, plan)
    with pytest.raises(RefereeLost):
        worker.play(ScheduledGame(GameKey(0, 0), 1, (0, 1)))
    worker.close()


def test_a_game_that_nobody_wants_any_more_ends(target: str, client: Client) -> None:
    text = config_text(tournament=f'referee = "{target}"')
    config, plan = planned(text, client)
    worker = Worker(config, plan)
    with pytest.raises(Abandoned):
        worker.play(ScheduledGame(GameKey(0, 0), 1, (0, 1)), lambda: True)
    worker.close()
