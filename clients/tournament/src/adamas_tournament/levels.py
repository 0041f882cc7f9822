"""Whether the servers have the strength levels that entrants ask for."""

from adamas.client import Client
from adamas.errors import AdamasError
from adamas_tournament.config import Config, ConfigError
from adamas_tournament.entrant_config import ServiceEntrant


def check_levels(config: Config, referee: Client, source: str) -> None:
    """Checks that what entrants of the service ask for is there, before a game depends on it.

    Endpoints are not asked: they implement nothing but Recommend, and a level means to them what
    they like.

    Args:
        config: The configuration.
        referee: A client of the referee, whose server also plays for those without an address.
        source: Where the configuration is from, for messages.

    Raises:
        ConfigError: If a server has no levels for the game, or does not say which it has.
    """
    known: dict[str | None, bool] = {}
    problems = []
    for index, entrant in enumerate(config.entrants):
        if not isinstance(entrant, ServiceEntrant) or entrant.strength_key is None:
            continue
        address = entrant.address
        try:
            if address not in known:
                known[address] = _has_levels(config.game.id, address, referee)
        except AdamasError as error:
            raise ConfigError(f"{source}: entrants[{index}].address: {error}") from None
        if not known[address]:
            where = "the referee's server" if address is None else address
            problems.append(
                f"{source}: entrants[{index}].{entrant.strength_key}: is set, but {where} has no "
                f"calibrated levels for {config.game.id}; leave it out for full strength, "
                "which iterations and time can limit"
            )
    if problems:
        raise ConfigError("\n".join(problems))


def _has_levels(game_id: str, address: str | None, referee: Client) -> bool:
    if address is None:
        return bool(referee.game(game_id).levels)
    with Client(address) as client:
        return bool(client.game(game_id).levels)
