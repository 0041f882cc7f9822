"""Ratings by the Plackett-Luce model, fitted to all games at once.

A game's ranking is read as a series of choices: first the winner from all sides, then the second
from the rest, and so on, each chosen with odds exp(strength). Sides that tie count as the mean over
the orders they might have had, which makes a tie of two half a win for each. The maximum of the
likelihood does not depend on the order of the games, unlike ratings that are updated game by game.

Each entrant is also given half a win and half a loss against a player of strength 0, so that
strengths stay finite when somebody never loses.

Intervals are percentiles of a bootstrap that draws whole deals, since games of a deal are alike.

R. L. Plackett, The Analysis of Permutations, 1975. D. R. Hunter, MM Algorithms for Generalized
Bradley-Terry Models, 2004. H. Turner et al., Modelling Rankings in R: the PlackettLuce Package,
2020 (the added games are its pseudo-rankings).
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from adamas_tournament.statistics.outcomes import DealOutcome, GameOutcome

POINTS = 400 / math.log(10)
"""Rating points a unit of strength: 400 points are odds of ten to one, as in chess."""
PRIOR_GAMES = 1.0
"""Games against a player of strength 0, half of them won, that are added for each entrant."""
_STEPS = 100
_PRECISE = 1e-9

Floats: TypeAlias = NDArray[np.float64]
Choice: TypeAlias = tuple[tuple[int, ...], int]
"""The entrants to choose from, sorted, and the one chosen."""


@dataclass(frozen=True, slots=True)
class Rating:
    """An entrant's rating.

    Attributes:
        value: The rating.
        low: Lower end of its 95 % interval.
        high: Upper end.
    """

    value: float
    low: float
    high: float


def choices(game: GameOutcome) -> Iterator[tuple[Choice, float]]:
    """The choices that a game's ranking is made of, with their weights."""
    ranked = sorted(game, key=lambda side: side.place)
    left = sorted(side.entrant for side in game)
    for _, group in groupby(ranked, key=lambda side: side.place):
        tied = [side.entrant for side in group]
        for weight, gone, chosen in _orders(tied):
            rest = list(left)
            for entrant in gone:
                rest.remove(entrant)
            if len(rest) > 1:
                yield (tuple(rest), chosen), weight
        for entrant in tied:
            left.remove(entrant)


def _orders(tied: Sequence[int]) -> Iterator[tuple[float, tuple[int, ...], int]]:
    """The mean over all orders of some sides: (weight, those gone before, who is next)."""
    count = len(tied)
    for gone in range(count):
        weight = 1 / (math.comb(count, gone) * (count - gone))
        for before in combinations(range(count), gone):
            for chosen in set(range(count)) - set(before):
                yield weight, tuple(tied[index] for index in before), tied[chosen]


class PlackettLuce:
    """The model of some deals.

    Args:
        deals: The outcomes.
        entrants: How many entrants there are.
    """

    def __init__(self, deals: Sequence[DealOutcome], entrants: int) -> None:
        counts = [_count(deal) for deal in deals]
        known = sorted(set().union(*counts)) if counts else []
        column = {choice: index for index, choice in enumerate(known)}
        self._members = np.zeros((len(known), entrants))
        self._chosen = np.zeros((len(known), entrants))
        for index, (members, chosen) in enumerate(known):
            np.add.at(self._members[index], list(members), 1.0)
            self._chosen[index, chosen] = 1.0
        self._weights = np.zeros((len(deals), len(known)))
        for deal, count in enumerate(counts):
            for choice, weight in count.items():
                self._weights[deal, column[choice]] = weight

    def strengths(self, copies: Floats | None = None) -> Floats:
        """The strengths of the entrants at the maximum of the likelihood.

        Args:
            copies: How often each deal counts; None: once.
        """
        weights = self._weights.sum(axis=0) if copies is None else copies @ self._weights
        strengths = np.zeros(self._members.shape[1])
        value = self._likelihood(strengths, weights)
        for _ in range(_STEPS):
            step = self._newton_step(strengths, weights)
            while (new := self._likelihood(strengths + step, weights)) < value - _PRECISE:
                step /= 2
            strengths, value = strengths + step, new
            if np.abs(step).max() < _PRECISE:
                break
        return strengths

    def bootstrap(self, resamples: int, seed: int) -> Floats:
        """The strengths for `resamples` draws of as many deals with replacement, one a row."""
        generator = np.random.default_rng(seed)
        deals = len(self._weights)
        even = np.full(deals, 1 / deals)
        return np.array(
            [
                self.strengths(generator.multinomial(deals, even).astype(float))
                for _ in range(resamples)
            ]
        )

    def _likelihood(self, strengths: Floats, weights: Floats) -> float:
        """The logarithm of the likelihood, prior games included."""
        sets = np.log(self._members @ np.exp(strengths))
        prior = PRIOR_GAMES * (strengths / 2 - np.logaddexp(0, strengths))
        return float(weights @ (self._chosen @ strengths - sets) + prior.sum())

    def _newton_step(self, strengths: Floats, weights: Floats) -> Floats:
        odds = self._members * np.exp(strengths)
        shares = odds / odds.sum(axis=1, keepdims=True)
        prior = 1 / (1 + np.exp(-strengths))
        gradient = weights @ (self._chosen - shares) + PRIOR_GAMES * (0.5 - prior)
        curvature = (
            np.diag(weights @ shares + PRIOR_GAMES * prior * (1 - prior))
            - (shares * weights[:, None]).T @ shares
        )
        return np.asarray(np.linalg.solve(curvature, gradient))


def _count(deal: DealOutcome) -> Counter[Choice]:
    counter: Counter[Choice] = Counter()
    for game in deal:
        for choice, weight in choices(game):
            counter[choice] += weight  # type: ignore[assignment]  # fractions, for ties
    return counter


def ratings(
    deals: Sequence[DealOutcome],
    entrants: int,
    *,
    anchor: int | None,
    value: float,
    seed: int = 0,
    resamples: int = 1000,
) -> tuple[Rating, ...]:
    """The rating of each entrant with its interval.

    Args:
        deals: The outcomes; at least one.
        entrants: How many entrants there are.
        anchor: The entrant whose rating is `value`; None: the mean of all is.
        value: That rating.
        seed: Seed of the bootstrap.
        resamples: Draws of the bootstrap.
    """
    model = PlackettLuce(deals, entrants)
    best = _on_scale(model.strengths()[None], anchor, value)[0]
    drawn = _on_scale(model.bootstrap(resamples, seed), anchor, value)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return tuple(
        Rating(float(middle), float(min(bottom, middle)), float(max(top, middle)))
        for middle, bottom, top in zip(best, low, high, strict=True)
    )


def _on_scale(strengths: Floats, anchor: int | None, value: float) -> Floats:
    zero = strengths.mean(axis=1) if anchor is None else strengths[:, anchor]
    return value + POINTS * (strengths - zero[:, None])
