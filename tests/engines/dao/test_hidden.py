"""Determinizations of DAO are exactly uniform (section 6)."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

from scipy import stats

from adamas.v1 import dao_pb2 as pb
from engines.dao import hidden, rules
from engines.dao.rules import CARD_KINDS, COPIES, STATE, VALUES
from engines.events import new_log
from engines.registry import game
from engines.rng import generator

DAO = game("dao")
SAMPLES = 30_000


def endgame(deck: list[int], second_half: list[int], *, split: bool) -> Any:
    """A state with these hidden cards, everything else taken by seat 0."""
    row = DAO.codec.new_game(pb.DaoOptions(two_round_split=split), 2, 1, new_log())
    s = row.view(STATE)[0]
    s.row[:] = 0
    s.row_size = 1
    s.row[0] = 1
    s.deck[:] = 0
    s.second_half[:] = 0
    s.deck_size = len(deck)
    s.deck[: len(deck)] = deck
    s.second_half[: len(second_half)] = second_half
    hidden_cards = Counter([1, *deck, *second_half])
    for card in range(CARD_KINDS):
        s.piles[0, card] = COPIES[card % VALUES] - hidden_cards[card]
    return DAO.codec.write_state(row)


def sampled_decks(state: pb.DaoState) -> Counter[tuple[int, ...]]:
    from engines.violations import Report

    report = Report()
    row = DAO.codec.read_state(state, "state", report)
    report.raise_if_any()
    view, table = DAO.new_view(), DAO.new_table()
    DAO.kernels.project(row, 0, view)
    assert DAO.kernels.prepare(view, table)
    rng = generator(5)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(SAMPLES):
        sample = DAO.new_row()
        DAO.kernels.determinize(view, table, rng, sample)
        s = sample.view(STATE)[0]
        counts[tuple(int(card) for card in s.deck[: s.deck_size])] += 1
    return counts


def test_every_order_of_the_deck_is_equally_likely() -> None:
    """Five cards, two of them alike: 60 orders."""
    deck = [2, 2, 7, 13, 24]
    orders = set(permutations(deck))
    counts = sampled_decks(endgame(deck, [], split=False))
    assert set(counts) == orders
    assert len(orders) == 60
    assert stats.chisquare([counts[order] for order in orders]).pvalue > 1e-4


def test_in_round_1_of_a_split_either_half_may_hold_an_unseen_card() -> None:
    """Two cards of the deck drawn from 32 unseen ones: ordered pairs by their copies."""
    unseen = [card for card in range(15) for _ in range(COPIES[card % VALUES])][:33]
    unseen.remove(1)
    counts = sampled_decks(endgame(unseen[:2], unseen[2:], split=True))
    copies = Counter(unseen)
    expected = {
        (a, b): copies[a] * (copies[b] - (a == b))
        for a in copies
        for b in copies
        if copies[b] > (a == b)
    }
    assert set(counts) == set(expected)
    scale = SAMPLES / sum(expected.values())
    observed = [counts[pair] for pair in expected]
    assert stats.chisquare(observed, [n * scale for n in expected.values()]).pvalue > 1e-4


def test_no_state_agrees_with_a_view_that_shows_a_card_too_often() -> None:
    row = DAO.codec.new_game(pb.DaoOptions(), 3, 1, new_log())
    view = DAO.new_view()
    DAO.kernels.project(row, 0, view)
    v = view.view(hidden.VIEW)[0]
    v.piles[0, 0] = 2
    assert not DAO.kernels.prepare(view, DAO.new_table())


def test_a_view_shows_no_order() -> None:
    assert "deck" not in (hidden.VIEW.names or ())
    assert "second_half" not in (hidden.VIEW.names or ())
    assert {"deck", "second_half"} <= set(rules.STATE.names or ())
