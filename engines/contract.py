"""What an engine must give: the contract between a game and everything that plays it.

A game is a package ``engines/<game>`` that exposes one ``GAME: Game``. Its rules are compiled
functions over one fixed-size record per state (see ``engines.jit``). Everything above the engines
(search, server, tests) knows games through this module only.

Conventions of the compiled functions
-------------------------------------
* ``row`` is a state as bytes (``uint8[::1]`` of ``STATE.itemsize``), ``view`` a player view as
  bytes. ``row.view(STATE)[0]`` is the record.
* A move is an ``int64`` >= 0 whose meaning is the game's own. Legal moves are listed without
  duplicates in ascending order.
* A state is complete: it holds the generator for its own later chance events. Applying a move is
  a function of the row and the move alone.
* In a determinization the order of hidden cards has been sampled, so chance that comes from hidden
  cards is fixed too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from types import ModuleType
from typing import Any, Final, Protocol

import numpy as np
from numba import types
from numpy.typing import NDArray

from engines.jit import (
    FLOATS,
    INTS,
    LOG,
    RNG,
    ROW,
    Floats,
    Int,
    Ints,
    Log,
    Rng,
    Row,
)
from engines.options import OptionSpec, VariantSpec
from engines.violations import Report

MAX_SEATS: Final = 6
GAME_OVER: Final = -1
"""Returned by seat_to_move when nobody is to move."""

UTILITY: Final = 0
WIN_SHARE: Final = 1
SCORE: Final = 2
RESULT_ROWS: Final = 3
"""Rows of the result array of ``evaluate``, shape (RESULT_ROWS, MAX_SEATS): utility in [0, 1],
(expected) share of the victory in [0, 1], (expected) final score in the game's points."""

RANDOM: Final = 0
INFORMED: Final = 1
"""Playout policies: uniformly random legal moves, or the game's own knowledge."""

SEAT_TO_MOVE: Final = types.int64(ROW)
SEATS_TO_MOVE: Final = types.int64(ROW)
CLAIM_TURN: Final = types.int64(ROW, types.int64)
LEGAL_MOVES: Final = types.int64(ROW, INTS)
APPLY_MOVE: Final = types.void(ROW, types.int64, LOG)
MOVE_KEY: Final = types.int64(ROW, types.int64, types.int64)
OUTCOME_KEY: Final = types.int64(ROW, types.int64)
POLICY_MOVE: Final = types.int64(ROW, RNG)
PLAYOUT: Final = types.int64(ROW, RNG, types.int64)
EVALUATE: Final = types.void(ROW, FLOATS)
PROJECT: Final = types.void(ROW, types.int64, ROW)
PREPARE: Final = types.int64(ROW, ROW)
DETERMINIZE: Final = types.void(ROW, ROW, RNG, ROW)
UNSEEN: Final = types.int64(ROW, INTS)
REORDER: Final = types.void(ROW, INTS, types.int64)
POSITION_KEY: Final = types.int64(ROW)
"""Numba signatures of the contract functions, for ``engines.jit.entry``."""


