"""Whole tournaments, played in this process."""

import itertools
from dataclasses import replace

import pytest

from adamas import Client
from adamas_tournament.config import parse_config
from adamas_tournament.driver import MOST_LOSSES, Driver, RefereeGone
from adamas_tournament.executor import Outcome
from adamas_tournament.journal import Journal
from adamas_tournament.progress import Progress
from adamas_tournament.records import GameRecord
from adamas_tournament.schedule import ScheduledGame
from adamas_tournament.session import read_progress
from adamas_tournament.statistics.sequential import Verdict
from adamas_tournament.statistics.summary import summarize
from tests.tournament import bots
from tests.tournament.configs import ENTRANTS, config_text
from tests.tournament.conftest import PlayTournament, Silent

THREE = ENTRANTS + '\n[[entrants]]\nname = "casual"\nkind = "casual"\n'


def essence(journal: Journal) -> list[tuple[object, ...]]:
    """All that a seed fixes about the games: no times."""
    return [
        (
            game.key,
            game.seed,
            game.digest,
            [(side.entrant, side.place, side.win_share, side.score) for side in game.sides],
            [move.move for move in game.moves],
        )
        for game in journal.games()
    ]


def test_every_game_of_the_schedule_is_played_once(play_tournament: PlayTournament) -> None:
    progress, journal = play_tournament(config_text(deals=2, entrants=THREE))
    assert [game.key for game in journal.games()] == [game.key for game in progress.schedule]
    assert progress.over
    assert not progress.stopped_early
    summary = summarize(progress, resamples=20)
    assert summary is not None
    assert [entrant.games for entrant in summary.entrants] == [8, 8, 8]


def test_a_seed_fixes_a_tournament_however_many_games_are_played_at_once(
    play_tournament: PlayTournament,
) -> None:
    text = config_text(deals=2, seats=3, entrants=THREE)
    alone = play_tournament(text)[1]
    together = play_tournament(text.replace("deals", "parallel = 3\ndeals", 1))[1]
    assert essence(alone) == essence(together)
    other = play_tournament(text.replace("seed = 7", "seed = 8"))[1]
    assert essence(other) != essence(alone)


def test_the_games_of_a_deal_begin_with_the_same_cards(
    play_tournament: PlayTournament, client: Client
) -> None:
    progress, journal = play_tournament(config_text(deals=1, entrants=THREE, seats=3))
    options = progress.plan.options_message()
    games = list(journal.games())
    deals = {
        client.start(options, 3, seed=game.seed).state.SerializeToString(deterministic=True)
        for game in games
    }
    assert len(games) == 3
    assert len(deals) == 1


def test_an_entrant_that_always_fails_loses_every_game_and_stops_nothing(
    play_tournament: PlayTournament,
) -> None:
    with bots.bot(bots.failing) as address:
        entrants = ENTRANTS + (
            f'\n[[entrants]]\nname = "broken"\nkind = "endpoint"\naddress = "{address}"\n'
        )
        progress, _ = play_tournament(config_text(deals=2, entrants=entrants))
    summary = summarize(progress, resamples=20)
    assert summary is not None
    broken = summary.entrants[2]
    assert broken.win_share is not None
    assert broken.win_share.mean == 0
    assert sum(broken.forfeits.values()) == broken.games == 8
    assert summary.ranked[-1] is broken


def test_a_tournament_stops_when_its_question_is_answered(play_tournament: PlayTournament) -> None:
    text = config_text(
        deals=500, tournament="parallel = 3", rest='[stop]\nwhen = "strong > random"'
    )
    progress, journal = play_tournament(text)
    assert progress.stopped_early
    ((_, comparison),) = progress.rule.comparisons.items()
    assert comparison.verdict is Verdict.FIRST
    assert 6 <= len(progress.deals) <= 60
    again = read_progress(journal)
    assert again.over
    assert len(again.deals) == len(progress.deals)


class Shuffled:
    """An executor that gives finished games back in another order, and loses some."""

    capacity = 6

    def __init__(self, games: dict[object, GameRecord], lose_every: int) -> None:
        self._games = games
        self._held: list[ScheduledGame] = []
        self._count = itertools.count(1)
        self._lose_every = lose_every

    def submit(self, game: ScheduledGame) -> None:
        self._held.append(game)

    def wait(self, timeout: float) -> list[Outcome]:
        game = self._held.pop()
        if next(self._count) % self._lose_every == 0:
            return [Outcome(game, None, "its node was lost", blameless=True)]
        return [Outcome(game, self._games[game.key])]

    def close(self) -> None:
        pass


def test_the_order_in_which_games_end_makes_no_difference(play_tournament: PlayTournament) -> None:
    text = config_text(deals=40, rest='[stop]\nwhen = "strong > random"')
    progress, journal = play_tournament(text)
    games: dict[object, GameRecord] = {game.key: game for game in journal.games()}
    filler = next(iter(games.values()))
    config = parse_config(journal.config_text, "x")
    other = Progress(config, progress.plan)
    executor = Shuffled(
        {game.key: games.get(game.key, _renamed(filler, game)) for game in other.schedule}, 7
    )
    watcher = Silent()
    seen: list[GameRecord] = []

    class Kept:
        def add(self, game: GameRecord) -> bool:
            seen.append(game)
            return True

    Driver(Kept(), other, executor, watcher).run()  # type: ignore[arg-type]
    assert len(other.deals) == len(progress.deals)
    assert [game.key for game in other.games] == [game.key for game in progress.games]
    assert len({game.key for game in seen}) == len(seen)
    assert watcher.lost


def _renamed(record: GameRecord, game: ScheduledGame) -> GameRecord:
    """Some other record for a game; for deals that must not count."""
    return replace(record, key=game.key)


def test_a_referee_that_stays_away_ends_the_run(play_tournament: PlayTournament) -> None:
    progress, journal = play_tournament(config_text(deals=1))
    fresh = Progress(progress.config, progress.plan)

    class Lost(Shuffled):
        def wait(self, timeout: float) -> list[Outcome]:
            return [Outcome(self._held.pop(), None, "no referee")]

    watcher = Silent()
    with pytest.raises(RefereeGone, match="no referee"):
        Driver(journal, fresh, Lost({}, 1), watcher, pause=0.0).run()
    assert len(watcher.lost) == MOST_LOSSES
