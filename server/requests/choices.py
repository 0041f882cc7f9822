"""Which moves a query wants to be considered: SearchQuery.only, without and compare."""

from __future__ import annotations

from collections.abc import Sequence

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import game_pb2
from engines.violations import InvalidMessage, Report, invalid
from search.choice import ALL_MOVES, Choice
from server.requests.messages import Reader, State, View

_SEARCHERS = (pb.PLAYER_UNSPECIFIED, pb.PLAYER_SEARCH)
_FIELDS = frozenset(("only", "without", "compare"))


def check_choice(query: pb.SearchQuery, report: Report) -> None:
    """Notes what can't be asked of a player that does not search."""
    if query.player in _SEARCHERS:
        return
    for name in _set_fields(query):
        report.add(f"query.{name}", "is for the search; leave it out, or query.player")


def read_choice(
    reader: Reader, query: pb.SearchQuery, view: View, path: str, language: str
) -> Choice:
    """The moves to consider in a view; raises InvalidMessage with all that is wrong.

    ``path`` is the view's; ``language`` is that of the moves which are named.
    """
    if not _set_fields(query):
        return ALL_MOVES
    moves = _LegalMoves(reader, view.to_decide(path), language)
    only = moves.read(query.only, "query.only")
    without = moves.read(query.without, "query.without")
    compared = None
    if query.HasField("compare"):
        compared = moves.read_one(query.compare, "query.compare")
    moves.report.raise_if_any()
    considered = (only or moves.legal) - without
    if not considered:
        raise invalid("query.without", "leaves no move to consider; leave out fewer")
    if compared is not None and compared not in considered:
        raise invalid(
            "query.compare",
            "is not to be considered: it has to stand in query.only, if that is set, and not in "
            "query.without",
        )
    return Choice(considered, compared)


def _set_fields(query: pb.SearchQuery) -> list[str]:
    return [field.name for field, _ in query.ListFields() if field.name in _FIELDS]


class _LegalMoves:
    """Reads legal moves of one position; what is wrong with them is noted."""

    def __init__(self, reader: Reader, state: State, language: str) -> None:
        self.legal = frozenset(state.legal_moves())
        self.report = Report()
        self._reader = reader
        self._state = state
        self._language = language
        self._refusal = ""

    def read(self, messages: Sequence[game_pb2.Move], path: str) -> frozenset[int]:
        """The moves of a repeated field."""
        moves = (self.read_one(move, f"{path}[{i}]") for i, move in enumerate(messages))
        return frozenset(move for move in moves if move is not None)

    def read_one(self, message: game_pb2.Move, path: str) -> int | None:
        """One move; None if something is wrong with it."""
        try:
            move = self._reader.move(message, self._state, path)
        except InvalidMessage as error:
            self.report.violations.extend(error.violations)
            return None
        if move not in self.legal:
            # The same for all, and finding the words takes time.
            self._refusal = self._refusal or self._state.refusal(self._language)
            self.report.add(f"{path}.{self._state.game.game_id}", self._refusal)
            return None
        return move
