"""A trial question to each entrant of the service, before a game depends on the answer."""

from adamas.client import Client
from adamas_tournament.clock import SeatClock
from adamas_tournament.config import Config, ConfigError
from adamas_tournament.entrant_config import CasualEntrant, ServiceEntrant
from adamas_tournament.entrants import NoAnswer, Question, make_player
from adamas_tournament.plan import Plan
from adamas_tournament.records import Offence
from adamas_tournament.referee import Referee


def try_service(config: Config, plan: Plan, client: Client, address: str, source: str) -> None:
    """Asks each entrant of the service for the first move of a game, after one iteration.

    What the server refuses is most likely a slip of the pen: a time that it does not allow, a game
    that it does not have, a token that is missing. Endpoints are not asked; what they do counts.

    Args:
        config: The configuration.
        plan: What is played.
        client: A client of the referee.
        address: Where the referee is.
        source: Where the configuration is from, for messages.

    Raises:
        ConfigError: If a server refuses.
        RefereeLost: If the referee does not answer.
    """
    referee = Referee(client, plan)
    position = referee.start(config.tournament.seed)
    seat = position.seats_to_move[0]
    question = Question(
        view=referee.view(position.state, seat),
        allowance=SeatClock(config.time).allowance(),
        seed=config.tournament.seed,
        request_id="trial question",
        language=plan.language,
    )
    problems = []
    for index, entrant in enumerate(config.entrants):
        if isinstance(entrant, ServiceEntrant):
            entrant = entrant.model_copy(update={"iterations": 1})
        elif not isinstance(entrant, CasualEntrant):
            continue
        player = make_player(entrant, referee, address, config.time.patience)
        try:
            player.choose(question)
        except NoAnswer as error:
            if error.offence is Offence.CRASH:
                problems.append(f"{source}: entrants[{index}]: {error}")
        finally:
            player.close()
    if problems:
        raise ConfigError("\n".join(problems))
