"""One game, from the deal to the result. Whatever a player does, the game ends with one."""

import platform
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from google.protobuf import json_format

from adamas.envelopes import wrap
from adamas.v1 import game_pb2
from adamas_tournament.clock import SeatClock
from adamas_tournament.config import TimeControl
from adamas_tournament.entrants import Answer, NoAnswer, Player, Question, RandomPlayer
from adamas_tournament.plan import Plan
from adamas_tournament.records import Forfeit, GameRecord, MoveRecord, Offence, SideRecord
from adamas_tournament.referee import IllegalMove, Referee, state_digest
from adamas_tournament.schedule import ScheduledGame
from adamas_tournament.scoring import standings
from adamas_tournament.seeds import derive_seed


class Abandoned(Exception):
    """The game is not wanted any more."""


class Match:
    """Plays one game of a schedule.

    A side that makes an illegal move, crashes, hangs or runs out of time forfeits the game. If only
    one side is left, the game ends; else a stand-in plays random legal moves for the side from
    then on, so that the others have their game.

    Args:
        game: Which game.
        plan: What is played.
        control: How long moves may take.
        referee: The referee.
        names: The names of all entrants.
        players: The players of all entrants.
        abandoned: Asked before every move; ends the game with `Abandoned`.
    """

    def __init__(
        self,
        game: ScheduledGame,
        plan: Plan,
        control: TimeControl,
        referee: Referee,
        names: Sequence[str],
        players: Sequence[Player],
        abandoned: Callable[[], bool] = lambda: False,
    ) -> None:
        self._game = game
        self._plan = plan
        self._referee = referee
        self._names = [names[entrant] for entrant in game.entrants]
        self._players = [players[entrant] for entrant in game.entrants]
        self._stand_in = RandomPlayer(referee)
        self._abandoned = abandoned
        self._side_of = {seat: side for side, seats in enumerate(plan.sides) for seat in seats}
        self._clocks = [SeatClock(control) for _ in range(plan.seats)]
        self._moves: list[MoveRecord] = []
        self._forfeits: list[Forfeit] = []
        self._spent = [0.0] * len(plan.sides)
        self._made = [0] * len(plan.sides)

    def play(self) -> GameRecord:
        """Plays the game.

        Raises:
            RefereeLost: If the referee does not answer.
            Abandoned: If the game is not wanted any more.
        """
        started, begin = datetime.now(UTC), time.monotonic()
        self._position = self._referee.start(self._game.seed)
        while not self._position.over and len(self._forfeits) < len(self._plan.sides) - 1:
            if self._abandoned():
                raise Abandoned
            self._play_move(self._position.seats_to_move[0])
        return GameRecord(
            key=self._game.key,
            seed=self._game.seed,
            sides=self._side_records(),
            moves=tuple(self._moves),
            forfeits=tuple(self._forfeits),
            started=started.isoformat(timespec="milliseconds"),
            seconds=time.monotonic() - begin,
            digest=state_digest(self._position.state),
            host=platform.node(),
        )

    @property
    def _forfeited(self) -> list[int]:
        return [forfeit.side for forfeit in self._forfeits]

    def _play_move(self, seat: int) -> None:
        """Plays one move of a seat, or notes that its side forfeits the game."""
        side = self._side_of[seat]
        question = self._question(seat)
        if side in self._forfeited:
            self._apply(seat, self._stand_in.choose(question), 0.0, stand_in=True)
            return
        begin = time.monotonic()
        try:
            answer = self._players[side].choose(question)
        except NoAnswer as error:
            self._spent[side] += time.monotonic() - begin
            self._forfeit(side, seat, error.offence, str(error))
            return
        seconds = time.monotonic() - begin
        self._spent[side] += seconds
        if not self._clocks[seat].charge(seconds):
            self._forfeit(side, seat, Offence.TIME, f"the move took {seconds:.3f} s")
            return
        try:
            self._apply(seat, answer, seconds)
        except IllegalMove as error:
            self._forfeit(side, seat, Offence.ILLEGAL, str(error))
        else:
            self._made[side] += 1

    def _question(self, seat: int) -> Question:
        ply = len(self._moves)
        return Question(
            view=self._referee.view(self._position.state, seat),
            allowance=self._clocks[seat].allowance(),
            seed=derive_seed(self._game.seed, "move", self._game.key.seating, ply),
            request_id=f"game {self._game.key}, move {ply}",
            language=self._plan.language,
        )

    def _apply(self, seat: int, answer: Answer, seconds: float, *, stand_in: bool = False) -> None:
        move = wrap(game_pb2.Move, answer.move)
        self._position = self._referee.apply(self._position.state, move, seat)
        self._moves.append(
            MoveRecord(
                ply=len(self._moves),
                seat=seat,
                move=json_format.MessageToJson(move, indent=None, preserving_proto_field_name=True),
                seconds=seconds,
                events=tuple(event.words for event in self._position.events),
                scores=tuple(result.score for result in self._position.results),
                win_probability=answer.win_probability,
                iterations=answer.iterations,
                stand_in=stand_in,
                reason=answer.reason,
            )
        )

    def _forfeit(self, side: int, seat: int, offence: Offence, detail: str) -> None:
        self._referee.check()  # if it is gone too, the fault may be the machine's
        self._forfeits.append(Forfeit(side, seat, len(self._moves), offence, detail))

    def _side_records(self) -> tuple[SideRecord, ...]:
        ends = standings(self._plan.sides, self._position.results, self._forfeited)
        return tuple(
            SideRecord(
                entrant=self._names[side],
                seats=self._plan.sides[side],
                place=end.place,
                win_share=end.win_share,
                score=end.score,
                seconds=self._spent[side],
                moves=self._made[side],
            )
            for side, end in enumerate(ends)
        )