@dataclass(frozen=True)
class Kernels:
    """The compiled functions of a game."""

    seat_to_move: Callable[[Row], Int]
    """(row) -> the seat that decides next, or GAME_OVER. Also GAME_OVER in a determinization that
    has reached its horizon (see ``determinize``)."""
    seats_to_move: Callable[[Row], Int]
    """(row) -> bit mask of all seats that may decide now; several in a simultaneous decision."""
    claim_turn: Callable[[Row, Int], Int]
    """(row, seat) -> 1 and makes the seat the next to decide, if it is one of seats_to_move;
    otherwise 0 and changes nothing."""
    legal_moves: Callable[[Row, Ints], Int]
    """(row, out) -> n; writes the legal moves of seat_to_move to out[0:n]. n >= 1 unless nobody is
    to move."""
    apply_move: Callable[[Row, Int, Log], None]
    """(row, move, log) plays a legal move in place, with everything that follows from it until the
    next decision; writes public events to the log (see engines.events)."""
    move_key: Callable[[Row, Int, Int], Int]
    """(row, move, observer) -> what the observer sees of the move, before it is applied. Moves with
    one key are one edge of the observer's tree. Equal to the move itself where it is open."""
    outcome_key: Callable[[Row, Int], Int]
    """(row, observer) -> after apply_move: what the observer saw of the chance events that followed
    the last move; 0 if there were none."""
    policy_move: Callable[[Row, Rng], Int]
    """(row, rng) -> a legal move by the informed playout policy."""
    playout: Callable[[Row, Rng, Int], Int]
    """(row, rng, policy) -> moves played; plays to the end (or horizon) in place."""
    evaluate: Callable[[Row, Floats], None]
    """(row, out[RESULT_ROWS, MAX_SEATS]) writes utility, win share and score of each seat: exact
    for a game that is over, estimated at a horizon. While the game runs: as if it ended right now.
    Partners of a team get the same values."""
    project: Callable[[Row, Int, Row], None]
    """(row, seat, view) reduces a state to what the seat knows. No hidden field is read into it."""
    prepare: Callable[[Row, Row], Int]
    """(view, table) -> 1 if at least one state agrees with the view, else 0. Fills the table with
    what determinize needs and is the same for all samples of this view."""
    determinize: Callable[[Row, Row, Rng, Row], None]
    """(view, table, rng, out) samples a state exactly uniformly from those that agree with the
    view. The viewing seat is to move in it if it may decide now. Where looking further ahead than
    some point tells nothing (the next deal), the sample carries a horizon at which it ends."""

    @classmethod
    def of(cls, *modules: ModuleType) -> Kernels:
        """The functions by their names, each from the first of a game's modules that has it."""
        found: dict[str, Any] = {}
        for field in fields(cls):
            owners = [module for module in modules if hasattr(module, field.name)]
            if not owners:
                names = ", ".join(module.__name__ for module in modules)
                raise TypeError(f"no {field.name} in {names}")
            found[field.name] = getattr(owners[0], field.name)
        return cls(**found)


MAX_UNSEEN: Final = 12
"""No ending with more cards to be turned is solved."""
CARDS_OF_A_KIND: Final = 64
"""A card to be turned is written as CARDS_OF_A_KIND * kind + card."""


@dataclass(frozen=True)
class Endings:
    """The compiled functions that solving the endings of a game takes, beside its kernels.

    An ending is a position of a determinization in which nothing is hidden but the order of some
    cards that are still to be turned, and from which the game can be played to its very end. Each
    seat plays for itself.
    """

    unseen: Callable[[Row, Ints], Int]
    """(row, out[MAX_UNSEEN]) -> n; writes the cards to be turned, next one first, with their kinds
    (see CARDS_OF_A_KIND): it makes no difference to the rest of the game which card of a kind is
    turned. All their orders are equally likely. 0 where chance has no part any more; -1 where the
    position is no ending, or has more before it than can be solved. When the game is over: how many
    of the cards turned last made no difference."""
    reorder: Callable[[Row, Ints, Int], None]
    """(row, cards, n) puts the cards to be turned into another order."""
    position_key: Callable[[Row], Int]
    """(row) -> a hash of everything that decides how the rest of an ending may go: who may win, and
    what may be added to each score. The order of the cards to be turned is no part of it."""


@dataclass(frozen=True)
class Place:
    """Somewhere cards lie that a seat may not know, as some samples have them."""

    name: str
    """A name of the game's own: "hand", "deck"."""
    seat: int | None
    """Whose it is; None: nobody's."""
    counts: NDArray[np.integer[Any]]
    """How many of each kind of card lie there, shape (samples, kinds)."""


@dataclass(frozen=True)
class HiddenCards:
    """Where a game hides cards: plain functions, for telling what a search holds possible."""

    places: Callable[[Row, Any], Sequence[Place]]
    """(view, samples) -> the places that hold cards which the viewing seat may not know, in a fixed
    order, without those that are empty. No card lies in two of them. ``samples`` are
    determinizations of the view, an array of STATE records."""
    write_card: Callable[[int], Any]
    """Kind of card -> card message."""
    card_words: Callable[[int, str], str]
    """(kind of card, language) -> the card in words."""
    place_words: Callable[[str, int | None, str], str]
    """(name, seat, language) -> the place in words: "the hand of seat 2"."""


