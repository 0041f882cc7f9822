"""From a SearchQuery to the view that is searched."""

from __future__ import annotations

from adamas.v1 import advisor_service_pb2 as pb
from engines.violations import invalid
from server.requests.messages import Reader, View


def read_position(reader: Reader, query: pb.SearchQuery) -> tuple[View, str]:
    """The view to search and its path; raises InvalidMessage.

    A full state is reduced to the seat's view here.
    """
    if query.HasField("view"):
        view = reader.view(query.view, "query.view")
        return view, f"query.view.{view.game.game_id}"
    state = reader.state(query.state.state, "query.state.state")
    seat = query.state.seat
    if not 0 <= seat < state.seats:
        raise invalid("query.state.seat", f"is {seat}; use 0 to {state.seats - 1}")
    return state.view_of(seat), "query.state.seat"
