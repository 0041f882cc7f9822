"""Requests of every call that can be answered, about positions of a pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from adamas.v1 import advisor_service_pb2 as advisor_pb
from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as rules_pb
from engines.registry import game_ids
from server.requests.messages import State, join
from tests.fuzz.positions import Position, pool
from tests.fuzz.structure import Spares, parts

ADVISOR, RULES = "/adamas.v1.AdvisorService/", "/adamas.v1.RulesService/"
LANGUAGES = ("", "en", "zh-TW", "en-GB", "zh-Hant")
_ITERATIONS = 24
_DONORS = 8
"""Positions of each game whose parts are put into other messages."""


@dataclass(frozen=True)
class Table:
    """A position with what requests tell about it."""

    position: Position
    seat: int
    """A seat that is to move; any one once the game is over."""

    @staticmethod
    def draw(game_id: str, seed: int, pick: Random) -> Table:
        """A random position of a pool."""
        position = pick.choice(pool(game_id, seed))
        state = position.state
        return Table(position, pick.choice(state.seats_to_move() or range(state.seats)))

    @property
    def state(self) -> State:
        """The position."""
        return self.position.state

    @property
    def message(self) -> game_pb2.GameState:
        """The full state."""
        return self.position.message

    @property
    def view(self) -> game_pb2.PlayerView:
        """What the seat knows."""
        return self.position.views[self.seat]

    @property
    def options(self) -> game_pb2.GameOptions:
        """The game's options, every one written out."""
        inner = getattr(self.message, self.state.game.game_id)
        return join(game_pb2.GameOptions, self.state.game, inner.options)

    def move(self, pick: Random) -> game_pb2.Move:
        """A legal move; no game's once the game is over."""
        claimed = self.state.copy()
        claimed.game.kernels.claim_turn(claimed.row, self.seat)
        moves = claimed.legal_moves()
        return claimed.move_message(pick.choice(moves)) if moves else game_pb2.Move()


def _query(table: Table, pick: Random) -> advisor_pb.SearchQuery:
    query = advisor_pb.SearchQuery(
        limits=advisor_pb.SearchLimits(iterations=_ITERATIONS),
        candidates=pick.choice([0, 1, 5, 1000]),
        language=pick.choice(LANGUAGES),
        trees=pick.choice([0, 1, 3]),
        priority=pick.choice(advisor_pb.Priority.values()),
        player=pick.choice([advisor_pb.PLAYER_SEARCH, *advisor_pb.Player.values()]),
    )
    if pick.random() < 0.5:
        query.seed = pick.getrandbits(64)
    if pick.random() < 0.2:
        query.limits.time.CopyFrom(Duration(seconds=1))
    if pick.random() < 0.6:
        query.view.CopyFrom(table.view)
    else:
        query.state.CopyFrom(advisor_pb.StateOfSeat(state=table.message, seat=table.seat))
    return query


def _recommend(table: Table, pick: Random) -> Message:
    return advisor_pb.RecommendRequest(query=_query(table, pick), request_id="fuzz")


def _analyze(table: Table, pick: Random) -> Message:
    request = advisor_pb.AnalyzeRequest(query=_query(table, pick), request_id="fuzz")
    if pick.random() < 0.5:
        request.update_interval.CopyFrom(Duration(nanos=50_000_000))
    return request


def _recommend_batch(table: Table, pick: Random) -> Message:
    if pick.random() < 0.05:
        return advisor_pb.RecommendBatchRequest(cancel="fuzz")
    request = advisor_pb.RecommendRequest(query=_query(table, pick), request_id="fuzz")
    return advisor_pb.RecommendBatchRequest(recommend=request)


def _sample_worlds(table: Table, pick: Random) -> Message:
    request = advisor_pb.SampleWorldsRequest(
        samples=pick.choice([1, 20, 50]),
        worlds=pick.choice([0, 2, 100]),
        language=pick.choice(LANGUAGES),
    )
    if pick.random() < 0.5:
        request.seed = pick.getrandbits(64)
    if pick.random() < 0.6:
        request.view.CopyFrom(table.view)
    else:
        request.state.CopyFrom(advisor_pb.StateOfSeat(state=table.message, seat=table.seat))
    return request


