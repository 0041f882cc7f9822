"""From a position in a request to the view that is searched or sampled."""

from __future__ import annotations

from adamas.v1 import advisor_service_pb2 as pb
from engines.violations import invalid
from server.requests.messages import Reader, View


def read_position(
    reader: Reader, message: pb.SearchQuery | pb.SampleWorldsRequest, within: str = "query."
) -> tuple[View, str]:
    """The view asked about and its path; raises InvalidMessage.

    A full state is reduced to the seat's view here. ``within`` begins the paths of the position's
    fields.
    """
    if message.HasField("view"):
        view = reader.view(message.view, f"{within}view")
        return view, f"{within}view.{view.game.game_id}"
    state = reader.state(message.state.state, f"{within}state.state")
    seat = message.state.seat
    if not 0 <= seat < state.seats:
        raise invalid(f"{within}state.seat", f"is {seat}; use 0 to {state.seats - 1}")
    return state.view_of(seat), f"{within}state.seat"
