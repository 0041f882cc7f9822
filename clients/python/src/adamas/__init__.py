"""Python client of Adamas, an AI opponent for card and board games with hidden information.

    from adamas import Client, Limit

    with Client("localhost:50051") as client:
        advice = client.recommend(view, Limit(time=0.2))
        print(advice.best_move, advice.best.reason)

`view` is a game's own message, such as `adamas.v1.dao_pb2.DaoView`, and so is the move that comes
back. `Client` blocks, `AsyncClient` is its twin for asyncio. Everything that goes wrong is an
`AdamasError`.
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adamas.access import Tls
    from adamas.aio import AsyncAnalysis, AsyncClient, AsyncTable
    from adamas.batch import AsyncBatch, Batch
    from adamas.client import Analysis, Client, Table
    from adamas.envelopes import GameMessage
    from adamas.errors import (
        AccessDenied,
        AdamasError,
        Cancelled,
        ClientClosed,
        DeadlineExceeded,
        InvalidRequest,
        Overloaded,
        ServerError,
        Unavailable,
        VersionMismatch,
        Violation,
    )
    from adamas.families import OptionsOf, PositionOf, StateOf, ViewOf
    from adamas.games import (
        Choice,
        Event,
        Game,
        GameSummary,
        LegalMove,
        Level,
        Option,
        Position,
        SeatResult,
        Variant,
    )
    from adamas.limits import Limit
    from adamas.players import (
        AsyncBotPlayer,
        AsyncPlayer,
        AsyncRandomPlayer,
        BotPlayer,
        Player,
        RandomPlayer,
        Turn,
        play_match,
        play_match_async,
    )
    from adamas.queries import BatchResult, Detail, Priority, Query
    from adamas.search import (
        Advice,
        BuiltinPlayer,
        Candidate,
        ComparedMove,
        LineMove,
        SearchFigures,
        StopReason,
    )
    from adamas.worlds import HiddenCard, HiddenPlace, Worlds

try:
    __version__ = version("adamas")
except PackageNotFoundError:  # imported from a source tree that is not installed
    __version__ = "0"

# Names are loaded when they are first used, so that whoever wants the messages alone (adamas.v1)
# does not load the client.
_MODULES = {
    "access": ("Tls",),
    "aio": ("AsyncAnalysis", "AsyncClient", "AsyncTable"),
    "batch": ("AsyncBatch", "Batch"),
    "client": ("Analysis", "Client", "Table"),
    "envelopes": ("GameMessage",),
    "errors": (
        "AccessDenied",
        "AdamasError",
        "Cancelled",
        "ClientClosed",
        "DeadlineExceeded",
        "InvalidRequest",
        "Overloaded",
        "ServerError",
        "Unavailable",
        "VersionMismatch",
        "Violation",
    ),
    "families": ("OptionsOf", "PositionOf", "StateOf", "ViewOf"),
    "games": (
        "Choice",
        "Event",
        "Game",
        "GameSummary",
        "LegalMove",
        "Level",
        "Option",
        "Position",
        "SeatResult",
        "Variant",
    ),
    "limits": ("Limit",),
    "players": (
        "AsyncBotPlayer",
        "AsyncPlayer",
        "AsyncRandomPlayer",
        "BotPlayer",
        "Player",
        "RandomPlayer",
        "Turn",
        "play_match",
        "play_match_async",
    ),
    "queries": ("BatchResult", "Detail", "Priority", "Query"),
    "search": (
        "Advice",
        "BuiltinPlayer",
        "Candidate",
        "ComparedMove",
        "LineMove",
        "SearchFigures",
        "StopReason",
    ),
    "worlds": ("HiddenCard", "HiddenPlace", "Worlds"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Loads a public name on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'adamas' has no attribute {name!r}")
    value = getattr(import_module(f"adamas.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


__all__ = [
    "AccessDenied",
    "AdamasError",
    "Advice",
    "Analysis",
    "AsyncAnalysis",
    "AsyncBatch",
    "AsyncBotPlayer",
    "AsyncClient",
    "AsyncPlayer",
    "AsyncRandomPlayer",
    "AsyncTable",
    "Batch",
    "BatchResult",
    "BotPlayer",
    "BuiltinPlayer",
    "Cancelled",
    "Candidate",
    "Choice",
    "Client",
    "ClientClosed",
    "ComparedMove",
    "DeadlineExceeded",
    "Detail",
    "Event",
    "Game",
    "GameMessage",
    "GameSummary",
    "HiddenCard",
    "HiddenPlace",
    "InvalidRequest",
    "LegalMove",
    "Level",
    "Limit",
    "LineMove",
    "Option",
    "OptionsOf",
    "Overloaded",
    "Player",
    "Position",
    "PositionOf",
    "Priority",
    "Query",
    "RandomPlayer",
    "SearchFigures",
    "SeatResult",
    "ServerError",
    "StateOf",
    "StopReason",
    "Table",
    "Tls",
    "Turn",
    "Unavailable",
    "Variant",
    "VersionMismatch",
    "ViewOf",
    "Violation",
    "Worlds",
    "__version__",
    "play_match",
    "play_match_async",
]
