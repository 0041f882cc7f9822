"""A player that is started with a command: `python -m tests.tournament.program PORT SERVER MOVES`.

It plays the first legal moves, asks SERVER for them, and is gone after so many MOVES.
"""

import os
import sys
import time

import grpc

from adamas.v1 import advisor_service_pb2 as pb
from tests.tournament import bots


def gone(request: pb.RecommendRequest, context: grpc.ServicerContext) -> pb.RecommendResponse:
    """Ends the program."""
    os._exit(3)


if __name__ == "__main__":
    port, server, moves = sys.argv[1:]
    with bots.bot(bots.after(int(moves), gone, bots.first_move(server)), int(port)):
        time.sleep(600)
