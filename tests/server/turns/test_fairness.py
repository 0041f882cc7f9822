"""Whose turn it is, with searches that always want another turn."""

from __future__ import annotations

from collections import Counter

from adamas.v1 import advisor_service_pb2 as pb
from server.turns.fairness import FairQueue, Ticket

INTERACTIVE, BACKGROUND = pb.PRIORITY_INTERACTIVE, pb.PRIORITY_BACKGROUND


class Bench:
    """A queue of searches by name; ``turns`` says who got how many of so many turns."""

    def __init__(self) -> None:
        self.queue: FairQueue[str] = FairQueue()
        self.costs: dict[str, float] = {}

    def add(
        self,
        name: str,
        client: str = "someone",
        priority: pb.Priority.ValueType = INTERACTIVE,
        cost: float = 1.0,
        due: float = 0.0,
    ) -> Ticket[str]:
        ticket = self.queue.ticket(client, priority, name, due)
        self.costs[name] = cost
        ticket.enqueue()
        return ticket

    def turn(self) -> str | None:
        """Who is next; it wants another turn at once."""
        ticket = self.queue.take(1.0)
        if ticket is None:
            return None
        ticket.fresh = False
        ticket.charge(self.costs[ticket.item] - 1.0)
        ticket.enqueue()
        return ticket.item

    def turns(self, number: int) -> Counter[str | None]:
        return Counter(self.turn() for _ in range(number))


def test_searches_of_a_client_take_turns() -> None:
    bench = Bench()
    for name in "abc":
        bench.add(name)
    assert bench.turns(30) == {"a": 10, "b": 10, "c": 10}


def test_turns_are_counted_by_what_they_cost() -> None:
    bench = Bench()
    bench.add("slow", cost=3.0)
    bench.add("quick", cost=1.0)
    turns = bench.turns(40)
    assert abs(turns["quick"] - 30) <= 1


def test_clients_share_equally_however_many_searches_they_have() -> None:
    bench = Bench()
    for number in range(50):
        bench.add(f"many {number}", "greedy")
    bench.add("one", "modest")
    turns = bench.turns(100)
    assert turns["one"] == 50
    assert max(turns.values()) == 50
    assert turns["many 0"] == 1


def test_background_searches_have_a_tenth_of_a_busy_server() -> None:
    bench = Bench()
    for number in range(5):
        bench.add(f"bulk {number}", "tournament", BACKGROUND)
    for number in range(20):
        bench.add(f"hint {number}", f"player {number}")
    turns = bench.turns(1000)
    bulk = sum(count for name, count in turns.items() if name and name.startswith("bulk"))
    assert abs(bulk - 100) <= 2


def test_background_searches_have_an_idle_server_to_themselves() -> None:
    bench = Bench()
    bench.add("bulk", priority=BACKGROUND)
    assert bench.turns(10) == {"bulk": 10}


def test_an_interactive_search_overtakes_queued_background_ones() -> None:
    bench = Bench()
    for number in range(50):
        bench.add(f"bulk {number}", f"client {number}", BACKGROUND)
    bench.turns(20)
    bench.add("hint", "client 1")
    assert bench.turn() == "hint"


def test_a_new_client_is_next_but_claims_nothing_for_the_past() -> None:
    bench = Bench()
    bench.add("old", "regular")
    bench.turns(1000)
    bench.add("new", "newcomer")
    assert bench.turn() == "new"
    turns = bench.turns(100)
    assert abs(turns["new"] - 50) <= 1


def test_who_was_away_claims_nothing_for_that_time() -> None:
    bench = Bench()
    away = bench.add("away", "sleeper")
    taken = bench.queue.take(1.0)
    assert taken is away
    taken.fresh = False
    bench.add("there", "regular")
    bench.turns(500)
    away.enqueue()
    turns = bench.turns(100)
    assert abs(turns["away"] - 50) <= 1


def test_fresh_searches_go_before_others_of_their_client_the_most_urgent_first() -> None:
    bench = Bench()
    bench.add("old")
    bench.turns(10)
    bench.add("later", due=2.0)
    bench.add("sooner", due=1.0)
    assert [bench.turn() for _ in range(3)] == ["sooner", "later", "old"]


def test_who_has_left_gets_no_turn_and_is_not_charged() -> None:
    bench = Bench()
    gone = [bench.add(f"gone {number}", "quitter") for number in range(10)]
    bench.add("stays", "quitter")
    bench.add("other", "regular")
    for ticket in gone:
        bench.queue.leave(ticket)
        bench.queue.leave(ticket)
    assert bench.turns(20) == {"stays": 10, "other": 10}


def test_nobody_is_next_in_an_empty_queue() -> None:
    bench = Bench()
    assert bench.turn() is None
    ticket = bench.add("a")
    assert bench.queue.take(1.0) is ticket
    assert bench.turn() is None
