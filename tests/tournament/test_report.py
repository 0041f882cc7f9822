"""The report: one file, complete, and true to the journal."""

import base64
import gzip
import itertools
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from adamas import Client
from adamas.command.terms import Terms
from adamas.v1.dao_pb2 import (
    DAO_ELEMENT_FIRE,
    DAO_ELEMENT_WATER,
    DaoCard,
    DaoPile,
    DaoState,
)
from adamas.v1.diamonds_club_pb2 import (
    DIAMONDS_CLUB_SYMBOL_HATS,
    DIAMONDS_CLUB_SYMBOL_MINE_BLUE,
    DIAMONDS_CLUB_SYMBOL_MINE_RED,
    DiamondsClubColumn,
    DiamondsClubPlayer,
    DiamondsClubState,
    DiamondsClubTable,
)
from adamas.v1.diamonds_pb2 import DIAMONDS_SUIT_CLUBS, DiamondsCards, DiamondsState
from adamas_tournament.journal import Journal, create_journal
from adamas_tournament.referee import Referee
from adamas_tournament.replay import replay
from adamas_tournament.report.charts import evidence_chart, score_chart, seat_chart, time_chart
from adamas_tournament.report.page import report_page
from adamas_tournament.report.pictures import svg
from adamas_tournament.report.positions import Changes, changes, rows
from adamas_tournament.statistics.pairwise import Interval
from tests.tournament import bots
from tests.tournament.configs import ENTRANTS, config_text
from tests.tournament.conftest import PlayTournament


def opened(page: str) -> list[dict[str, Any]]:
    """The games of a page, as its script unpacks them."""
    found: list[dict[str, Any]] = json.loads(gzip.decompress(base64.b64decode(Page(page).data)))
    return found