def _list_games(_: Table, pick: Random) -> Message:
    return rules_pb.ListGamesRequest(language=pick.choice(LANGUAGES))


def _get_game(table: Table, pick: Random) -> Message:
    return rules_pb.GetGameRequest(
        game_id=table.state.game.game_id,
        seats=pick.choice([0, table.state.seats]),
        language=pick.choice(LANGUAGES),
    )


def _start_game(table: Table, pick: Random) -> Message:
    return rules_pb.StartGameRequest(
        options=table.options, seats=table.state.seats, seed=pick.getrandbits(64)
    )


def _get_player_view(table: Table, _: Random) -> Message:
    return rules_pb.GetPlayerViewRequest(state=table.message, seat=table.seat)


def _list_legal_moves(table: Table, pick: Random) -> Message:
    language = pick.choice(LANGUAGES)
    if pick.random() < 0.5:
        return rules_pb.ListLegalMovesRequest(view=table.view, language=language)
    return rules_pb.ListLegalMovesRequest(state=table.message, seat=table.seat, language=language)


def _apply_move(table: Table, pick: Random) -> Message:
    return rules_pb.ApplyMoveRequest(
        state=table.message,
        move=table.move(pick),
        seat=table.seat,
        language=pick.choice(LANGUAGES),
    )


def _get_table_status(table: Table, _: Random) -> Message:
    return rules_pb.GetTableStatusRequest(state=table.message)


def _validate_view(table: Table, _: Random) -> Message:
    return rules_pb.ValidateViewRequest(view=table.view)


BUILDERS: Mapping[str, Callable[[Table, Random], Message]] = {
    ADVISOR + "Recommend": _recommend,
    ADVISOR + "Analyze": _analyze,
    ADVISOR + "RecommendBatch": _recommend_batch,
    ADVISOR + "SampleWorlds": _sample_worlds,
    RULES + "ListGames": _list_games,
    RULES + "GetGame": _get_game,
    RULES + "StartGame": _start_game,
    RULES + "GetPlayerView": _get_player_view,
    RULES + "ListLegalMoves": _list_legal_moves,
    RULES + "ApplyMove": _apply_move,
    RULES + "GetTableStatus": _get_table_status,
    RULES + "ValidateView": _validate_view,
}
"""Call -> how a request of it is made."""

_WEIGHTS = {"ListGames": 1, "GetGame": 2, "StartGame": 4, "Analyze": 6, "RecommendBatch": 6}
_WEIGHT = 10
"""Calls with a position in them are drawn more often than those without."""

METHODS = tuple(BUILDERS)
WEIGHTS = tuple(_WEIGHTS.get(method.rpartition("/")[2], _WEIGHT) for method in METHODS)


def draw_method(pick: Random) -> str:
    """A call."""
    return pick.choices(METHODS, WEIGHTS)[0]


def valid_request(method: str, game_id: str, seed: int, pick: Random) -> Message:
    """A request about a random position of a pool."""
    return BUILDERS[method](Table.draw(game_id, seed, pick), pick)


@cache
def spares(seed: int) -> Spares:
    """Parts of messages of all games, to be put into others; by type."""
    pick = Random(f"spares {seed}")
    found: dict[str, list[Message]] = {}
    for game_id in game_ids():
        for _ in range(_DONORS):
            table = Table.draw(game_id, seed, pick)
            for donor in (table.message, table.view, table.move(pick)):
                for part in parts(donor):
                    found.setdefault(part.DESCRIPTOR.full_name, []).append(part)
    return found


def prepare_positions(seed: int) -> None:
    """Plays the random games of every pool ahead of time."""
    for game_id in game_ids():
        pool(game_id, seed)
    spares(seed)
