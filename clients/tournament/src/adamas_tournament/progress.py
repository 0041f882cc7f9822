"""How far a tournament is. Games count deal by deal, in the order of the schedule.

Games end in any order, since they are played side by side. A deal counts once it is complete and
all deals before it are. So what is known, and when the tournament stops, depends on the games
alone and not on which machine was faster.
"""

from collections import defaultdict

from adamas_tournament.config import Config
from adamas_tournament.plan import Plan
from adamas_tournament.records import GameKey, GameRecord
from adamas_tournament.schedule import Schedule, ScheduledGame
from adamas_tournament.statistics.outcomes import DealOutcome, encounter, game_outcome
from adamas_tournament.statistics.sequential import StoppingRule


def make_schedule(config: Config, plan: Plan) -> Schedule:
    """The schedule of a tournament."""
    return Schedule(
        entrants=len(config.entrants),
        sides=len(plan.sides),
        deals=config.tournament.deals,
        seed=config.tournament.seed,
        balanced=config.tournament.lineups == "balanced",
    )


class Progress:
    """The games of a tournament as they become known.

    Args:
        config: The configuration.
        plan: What is played.
    """

    def __init__(self, config: Config, plan: Plan) -> None:
        self.config = config
        self.plan = plan
        self.schedule = make_schedule(config, plan)
        names = config.names
        self._questions = [
            (names.index(first), names.index(second)) for first, second in config.questions()
        ]
        self.rule = StoppingRule(self._questions, config.stop.confidence if config.stop else 0.95)
        self._finished: set[GameKey] = set()
        self._waiting: dict[int, dict[GameKey, GameRecord]] = defaultdict(dict)
        self._games: list[GameRecord] = []
        self._deals: list[DealOutcome] = []
        self._in_deal = len(self.schedule.games(0))

    def add(self, game: GameRecord) -> None:
        """Takes a finished game into account; in any order, each once."""
        if game.key in self._finished:
            return
        self._finished.add(game.key)
        if not self.over:
            self._waiting[game.key.deal][game.key] = game
            self._count_complete_deals()

    def _count_complete_deals(self) -> None:
        while not self.over:
            deal = len(self._deals)
            there = self._waiting.get(deal, {})
            if len(there) < self._in_deal:
                return
            del self._waiting[deal]
            games = [there[key] for key in sorted(there)]
            self._games += games
            outcome = tuple(game_outcome(game, self.config.names) for game in games)
            self._deals.append(outcome)
            for pair in self._questions:
                met = encounter(outcome, *pair)
                if met is not None:
                    self.rule.add(pair, met.ahead)
            self._in_deal = self._games_in(len(self._deals))

    def _games_in(self, deal: int) -> int:
        return len(self.schedule.games(deal)) if deal < self.schedule.deals else 0

    @property
    def games(self) -> list[GameRecord]:
        """The games that count, in the order of the schedule."""
        return self._games

    @property
    def deals(self) -> list[DealOutcome]:
        """The outcomes of the deals that count."""
        return self._deals

    @property
    def finished(self) -> set[GameKey]:
        """All finished games, whether they count yet or not."""
        return self._finished

    @property
    def stopped_early(self) -> bool:
        """Whether the stopping rule ended the tournament."""
        return self.rule.satisfied

    @property
    def over(self) -> bool:
        """Whether no more games are to be played."""
        return self.rule.satisfied or len(self._deals) == self.schedule.deals

    def missing(self, count: int) -> list[ScheduledGame]:
        """The games to be played next: whole deals, until there are `count` games or no more."""
        found: list[ScheduledGame] = []
        for deal in range(len(self._deals), self.schedule.deals):
            found += [game for game in self.schedule.games(deal) if game.key not in self._finished]
            if len(found) >= count:
                break
        return found
