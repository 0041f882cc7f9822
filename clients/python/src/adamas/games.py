"""What the rules service says about games and positions, as plain immutable values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from adamas.envelopes import GameMessage, unwrap
from adamas.errors import VersionMismatch
from adamas.families import MoveT_co, OptionsOf, StateT_co
from adamas.figures import number
from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as pb


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in short.

    Attributes:
        game_id: The id, such as "dao".
        name: The game's name in the language asked for.
        min_seats: Smallest number of seats.
        max_seats: Largest number of seats.
    """

    game_id: str
    name: str
    min_seats: int
    max_seats: int

    def __str__(self) -> str:
        return f"{self.name} ({self.game_id}), {self.min_seats} to {self.max_seats} seats"


@dataclass(frozen=True, slots=True)
class Variant:
    """A named set of options.

    Attributes:
        variant_id: A stable id.
        name: Name in the language asked for.
        description: One sentence.
        options: The game's options message that makes this variant.
        seats: Numbers of seats that can play it, ascending.
    """

    variant_id: str
    name: str
    description: str
    options: OptionsOf
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of an option that is one of several named values.

    Attributes:
        value: The enum value's name in the game's options message; for a text field the text.
        title: A label for a settings dialog.
    """

    value: str
    title: str


@dataclass(frozen=True, slots=True)
class Option:
    """One option, with all that a settings dialog needs.

    Attributes:
        name: The field's name in the game's options message.
        title: A label.
        description: One sentence of explanation.
        default: The default: a bool (on or off), an int, or a str (the value of one of `choices`).
        min_value: Smallest value allowed, of a whole number; else None.
        max_value: Largest value allowed, of a whole number; else None.
        choices: The values to choose from, where there are any.
        seats: Numbers of seats for which the option may differ from its default, ascending.
    """

    name: str
    title: str
    description: str
    default: bool | int | str
    min_value: int | None
    max_value: int | None
    choices: tuple[Choice, ...]
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """A strength level of a game.

    Attributes:
        level: The number to ask for, from 1.
        rating: Its rating in Elo points among the levels of this game; random moves have 0.
        rating_low: Lower end of the rating's 95 % confidence interval.
        rating_high: Upper end of the rating's 95 % confidence interval.
    """

    level: int
    rating: float
    rating_low: float
    rating_high: float


@dataclass(frozen=True, slots=True)
class Game:
    """A game with everything that a frontend needs to offer it.

    Attributes:
        summary: The game in short.
        description: What the game is about, in a sentence or two.
        variants: Named sets of options.
        options: Every option, with its default for the number of seats asked for.
        levels: The strength levels, weakest first; empty if the game has none yet.
    """

    summary: GameSummary
    description: str
    variants: tuple[Variant, ...]
    options: tuple[Option, ...]
    levels: tuple[Level, ...] = ()


@dataclass(frozen=True, slots=True)
class LegalMove(Generic[MoveT_co]):
    """One legal move.

    Attributes:
        move: The game's move message.
        words: The move in words.
    """

    move: MoveT_co
    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in front of everybody.

    Attributes:
        event: The game's event message.
        words: The event in words; empty where the server gives none (the deal of a new game).
    """

    event: GameMessage
    words: str

    def __str__(self) -> str:
        return self.words or str(self.event)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat's result.

    Attributes:
        seat: The seat, 0-based.
        score: Score in the game's points; the current one while the game runs.
        win_share: Share of the victory: 1 for a single winner, 1/k for each of k sharers, 0 for
            the others, and 0 for all while the game runs.
    """

    seat: int
    score: float
    win_share: float

    def __str__(self) -> str:
        share = f", wins {self.win_share:.3g}" if self.win_share else ""
        return f"seat {self.seat}: {number(self.score)} points{share}"


@dataclass(frozen=True, slots=True)
class Position(Generic[StateT_co]):
    """A full state of a game and how the table stands.

    Attributes:
        state: The game's full state message, hidden cards included; for the table's host only.
        events: What has just happened in front of everybody, in order.
        seats_to_move: Seats that may decide now, ascending; several while a decision is
            simultaneous, none when the game is over.
        over: True once the game has ended.
        results: One a seat, in seat order.
    """

    state: StateT_co
    events: tuple[Event, ...]
    seats_to_move: tuple[int, ...]
    over: bool
    results: tuple[SeatResult, ...]


def read_summary(message: pb.GameSummary) -> GameSummary:
    """The value of a `GameSummary` message."""
    return GameSummary(message.game_id, message.name, message.min_seats, message.max_seats)


def read_game(message: pb.GetGameResponse) -> Game:
    """The value of a `GetGameResponse` message."""
    return Game(
        summary=read_summary(message.summary),
        description=message.description,
        variants=tuple(
            Variant(
                variant_id=variant.variant_id,
                name=variant.name,
                description=variant.description,
                options=unwrap(variant.options),
                seats=tuple(variant.seats),
            )
            for variant in message.variants
        ),
        options=tuple(_read_option(option) for option in message.options),
        levels=tuple(
            Level(level.level, level.rating, level.rating_low, level.rating_high)
            for level in message.levels
        ),
    )


def _read_option(message: pb.Option) -> Option:
    kind = message.WhichOneof("type")
    default: bool | int | str
    min_value = max_value = None
    choices: tuple[Choice, ...] = ()
    match kind:
        case "bool_option":
            default = message.bool_option.default_value
        case "int_option":
            default = message.int_option.default_value
            min_value = message.int_option.min_value
            max_value = message.int_option.max_value
        case "choice_option":
            default = message.choice_option.default_value
            choices = tuple(
                Choice(choice.value, choice.title) for choice in message.choice_option.choices
            )
        case None:
            raise VersionMismatch(
                f"the option {message.name!r} has no type that this client knows; a newer adamas "
                "package may know it"
            )
    return Option(
        name=message.name,
        title=message.title,
        description=message.description,
        default=default,
        min_value=min_value,
        max_value=max_value,
        choices=choices,
        seats=tuple(message.seats),
    )


def read_legal_move(message: pb.LegalMove) -> LegalMove[Any]:
    """The value of a `LegalMove` message."""
    return LegalMove(unwrap(message.move), message.words)


def read_position(
    state: game_pb2.GameState,
    events: Sequence[game_pb2.Event],
    words: Sequence[str],
    status: game_pb2.TableStatus,
) -> Position[Any]:
    """The value of what `StartGame` and `ApplyMove` answer."""
    return Position(
        state=unwrap(state),
        events=tuple(
            Event(unwrap(event), words[index] if index < len(words) else "")
            for index, event in enumerate(events)
        ),
        seats_to_move=tuple(status.seats_to_move),
        over=status.over,
        results=tuple(
            SeatResult(result.seat, result.score, result.win_share) for result in status.results
        ),
    )