class Codec(Protocol):
    """Translates between a game's protobuf messages and its records.

    Readers note everything that is wrong in the report, with full field paths that start with the
    ``path`` given, and may return anything when they noted something. A reader that noted nothing
    must return a row on which every kernel is safe to call. Messages given are of the game's own
    types.
    """

    def new_game(self, options: Any, seats: int, seed: int, log: Log) -> Row:
        """Deals a new game; options and seats have been checked by ``read_options``."""

    def read_options(self, options: Any, seats: int, path: str, report: Report) -> None:
        """Checks the options message for this number of seats."""

    def read_state(self, state: Any, path: str, report: Report) -> Row:
        """State message -> record."""

    def write_state(self, row: Row) -> Any:
        """Record -> state message."""

    def read_view(self, view: Any, path: str, report: Report) -> Row:
        """View message -> view record. Checks everything that can be checked without sampling."""

    def write_view(self, view: Row) -> Any:
        """View record -> view message."""

    def viewing_seat(self, view: Row) -> int:
        """The seat whose view it is."""

    def seats(self, row: Row) -> int:
        """Number of seats of a state."""

    def read_move(self, row: Row, move: Any, path: str, report: Report) -> int:
        """Move message -> move, legal or not, for the seat to move of the state."""

    def write_move(self, row: Row, move: int) -> Any:
        """Move -> move message. The row is the state in which it is played."""

    def write_events(self, before: Row, after: Row, log: Log) -> Sequence[Any]:
        """What everybody saw, from the log of one apply_move or new_game."""


@dataclass(frozen=True)
class CandidateFigures:
    """What the search found out about one candidate, as far as reasons need it."""

    move: int
    visits: int
    win_probability: float
    expected_score: float
    score_standard_error: float
    line: tuple[int, ...]
    """The principal variation as moves, this move first."""
    win_standard_error: float = 0.0


class Words(Protocol):
    """Moves, events and reasons in English and Traditional Chinese. Languages: "en", "zh-TW"."""

    def name(self, language: str) -> str:
        """The game's name."""

    def description(self, language: str) -> str:
        """What the game is about, in a sentence or two."""

    def move(self, row: Row, move: int, language: str) -> str:
        """A move in words, as an action without a subject ("takes Fire 3"). Only what the move
        itself says may be used, nothing hidden from the mover."""

    def hidden_move(self, row: Row, language: str) -> str:
        """Words for a move that the reader can't see ("passes 2 cards")."""

    def event(self, event: Any, language: str) -> str:
        """An event in words, as a sentence with the seat as subject."""

    def reason(
        self, row: Row, candidates: Sequence[CandidateFigures], index: int, language: str
    ) -> str:
        """Why candidates[index] stands where it stands, in one sentence from the figures. The row
        is any determinization of the view: only what the mover knows may be used of it."""


class CasualPlayer(Protocol):
    """A decent casual player: rules of thumb that people name, no search, no sampling.

    Plain Python, not compiled. It is a yardstick for the search and an opponent to play against.
    """

    def __call__(self, view: Row, moves: Sequence[int]) -> int:
        """The move of the viewing seat, one of ``moves``: its legal moves, ascending, at least one.

        A function of the view record, the moves and the game's own constants alone: no chance, no
        hidden state, nothing remembered between calls. Of moves that it rates alike it takes the
        first.
        """


@dataclass(frozen=True)
class Game:
    """A game, as the registry lists it."""

    game_id: str
    """The field's name in the oneofs of game.proto, and the folder's name."""
    min_seats: int
    max_seats: int
    state: np.dtype[Any]
    view: np.dtype[Any]
    table_bytes: int
    """Size of the table that ``prepare`` fills; at least 8."""
    max_moves: int
    """No position has more legal moves."""
    max_game_moves: int
    """No game has more moves. Where the rules set no bound, as chance can go on for ever, a number
    that games pass with a chance of less than 1 in 10^12."""
    transient_fields: tuple[str, ...]
    """Fields of the state that say something about the last move only. They are no part of the
    position and do not travel in messages."""
    kernels: Kernels
    codec: Codec
    words: Words
    casual: CasualPlayer
    options: tuple[OptionSpec, ...]
    variants: tuple[VariantSpec, ...]
    exploration: float = 1.33
    """UCB's exploration constant, in units of what is at stake (search.kernel.spread)."""
    endings: Endings | None = None
    """None for a game whose endings hide too much to be solved."""
    hidden_cards: HiddenCards | None = None
    """None for a game that hides no cards."""

    def new_row(self) -> Row:
        """An empty state."""
        return np.zeros(self.state.itemsize, dtype=np.uint8)

    def new_view(self) -> Row:
        """An empty view."""
        return np.zeros(self.view.itemsize, dtype=np.uint8)

    def new_table(self) -> Row:
        """An empty table for ``prepare``."""
        return np.zeros(self.table_bytes, dtype=np.uint8)

    def legal_moves(self, row: Row) -> list[int]:
        """The legal moves of a state's seat to move, ascending; none when nobody is to move."""
        out = np.zeros(self.max_moves, dtype=np.int64)
        return [int(move) for move in out[: self.kernels.legal_moves(row, out)]]
