"""Everything that can be wrong with a message of Diam's is named by its field."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from google.protobuf.message import DecodeError, Message
from hypothesis import given, settings
from hypothesis import strategies as st

from adamas.v1 import diams_pb2 as pb
from engines.diams.codec import DiamsCodec
from engines.events import NO_LOG, new_log
from engines.registry import game
from engines.rng import generator
from engines.violations import Report
from tests.engines.diams.positions import (
    LIMIT,
    NAME,
    OFFER,
    TAKE,
    card,
    cards,
    diamond,
    diamonds,
    drill,
    for_sum,
    give_up,
    position,
    sale,
    same_kind,
)
from tests.examples.referee import EngineReferee

DIAMS = game("diams")
CODEC = DiamsCodec()
REFEREE = EngineReferee()
Change = Callable[[Any], object]


def a_state() -> pb.DiamsState:
    """Seat 0 is to play; seat 1 has a safe."""
    return position(["7 7 7p 1 X1", "2 5 6"], safes=["", "8 8 8p"], on_market="3 4", pile="9 10 C")


def a_view(state: pb.DiamsState | None = None) -> pb.DiamsView:
    found: pb.DiamsView = REFEREE.view(state or a_state(), 0)
    return found


def in_phase(phase: int) -> pb.DiamsState:
    """The same position in a phase that goes in steps."""
    start = a_state()
    if phase == LIMIT:
        return position(["7 7 7p 1 3 3", "2 5 6"], phase=LIMIT)
    moves = {TAKE: for_sum("7"), OFFER: sale("X1", 1), NAME: drill(1)}
    found: pb.DiamsState = REFEREE.apply(start, moves[phase])
    return found


def view_violations(view: pb.DiamsView) -> list[Any]:
    report = Report()
    CODEC.read_view(view, "view", report)
    return report.violations


def state_violations(state: pb.DiamsState) -> list[Any]:
    report = Report()
    CODEC.read_state(state, "state", report)
    return report.violations


def change(**values: Any) -> Change:
    def apply(message: Any) -> None:
        for name, value in values.items():
            setattr(message, name, value)

    return apply


def add(name: str, *entries: Any) -> Change:
    return lambda message: getattr(message, name).extend(entries)


def replace(name: str, *entries: Any) -> Change:
    def apply(message: Any) -> None:
        del getattr(message, name)[:]
        getattr(message, name).extend(entries)

    return apply


def event(**body: Any) -> pb.DiamsEvent:
    return pb.DiamsEvent(**body)


COMMON_MISTAKES: list[tuple[str, Change]] = [
    ("seats", change(seats=6)),
    ("seats", change(seats=1)),
    ("options.hand_limit", lambda m: change(hand_limit=9)(m.options)),
    ("options.data_set", lambda m: change(data_set="printed")(m.options)),
    ("turn", change(turn=2)),
    ("starter", change(starter=-1)),
    ("closer", change(closer=2)),
    ("round", change(round=4)),
    ("phase", change(phase=8)),
    ("phase", change(phase=7)),
    ("phase", change(phase=6)),
    ("market[0].kind", replace("market", pb.DiamsDiamond(kind=11))),
    ("market", replace("market", *diamonds(" ".join(["7"] * 60)))),
    ("removed[0].card", replace("removed", pb.DiamsCard())),
    ("removed[0].special", replace("removed", pb.DiamsCard(special=4))),  # type: ignore[arg-type]
    ("removed[0]", replace("removed", card("C"))),
    ("finished_rounds", add("finished_rounds", pb.DiamsRoundPoints(points=[1, 2]))),
    ("history[0].event", replace("history", pb.DiamsEvent())),
    ("history[0].card_drawn.seat", replace("history", event(card_drawn=pb.DiamsCardDrawn(seat=2)))),
    (
        "history[0].card_offered",
        replace("history", event(card_offered=pb.DiamsCardOffered(diamond=diamond("7")))),
    ),
    (
        "history[0].card_sold",
        replace("history", event(card_sold=pb.DiamsCardSold(diamond=diamond("7")))),
    ),
    (
        "history[0].drill_named",
        replace("history", event(drill_named=pb.DiamsDrillNamed(diamond=diamond("7")))),
    ),
    (
        "history[0].drill_started.opponent",
        replace("history", event(drill_started=pb.DiamsDrillStarted(seat=1, opponent=1))),
    ),
    (
        "history[0].sale_started.special",
        replace("history", event(sale_started=pb.DiamsSaleStarted(opponent=1))),
    ),
    ("history[0].deposited.count", replace("history", event(deposited=pb.DiamsDeposited(count=2)))),
    (
        "history[0].deposited.diamonds",
        replace("history", event(deposited=pb.DiamsDeposited(count=3, diamonds=diamonds("7 7 7")))),
    ),
    (
        "history[0].card_given_up.card",
        replace("history", event(card_given_up=pb.DiamsCardGivenUp(card=card("C")))),
    ),
    (
        "history[0].card_placed.diamond.kind",
        replace("history", event(card_placed=pb.DiamsCardPlaced())),
    ),
]
VIEW_MISTAKES: list[tuple[str, Change]] = [
    *COMMON_MISTAKES,
    ("seat", change(seat=2)),
    ("deck_size", change(deck_size=0)),
    ("deck_size", change(deck_size=60)),
    ("", change(deck_size=4)),
    ("", lambda v: v.market.pop()),
    ("hand_sizes", replace("hand_sizes", 5)),
    ("hand_sizes[1]", replace("hand_sizes", 5, -1)),
    ("hand_sizes[0]", replace("hand_sizes", 4, 3)),
    ("hand_sizes[1]", replace("hand_sizes", 5, 4)),
    ("safe_sizes[1]", replace("safe_sizes", 0, 4)),
    ("safes", add("safes", pb.DiamsSafe())),
    ("hand[0]", lambda m: m.hand[0].CopyFrom(card("C"))),
    ("", add("market", *diamonds("7 7 7 7"))),
    (
        "history[0].nothing_played",
        replace("history", event(nothing_played=pb.DiamsNothingPlayed(seat=1))),
    ),
]
STATE_MISTAKES: list[tuple[str, Change]] = [
    *COMMON_MISTAKES,
    ("hands", lambda m: m.hands.pop()),
    ("safes", lambda m: m.safes.pop()),
    ("hands[1].cards[0].card", lambda m: m.hands[1].cards[0].Clear()),
    ("safes[1].diamonds[0].kind", lambda m: m.safes[1].diamonds[0].Clear()),
    ("deck", replace("deck", *cards("9 10"))),
    ("deck", replace("deck", *cards("C 10 C"))),
    ("deck", change(closer=1)),
    ("deck[0]", replace("deck", *cards("C" + " 9" * 16))),
    ("", replace("deck", *cards("9 9 C"))),
    ("", lambda m: m.hands[1].cards.pop()),
]


@pytest.mark.parametrize(("field", "mistake"), VIEW_MISTAKES)
def test_mistakes_in_a_view_are_named(field: str, mistake: Change) -> None:
    view = a_view()
    assert not view_violations(view)
    mistake(view)
    found = [violation.field for violation in view_violations(view)]
    assert (f"view.{field}" if field else "view") in found


def test_mistakes_of_several_fields_are_told_at_once() -> None:
    view = a_view()
    view.MergeFrom(pb.DiamsView(seat=7, turn=5, round=9, hand=[pb.DiamsCard()]))
    told = {violation.field for violation in view_violations(view)}
    hand = f"view.hand[{len(view.hand) - 1}]"
    assert {"view.seat", "view.turn", "view.round"} < told
    assert any(field.startswith(hand) for field in told)
    view.seats = 9
    told = {violation.field for violation in view_violations(view)}
    assert {"view.seats", "view.seat", "view.turn"} < told
    assert any(field.startswith(hand) for field in told)


MISSING_OF_EMPTY = {"seats", "round", "phase", "deck_size", "hand_sizes", "safe_sizes"}


@pytest.mark.parametrize(
    "view",
    [
        pb.DiamsView(),
        pb.DiamsView(hand=[pb.DiamsCard(diamond=pb.DiamsDiamond(kind=3))]),
        pb.DiamsView(history=[pb.DiamsEvent(card_drawn=pb.DiamsCardDrawn(seat=1))]),
    ],
    ids=["empty", "hand", "history"],
)
def test_all_that_an_empty_view_lacks_is_told_at_once(view: pb.DiamsView) -> None:
    assert {found.field for found in view_violations(view)} == {
        f"view.{name}" for name in MISSING_OF_EMPTY
    }
    view.seats = 3
    assert {found.field for found in view_violations(view)} >= {
        f"view.{name}" for name in MISSING_OF_EMPTY - {"seats"}
    }


def test_a_history_is_read_whatever_else_is_wrong() -> None:
    view = a_view()
    view.round, view.deck_size = 9, 0
    view.history.insert(0, pb.DiamsEvent())
    told = {violation.field for violation in view_violations(view)}
    assert {"view.round", "view.deck_size", "view.history[0].event"} <= told


@pytest.mark.parametrize(("field", "mistake"), STATE_MISTAKES)
def test_mistakes_in_a_state_are_named(field: str, mistake: Change) -> None:
    state = a_state()
    assert not state_violations(state)
    mistake(state)
    found = [violation.field for violation in state_violations(state)]
    assert (f"state.{field}" if field else "state") in found


@pytest.mark.parametrize("phase", [TAKE, OFFER, NAME, LIMIT])
def test_steps_survive_the_way_through_a_view(phase: int) -> None:
    state = in_phase(phase)
    assert state.phase == phase
    assert not state_violations(state)
    view = a_view(state)
    assert not view_violations(view)
    assert view.step == state.step


def test_the_card_given_up_last_is_told_whichever_it_is() -> None:
    """1p has the lowest number of all cards; before any is given up there is no step."""
    start = position(["1p 1p 4 5", "2 6 7"], on_market="5 5p", hand_limit=3)
    first = REFEREE.apply(start, same_kind("5"))
    assert first.phase == LIMIT
    assert not first.HasField("step")
    then = REFEREE.apply(first, give_up("1p"))
    assert then.phase == LIMIT
    assert then.step == pb.DiamsStep(last=card("1p"))
    assert not view_violations(a_view(then))


@pytest.mark.parametrize(
    ("phase", "field", "mistake"),
    [
        (TAKE, "step", lambda m: m.ClearField("step")),
        (TAKE, "step.placed.kind", lambda m: m.step.ClearField("placed")),
        (TAKE, "step.missing", lambda m: change(missing=8)(m.step)),
        (TAKE, "step.last", lambda m: m.step.last.CopyFrom(card("X1"))),
        (TAKE, "step.last", lambda m: m.step.last.CopyFrom(card("1p"))),
        (OFFER, "step.opponent", lambda m: change(opponent=2)(m.step)),
        (OFFER, "step.opponent", lambda m: change(opponent=0)(m.step)),
        (OFFER, "phase", change(phase=NAME)),
        (NAME, "step.opponent", lambda m: change(opponent=0)(m.step)),
        (NAME, "phase", lambda m: m.history.pop()),
        (LIMIT, "step.last", lambda m: m.step.last.CopyFrom(card("C"))),
        (LIMIT, "step.last", lambda m: m.step.last.CopyFrom(card("X3"))),
    ],
)
def test_mistakes_in_a_step_are_named(phase: int, field: str, mistake: Change) -> None:
    view = a_view(in_phase(phase))
    mistake(view)
    assert f"view.{field}" in [violation.field for violation in view_violations(view)]


def test_a_history_that_no_deal_leads_to_is_refused() -> None:
    """Seat 1 has deposited two sets, but only of one kind three diamonds are unseen."""
    view = a_view()
    assert view.history[-1].card_placed.seat == 1
    view.history[-1].CopyFrom(event(deposited=pb.DiamsDeposited(seat=1, count=3)))
    view.hand_sizes[1] = 1
    view.safe_sizes[1] = 6
    view.deck_size -= 1
    assert [violation.field for violation in view_violations(view)] == ["view.history"]


def test_a_history_may_hold_all_events_since_the_start_of_the_game() -> None:
    """A new round ends what was told before it; turned cards and results are ignored."""
    row = CODEC.new_game(pb.DiamsOptions(), 3, 2, new_log())
    rng = generator(1)
    told: list[pb.DiamsEvent] = []
    for _ in range(150):
        before, log = row.copy(), new_log()
        DIAMS.kernels.apply_move(row, DIAMS.kernels.policy_move(row, rng), log)
        told += CODEC.write_events(before, row, log)
    assert any(e.HasField("round_started") for e in told)
    view = DIAMS.new_view()
    DIAMS.kernels.project(row, 1, view)
    message = CODEC.write_view(view)
    del message.history[:]
    message.history.extend(told)
    report = Report()
    again = CODEC.read_view(message, "view", report)
    assert not report.violations
    assert again.tobytes() == view.tobytes()


@pytest.mark.parametrize(
    ("field", "move"),
    [
        ("move", pb.DiamsMove()),
        ("draw", pb.DiamsMove(draw=3)),  # type: ignore[arg-type]
        ("visit.mode", pb.DiamsMove(visit=pb.DiamsVisit(placed=diamond("7")))),
        ("visit.placed.kind", pb.DiamsMove(visit=pb.DiamsVisit(mode=1))),  # type: ignore[arg-type]
        ("deposit.diamonds", pb.DiamsMove(deposit=pb.DiamsSafe())),
        ("deposit.diamonds", pb.DiamsMove(deposit=pb.DiamsSafe(diamonds=diamonds("7 " * 6)))),
        ("deposit.diamonds", pb.DiamsMove(deposit=pb.DiamsSafe(diamonds=diamonds("7 " * 60)))),
        ("sale.special", pb.DiamsMove(sale=pb.DiamsSale(opponent=1))),
        ("sale.opponent", pb.DiamsMove(sale=pb.DiamsSale(special=1, opponent=5))),  # type: ignore[arg-type]
        ("drill", pb.DiamsMove(drill=-1)),
        ("special_deposit.diamonds", pb.DiamsMove(special_deposit=pb.DiamsSpecialDeposit())),
        ("take.kind", pb.DiamsMove(take=pb.DiamsDiamond(kind=-3))),
        ("give_up", pb.DiamsMove(give_up=card("C"))),
    ],
)
def test_mistakes_in_a_move_are_named(field: str, move: pb.DiamsMove) -> None:
    report = Report()
    row = CODEC.read_state(a_state(), "state", Report())
    CODEC.read_move(row, move, "move", report)
    assert f"move.{field}" in [violation.field for violation in report.violations]


def use_view(view: pb.DiamsView) -> None:
    """Whatever is accepted can be sampled and played."""
    report = Report()
    row = CODEC.read_view(view, "view", report)
    if not report.violations:
        table, sample, rng = DIAMS.new_table(), DIAMS.new_row(), generator(1)
        assert DIAMS.kernels.prepare(row, table)
        DIAMS.kernels.determinize(row, table, rng, sample)
        DIAMS.kernels.playout(sample, rng, 0)


def use_state(state: pb.DiamsState) -> None:
    """Whatever is accepted can be played."""
    report = Report()
    row = CODEC.read_state(state, "state", report)
    if not report.violations:
        DIAMS.kernels.playout(row, generator(1), 0)


def damaged(message: Message, data: st.DataObject) -> bytes:
    """The bytes of a message with some of them changed."""
    raw = bytearray(message.SerializeToString())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    return bytes(raw)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_messages_never_raise(data: st.DataObject) -> None:
    """Bytes of a real message with some of them changed."""
    row = CODEC.new_game(pb.DiamsOptions(), 3, 5, new_log())
    rng = generator(6)
    for _ in range(data.draw(st.integers(0, 60))):
        DIAMS.kernels.apply_move(row, DIAMS.kernels.policy_move(row, rng), NO_LOG)
    view = DIAMS.new_view()
    DIAMS.kernels.project(row, 0, view)
    with suppress(DecodeError):
        use_view(pb.DiamsView.FromString(damaged(CODEC.write_view(view), data)))
    with suppress(DecodeError):
        use_state(pb.DiamsState.FromString(damaged(CODEC.write_state(row), data)))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_views_with_other_histories_never_raise(data: st.DataObject) -> None:
    """Events left out, repeated or given to other seats."""
    view = a_view()
    events = list(view.history)
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(events) - 1))
        change_ = data.draw(st.sampled_from(["drop", "repeat", "seat", "size"]))
        if change_ == "drop" and len(events) > 1:
            events.pop(place)
        elif change_ == "repeat":
            events.insert(place, events[place])
        elif change_ == "seat":
            copy = pb.DiamsEvent.FromString(events[place].SerializeToString())
            body = getattr(copy, str(copy.WhichOneof("event")))
            body.seat = data.draw(st.integers(-1, 2))
            events[place] = copy
        else:
            sizes = view.hand_sizes if data.draw(st.booleans()) else view.safe_sizes
            sizes[1] = data.draw(st.integers(-1, 9))
    del view.history[:]
    view.history.extend(events)
    use_view(view)
