"""OpenSpiel's information-set MCTS bot as a player at our table."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from open_spiel.python.algorithms.ismcts import ISMCTSBot, ISMCTSFinalPolicyType
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from benchmarks.openspiel import UCT_C
from engines.contract import Game
from engines.jit import Row
from environments.openspiel.games import AdamasState
from environments.openspiel.resampler import Resampler

FEWEST_SIMULATIONS = 2
"""The first one only opens the root; without the second no move has been tried."""
_SEED_MASK = 0xFFFFFFFF
"""NumPy's older generators, which the bot uses, take seeds of 32 bits."""


class TimeIsUp(Exception):
    """No further simulation is to begin."""


class TimedBot(ISMCTSBot):  # type: ignore[misc]  # open_spiel has no types
    """OpenSpiel's bot, which knows no time limit, with one.

    The bot draws a sample at the beginning of each simulation. If the time is up by then, the
    search ends there: the tree is complete, and the bot chooses from it as always.
    """

    def __init__(self, end: float, clock: Callable[[], float], **settings: Any) -> None:
        """``end`` is a time of the clock; the settings are the bot's."""
        super().__init__(**settings)
        self._end = end
        self._clock = clock
        self.simulations = 0
        """Begun in all searches so far."""

    def resample_from_infostate(self, state: AdamasState) -> AdamasState:
        """The sample of the next simulation, unless the time is up."""
        if self.simulations >= FEWEST_SIMULATIONS and self._clock() >= self._end:
            raise TimeIsUp
        self.simulations += 1
        sample: AdamasState = super().resample_from_infostate(state)
        return sample

    def run_search(self, state: AdamasState) -> Any:
        """The policy after as many simulations as were asked for or fitted in."""
        try:
            return super().run_search(state)
        except TimeIsUp:
            return self.get_final_policy(state, self._root_node)


@dataclass(frozen=True)
class OpenSpielPlayer:
    """OpenSpiel's ISMCTS bot on one core, limited by time (seconds of the clock) or iterations.

    It is ``open_spiel.python.algorithms.ismcts.ISMCTSBot``, the bot in Python. The one in C++ can't
    play games made in Python: it samples with ``State::ResampleFromInfostate``, which such a game
    has no way to give it, and its ``SetResampler`` can't be called from Python.

    Its settings are OpenSpiel's: UCT with c = 2, one random rollout a simulation, a new sample for
    each, in the end the move with the most visits. What it is told of a game is what our search is
    told: the same samples, horizons and utilities (see ``environments.openspiel.games``). The time
    counts from being asked; a simulation begun in time is finished, and two are always run.
    """

    seconds: float = math.inf
    iterations: int = 1 << 40
    uct_c: float = UCT_C
    clock: Callable[[], float] = time.perf_counter

    def __call__(self, game: Game, view: Row, seed: int) -> int:
        """The move with the most visits."""
        return self.choose(game, view, seed)[0]

    def choose(self, game: Game, view: Row, seed: int) -> tuple[int, int]:
        """The move with the most visits, and the number of simulations."""
        begin = self.clock()
        root = Resampler(game, seed).sample(view)
        bot = self.bot(root, seed, begin)
        return root.move(int(bot.step(root))), bot.simulations

    def bot(self, root: AdamasState, seed: int, begin: float) -> TimedBot:
        """The bot for a decision whose time began then; the root is any state of the information
        state."""
        random = np.random.RandomState(seed & _SEED_MASK)
        bot = TimedBot(
            begin + self.seconds,
            self.clock,
            game=root.get_game(),
            evaluator=RandomRolloutEvaluator(n_rollouts=1, random_state=random),
            uct_c=self.uct_c,
            max_simulations=max(FEWEST_SIMULATIONS, self.iterations),
            random_state=random,
            final_policy_type=ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        )
        bot.set_resampler(Resampler(root.rules, seed))
        return bot
