"""Everything that tables and reports show about the entrants."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adamas_tournament.progress import Progress
from adamas_tournament.records import GameRecord, Offence
from adamas_tournament.statistics.outcomes import DealOutcome
from adamas_tournament.statistics.pairwise import Interval, PairResult, interval, pair_results
from adamas_tournament.statistics.ratings import Rating, ratings

RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class EntrantSummary:
    """One entrant.

    Attributes:
        name: Its name.
        rating: Its rating.
        games: Games in which it sat.
        win_share: Mean share of the victory of its sides, deal by deal; None without a game.
        score: Mean score of its sides, in the game's points; None without a game.
        forfeits: How often it forfeited, by offence.
        seconds_a_move: Mean time of a move on the referee's clock; None without a move.
    """

    name: str
    rating: Rating
    games: int
    win_share: Interval | None
    score: Interval | None
    forfeits: dict[Offence, int]
    seconds_a_move: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """A tournament so far.

    Attributes:
        entrants: In the order of the configuration.
        pairs: Every pair that met.
        deals: Deals that count.
        games: Games that count.
    """

    entrants: tuple[EntrantSummary, ...]
    pairs: tuple[PairResult, ...]
    deals: int
    games: int

    @property
    def ranked(self) -> list[EntrantSummary]:
        """The entrants, best first."""
        return sorted(self.entrants, key=lambda entrant: -entrant.rating.value)


def summarize(progress: Progress, *, resamples: int = RESAMPLES) -> Summary | None:
    """The summary of all deals that count; None if there is none yet."""
    deals, games = progress.deals, progress.games
    if not deals:
        return None
    config = progress.config
    names = config.names
    rated = ratings(
        deals,
        len(names),
        anchor=None if config.rating.anchor is None else names.index(config.rating.anchor),
        value=config.rating.value,
        seed=config.tournament.seed,
        resamples=resamples,
    )
    return Summary(
        entrants=tuple(
            _entrant(number, name, rated[number], deals, games) for number, name in enumerate(names)
        ),
        pairs=pair_results(deals, len(names), seed=config.tournament.seed),
        deals=len(deals),
        games=len(games),
    )


def _entrant(
    number: int,
    name: str,
    rating: Rating,
    deals: Sequence[DealOutcome],
    games: Sequence[GameRecord],
) -> EntrantSummary:
    shares, scores = [], []
    for deal in deals:
        mine = [side for game in deal for side in game if side.entrant == number]
        if mine:
            shares.append(float(np.mean([side.win_share for side in mine])))
            scores.append(float(np.mean([side.score for side in mine])))
    sides = [side for game in games for side in game.sides if side.entrant == name]
    moves = sum(side.moves for side in sides)
    offences = [
        forfeit.offence
        for game in games
        for forfeit in game.forfeits
        if game.sides[forfeit.side].entrant == name
    ]
    return EntrantSummary(
        name=name,
        rating=rating,
        games=sum(any(side.entrant == name for side in game.sides) for game in games),
        win_share=interval(shares, bounds=(0.0, 1.0)) if shares else None,
        score=interval(scores) if scores else None,
        forfeits={offence: offences.count(offence) for offence in Offence if offence in offences},
        seconds_a_move=sum(side.seconds for side in sides) / moves if moves else None,
    )
