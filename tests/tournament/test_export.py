"""Games as text."""

from rich.cells import cell_len

from adamas_tournament.entrant_config import RandomEntrant
from adamas_tournament.export import Heading, as_text
from adamas_tournament.plan import Plan
from adamas_tournament.records import GameKey, GameRecord, MoveRecord, SideRecord


def test_columns_are_aligned_on_the_screen_whatever_the_names() -> None:
    """A Chinese character takes two columns."""
    names = ("電腦玩家", "casual bot")
    sides = [
        SideRecord(name, (seat,), seat + 1, win_share=1.0 - seat, score=-3.0, seconds=1, moves=1)
        for seat, name in enumerate(names)
    ]
    moves = [
        MoveRecord(
            ply, ply % 2, "{}", 0.5, ("翻開一張新卡片", "補充展示區"), (0.0, 0.0), stand_in=ply > 1
        )
        for ply in range(3)
    ]
    game = GameRecord(
        GameKey(0, 0), 7, tuple(sides), tuple(moves), (), "2026-11-30", 2.0, "", "here"
    )
    heading = Heading(
        "Trial",
        "2026-11-30",
        Plan("dao", "DAO 道", "{}", 2, ((0,), (1,)), "zh-TW"),
        tuple(RandomEntrant(name=name, kind="random") for name in names),
        [],
    )
    lines = "".join(as_text(heading, [game])).splitlines()

    def column(mark: str) -> set[int]:
        return {cell_len(line.partition(mark)[0]) for line in lines if mark in line[20:]}

    assert len(column("−3 points")) == 1
    assert len(column(".500 s")) == 1
    assert column("翻開") == column("補充")
