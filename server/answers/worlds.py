"""Where a search holds which hidden card possible: determinizations, counted."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import game_pb2
from engines.contract import Game, HiddenCards, Place
from engines.rng import generator
from engines.violations import invalid
from server.requests.messages import NO_STATE_AGREES, State, View, join
from server.requests.sampling import Sampling

_BETWEEN_LOOKS = 20
"""Samples drawn between two looks at the clock."""


def answer(view: View, path: str, wanted: Sampling) -> pb.SampleWorldsResponse:
    """Samples and counts; raises InvalidMessage if no state agrees with the view."""
    game = view.game
    rows = _sample(view, path, wanted)
    return pb.SampleWorldsResponse(
        samples=len(rows),
        seed=wanted.seed,
        places=_places(view, rows, wanted.language),
        worlds=[State(game, row).message() for row in rows[: wanted.worlds]],
    )


def _sample(view: View, path: str, wanted: Sampling) -> NDArray[np.uint8]:
    """Determinizations, one a row: as many as asked for, or as there is time for; at least one."""
    began = time.monotonic()
    game, kernels = view.game, view.game.kernels
    table = game.new_table()
    if not kernels.prepare(view.row, table):
        raise invalid(path, NO_STATE_AGREES)
    rng = generator(wanted.seed)
    rows = np.zeros((wanted.samples, game.state.itemsize), dtype=np.uint8)
    for done, row in enumerate(rows):
        if done and done % _BETWEEN_LOOKS == 0 and time.monotonic() > began + wanted.seconds:
            return rows[:done]
        kernels.determinize(view.row, table, rng, row)
    return rows


def _places(view: View, rows: NDArray[np.uint8], language: str) -> Iterator[pb.HiddenPlace]:
    hidden = view.game.hidden_cards
    if hidden is None:
        return
    for place in hidden.places(view.row, rows.view(view.game.state)[:, 0]):
        yield pb.HiddenPlace(
            place=place.name,
            seat=place.seat,
            words=hidden.place_words(place.name, place.seat, language),
            size=int(place.counts[0].sum()),
            cards=_cards(view.game, hidden, place, language),
        )


def _cards(game: Game, hidden: HiddenCards, place: Place, language: str) -> Sequence[pb.HiddenCard]:
    there = (place.counts > 0).mean(axis=0)
    errors = np.sqrt(there * (1 - there) / len(place.counts))
    copies = place.counts.mean(axis=0)
    return [
        pb.HiddenCard(
            card=join(game_pb2.Card, game, hidden.write_card(int(card))),
            words=hidden.card_words(int(card), language),
            probability=there[card],
            standard_error=errors[card],
            copies=copies[card],
        )
        for card in np.flatnonzero(there)
    ]