class Page(HTMLParser):
    """Collects what a page asks the network for, its identifiers and its texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.ids: set[str] = set()
        self.data = ""
        self._in_data = False
        self.links: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        for name in ("src", "data", "srcset", "poster"):
            if name in values:
                self.fetched.append(f"{tag} {name}={values[name]}")
        if tag == "link":
            self.fetched.append(f"link {values}")
        if tag == "a":
            self.links.append(values.get("href") or "")
        if values.get("id"):
            self.ids.add(values["id"] or "")
        self._in_data = tag == "script" and values.get("id") == "data"
        if tag not in {"meta", "input", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._in_data = False

    def handle_data(self, data: str) -> None:
        if self._in_data:
            self.data += data


@pytest.fixture
def journal(play_tournament: PlayTournament, target: str) -> Journal:
    """A tournament with a stopping rule, and with an entrant that fails."""
    bad = bots.after(40, bots.failing, bots.first_move(target))
    with bots.bot(bad) as address:
        text = config_text(
            deals=2,
            entrants=ENTRANTS
            + '\n[[entrants]]\nname = "a & b\'s"\n'
            + f'kind = "endpoint"\naddress = "{address}"\n',
            rest='[stop]\nwhen = "strong > random"',
        )
        return play_tournament(text.replace('name = "Trial"', 'name = "<Trial> & </script>"'))[1]


def test_a_page_needs_nothing_but_itself(journal: Journal) -> None:
    text = report_page(journal, 100)
    page = Page(text)
    assert page.open == []
    assert page.fetched == []
    assert not re.search(r"@import|url\((?!#)", text)
    inner = [link[1:] for link in page.links if not link.startswith("#game=")]
    assert inner
    assert set(inner) <= page.ids
    assert "&lt;Trial&gt; &amp; &lt;/script&gt;" in text
    assert "<Trial>" not in text


def test_games_can_be_opened_as_they_were_played(journal: Journal) -> None:
    games = opened(report_page(journal, 100))
    records = list(journal.games())
    assert [game["key"] for game in games] == [str(record.key) for record in records]
    for game, record in zip(games, records, strict=True):
        assert [move["e"] for move in game["moves"]] == [list(move.events) for move in record.moves]
        assert [side["score"] for side in game["sides"]] == [side.score for side in record.sides]
        assert len(game["forfeits"]) == len(record.forfeits)
        assert [move["r"] for move in game["moves"]] == [move.reason for move in record.moves]
    reasons = [move["r"] for game in games for move in game["moves"]]
    assert any(" to win" in reason for reason in reasons)  # the service tells them, bots need not


def test_games_with_forfeits_come_first_when_not_all_can_be_opened(journal: Journal) -> None:
    wanted = [str(record.key) for record in journal.games() if record.forfeits]
    assert wanted
    games = opened(report_page(journal, len(wanted)))
    assert [game["key"] for game in games] == wanted


def test_every_section_has_its_picture(journal: Journal) -> None:
    text = report_page(journal, 0)
    assert text.count("<svg") == 5  # ratings, evidence, scores, times, seats
    assert "Forfeits" in text
    assert "crash" in text
    assert "strong &gt; random" in text


def test_a_tournament_without_a_complete_deal_has_a_report_too(
    play_tournament: PlayTournament, tmp_path: Path
) -> None:
    plan = play_tournament(config_text(deals=1))[1].plan
    with create_journal(tmp_path / "empty.journal", config_text(), plan) as empty:
        text = report_page(empty, 10)
    assert "No deal is complete yet" in text
    assert Page(text).open == []


COLOURS = {"strong": "#3b6fd4", "電腦玩家": "#d9822b", "a & b's <x>": "#1f9d7a"}


def charts() -> dict[str, Figure]:
    """A chart of each kind, of figures that are close together and far out."""
    seconds = {name: [0.001 * 10**number, 0.002, 3.0] for number, name in enumerate(COLOURS)}
    shares = [Interval(0.5, 0.2, 0.99), Interval(0.3, 0.0, 0.6), Interval(0.2, 0.05, 0.5)]
    traces = {f"{name} > strong": [2.0, 4.0, 8.0 + number] for number, name in enumerate(COLOURS)}
    return {
        "scores": score_chart({name: [-3.0, 4.0, 4.0, 11.0] for name in COLOURS}, COLOURS),
        "times": time_chart(seconds, COLOURS),
        "seats": seat_chart(shares, ["seat 0", "seat 1", "seat 2"]),
        "evidence": evidence_chart(traces, 60.0, list(COLOURS.values())),
    }


def labels(axes: Axes) -> Iterator[Text]:
    """What is written beside the axes and in the legend, but for ticks that are out of sight."""
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        ticks = zip(axis.get_majorticklocs(), axis.get_majorticklabels(), strict=False)
        for place, label in ticks:  # charts that share an axis have its labels once
            if low <= place <= high and label.get_visible():
                yield label
        yield axis.label
    legend = axes.get_legend()
    if legend is not None:
        yield from legend.get_texts()


@pytest.mark.parametrize("kind", ["scores", "times", "seats", "evidence"])
@pytest.mark.filterwarnings("ignore:Glyph")
def test_labels_of_a_chart_neither_overlap_nor_leave_it(kind: str) -> None:
    drawn = charts()[kind]
    FigureCanvasAgg(drawn).draw()  # type: ignore[no-untyped-call]
    found = [text for axes in drawn.axes for text in labels(axes) if text.get_text()]
    boxes = [text.get_window_extent() for text in found]
    assert len(boxes) > 5
    whole = drawn.bbox.padded(2)
    for box in boxes:
        assert whole.x0 <= box.x0
        assert box.x1 <= whole.x1
        assert whole.y0 <= box.y0
        assert box.y1 <= whole.y1
    for one, other in itertools.combinations(boxes, 2):
        assert not one.overlaps(other)


def test_intervals_of_the_seats_stay_in_the_chart() -> None:
    (axes,) = charts()["seats"].axes
    low, high = axes.get_ylim()
    assert low <= 0.0
    assert high >= 0.99


def test_a_picture_has_the_colours_of_the_page_and_its_texts_are_escaped() -> None:
    page = Page("")
    for kind, drawn in charts().items():
        text = str(svg(drawn, f"<{kind}>"))
        page.feed(text)
        assert text.startswith("<svg")
        assert "var(--ink)" in text
        assert "#010203" not in text
        assert "<x>" not in text
    assert page.open == []


def test_positions_are_told_by_what_changes(
    play_tournament: PlayTournament, client: Client
) -> None:
    progress, journal = play_tournament(config_text(deals=1))
    referee = Referee(client, progress.plan)
    record = next(journal.games())
    found = changes(replay(record, progress.plan, referee), progress.plan.sides, Terms())
    assert len(found) == len(record.moves) + 1
    shown: Changes = {}
    for step, changed in zip(replay(record, progress.plan, referee), found, strict=True):
        shown |= changed
        known = {name: row for name, row in shown.items() if row is not None}
        assert known == rows(step.position.state, progress.plan.sides, Terms())
    page = report_page(journal, 1, lambda _: found)
    (game,) = opened(page)
    assert game["positions"] == json.loads(json.dumps(found))


def test_a_position_is_a_board_with_a_column_a_seat() -> None:
    state = DaoState(
        seats=2,
        turn=1,
        row=[DaoCard(element=DAO_ELEMENT_FIRE, value=3), DaoCard(element=DAO_ELEMENT_WATER)],
        piles=[DaoPile(cards=[DaoCard(element=DAO_ELEMENT_FIRE, value=1)]), DaoPile()],
    )
    assert rows(state, [(0,), (1,)], Terms()) == {
        "turn": ["1"],
        "starter": ["0"],
        "round": ["0"],
        "row": [("fire 3", DAO_ELEMENT_FIRE), ("water 0", DAO_ELEMENT_WATER)],
        "piles@0": [("fire 1", DAO_ELEMENT_FIRE)],
    }
    chinese = rows(state, [(0,), (1,)], Terms("zh-TW"))
    assert chinese["展示區"] == [("火 3", DAO_ELEMENT_FIRE), ("水 0", DAO_ELEMENT_WATER)]
    assert chinese["面前的卡片@0"] == [("火 1", DAO_ELEMENT_FIRE)]


def test_what_a_team_shares_stands_below_its_first_seat() -> None:
    state = DiamondsState(seats=4, vaults=[3, 5], hands=[DiamondsCards()] * 4)
    state.hands[3].cards.add(suit=DIAMONDS_SUIT_CLUBS, rank=9)
    found = rows(state, [(0, 2), (1, 3)], Terms())
    assert found["vaults@0"] == ["3"]
    assert found["vaults@1"] == ["5"]
    assert found["hands@3"] == [("clubs 9", DIAMONDS_SUIT_CLUBS)]


def test_lists_beside_each_other_are_a_grid() -> None:
    columns = [
        DiamondsClubColumn(strip=1, symbols=[mine, DIAMONDS_CLUB_SYMBOL_HATS], coins=[0, 2])
        for mine in (*[DIAMONDS_CLUB_SYMBOL_MINE_BLUE] * 2, DIAMONDS_CLUB_SYMBOL_MINE_RED)
    ]
    player = DiamondsClubPlayer(coins=7, rights=[4], printed_covered=[True, False, False])
    table = DiamondsClubTable(market=columns, players=[player, DiamondsClubPlayer(coins=2)])
    found = rows(DiamondsClubState(seats=2, table=table), [(0,), (1,)], Terms())
    assert found["market#1"] == [
        ("mine blue", DIAMONDS_CLUB_SYMBOL_MINE_BLUE),
        ("mine blue", DIAMONDS_CLUB_SYMBOL_MINE_BLUE),
        ("mine red", DIAMONDS_CLUB_SYMBOL_MINE_RED),
    ]
    assert found["market#2"] == [("hats (2)", DIAMONDS_CLUB_SYMBOL_HATS)] * 3
    assert found["coins@0"] == ["7"]
    assert found["coins@1"] == ["2"]
    assert found["rights@0"] == ["4"]
    assert found["printed covered@0"] == ["✓", "–", "–"]
