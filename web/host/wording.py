"""Values of the client as protobuf's JSON has the messages that they came from."""

from __future__ import annotations

from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

from adamas import (
    Advice,
    Candidate,
    Game,
    GameMessage,
    HiddenPlace,
    LegalMove,
    Level,
    LineMove,
    Option,
    Position,
    SearchFigures,
    StopReason,
    Variant,
    Worlds,
)
from adamas.envelopes import wrap
from adamas.v1 import game_pb2

Json = dict[str, Any]


def plain(message: Message) -> Json:
    """Any message."""
    return json_format.MessageToDict(message)


def enveloped(envelope: type[Message], message: GameMessage) -> Json:
    """A game's own message in its envelope."""
    return plain(wrap(envelope, message))


def view(message: GameMessage) -> Json:
    """PlayerView."""
    return enveloped(game_pb2.PlayerView, message)


def move(message: GameMessage) -> Json:
    """Move."""
    return enveloped(game_pb2.Move, message)


def event(message: GameMessage) -> Json:
    """Event."""
    return enveloped(game_pb2.Event, message)


def status(position: Position[Any]) -> Json:
    """TableStatus, with every field."""
    return {
        "seatsToMove": list(position.seats_to_move),
        "over": position.over,
        "results": [
            {"seat": result.seat, "score": result.score, "winShare": result.win_share}
            for result in position.results
        ],
    }


def legal_move(found: LegalMove[Any]) -> Json:
    """LegalMove."""
    return {"move": move(found.move), "words": found.words}


def advice(found: Advice[Any]) -> Json:
    """Advice."""
    return {
        "bestMove": move(found.best_move),
        "candidates": [candidate(each) for each in found.candidates],
        "legalMoves": found.legal_moves,
        "search": _figures(found.search),
        "suggestedDelay": f"{found.suggested_delay:g}s",
    }


def candidate(found: Candidate[Any]) -> Json:
    """Candidate."""
    return {
        "move": move(found.move),
        "words": found.words,
        "reason": found.reason,
        "visits": str(found.visits),
        "winProbability": found.win_probability,
        "winStandardError": found.win_standard_error,
        "expectedScore": found.expected_score,
        "scoreStandardError": found.score_standard_error,
        "principalVariation": [_line_move(each) for each in found.principal_variation],
    }


def _line_move(found: LineMove[Any]) -> Json:
    told: Json = {"seat": found.seat, "words": found.words}
    if found.move is not None:
        told["move"] = move(found.move)
    return told


def _figures(found: SearchFigures) -> Json:
    reason = "UNSPECIFIED" if found.stop_reason is StopReason.RUNNING else found.stop_reason.name
    return {
        "iterations": str(found.iterations),
        "determinizations": str(found.determinizations),
        "nodes": str(found.nodes),
        "trees": found.trees,
        "elapsed": f"{found.elapsed:g}s",
        "stopReason": f"STOP_REASON_{reason}",
        "seed": str(found.seed),
        "memoryBoundReached": found.memory_bound_reached,
        "widened": found.widened,
        "solved": found.solved,
    }


def worlds(found: Worlds) -> Json:
    """SampleWorldsResponse, without full states."""
    return {
        "samples": found.samples,
        "seed": str(found.seed),
        "places": [_place(place) for place in found.places],
    }


def _place(found: HiddenPlace) -> Json:
    told: Json = {
        "place": found.place,
        "words": found.words,
        "size": found.size,
        "cards": [
            {
                "card": enveloped(game_pb2.Card, card.card),
                "words": card.words,
                "probability": card.probability,
                "standardError": card.standard_error,
                "copies": card.copies,
            }
            for card in found.cards
        ],
    }
    if found.seat is not None:
        told["seat"] = found.seat
    return told


def game(found: Game) -> Json:
    """GetGameResponse."""
    return {
        "summary": {
            "gameId": found.summary.game_id,
            "name": found.summary.name,
            "minSeats": found.summary.min_seats,
            "maxSeats": found.summary.max_seats,
        },
        "description": found.description,
        "variants": [_variant(each) for each in found.variants],
        "options": [_option(each) for each in found.options],
        "levels": [_level(each) for each in found.levels],
    }


def _variant(found: Variant) -> Json:
    return {
        "variantId": found.variant_id,
        "name": found.name,
        "description": found.description,
        "options": enveloped(game_pb2.GameOptions, found.options),
        "seats": list(found.seats),
    }


def _option(found: Option) -> Json:
    told: Json = {
        "name": found.name,
        "title": found.title,
        "description": found.description,
        "seats": list(found.seats),
    }
    kind: Json = {"defaultValue": found.default}
    if found.choices:
        kind["choices"] = [
            {"value": choice.value, "title": choice.title} for choice in found.choices
        ]
        told["choiceOption"] = kind
    elif isinstance(found.default, bool):
        told["boolOption"] = kind
    else:
        told["intOption"] = {**kind, "minValue": found.min_value, "maxValue": found.max_value}
    return told


def _level(found: Level) -> Json:
    return {
        "level": found.level,
        "rating": found.rating,
        "ratingLow": found.rating_low,
        "ratingHigh": found.rating_high,
    }
