"""Where hidden cards may lie, as plain immutable values."""

from dataclasses import dataclass

from adamas.envelopes import GameMessage, unwrap
from adamas.v1 import advisor_service_pb2 as pb


@dataclass(frozen=True, slots=True)
class HiddenCard:
    """A card that may lie in a place.

    Attributes:
        card: The game's card message.
        words: The card in words.
        probability: Share of the samples in which at least one such card lies there, in [0, 1].
        standard_error: Standard error of `probability`; 0 if all samples agree.
        copies: How many such cards lie there, on average.
    """

    card: GameMessage
    words: str
    probability: float
    standard_error: float
    copies: float

    def __str__(self) -> str:
        return f"{self.words} {self.probability:.1%}"


@dataclass(frozen=True, slots=True)
class HiddenPlace:
    """A place that holds cards which a seat may not know.

    Attributes:
        place: What it is, a name of the game's own, such as "hand" or "deck".
        seat: Whose it is, 0-based; None: nobody's.
        words: The place in words.
        size: How many cards lie there.
        cards: Every card that lay there in a sample, in the game's order.
    """

    place: str
    seat: int | None
    words: str
    size: int
    cards: tuple[HiddenCard, ...]

    def __str__(self) -> str:
        return f"{self.words} ({self.size}): {', '.join(map(str, self.cards))}"


@dataclass(frozen=True, slots=True)
class Worlds:
    """Determinizations of what a seat knows, counted.

    Attributes:
        samples: How many were counted.
        seed: The seed that was used.
        places: Where the seat may not know the cards; empty if the game hides none.
        states: The first samples as full state messages, as many as were asked for.
    """

    samples: int
    seed: int
    places: tuple[HiddenPlace, ...]
    states: tuple[GameMessage, ...]

    def __str__(self) -> str:
        return "\n".join([*map(str, self.places), f"{self.samples:,} samples"])


def read_worlds(message: pb.SampleWorldsResponse) -> Worlds:
    """The value of a `SampleWorldsResponse` message."""
    return Worlds(
        samples=message.samples,
        seed=message.seed,
        places=tuple(
            HiddenPlace(
                place=place.place,
                seat=place.seat if place.HasField("seat") else None,
                words=place.words,
                size=place.size,
                cards=tuple(
                    HiddenCard(
                        card=unwrap(card.card),
                        words=card.words,
                        probability=card.probability,
                        standard_error=card.standard_error,
                        copies=card.copies,
                    )
                    for card in place.cards
                ),
            )
            for place in message.places
        ),
        states=tuple(unwrap(state) for state in message.worlds),
    )
