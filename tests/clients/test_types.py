"""What `mypy --strict` says to programs that use the client: it finds mistakes, and only those."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CLIENT = Path(__file__).resolve().parents[2] / "clients" / "python"

GOOD = """
from adamas import Advice, AsyncClient, BotPlayer, Client, Limit, Query, Table, ViewOf, play_match
from adamas.v1.dao_pb2 import DAO_ACTION_TAKE, DaoMove, DaoOptions, DaoState, DaoView
from adamas.v1.diamonds_pb2 import DiamondsMove, DiamondsView
from adamas.v1.game_pb2 import PlayerView

def ask(client: Client, view: DaoView, envelope: PlayerView, other: DiamondsView) -> None:
    advice = client.recommend(view, Limit(time=0.2), candidates=3)
    move: DaoMove = advice.best_move
    print(move.action, advice.best.move.action)
    card: DiamondsMove = client.legal_moves(other)[0].move
    print(card)
    anything = client.recommend(envelope).best_move
    if isinstance(anything, DaoMove):
        print(anything.action)
    with client.analyze(view) as analysis:
        for update in analysis:
            print(update.best_move.action)
    with client.recommend_batch([view]) as batch:
        for result in batch:
            print(result.get().best_move.action)
    with client.recommend_batch(Query(view, seed=seed) for seed in range(20)) as batch:
        for result in batch:
            print(result.get().best_move.action)

def host(client: Client) -> Table[DaoState]:
    table = client.table(DaoOptions(initial_row=2), seats=3)
    view: DaoView = table.view(0)
    table.play(client.recommend(view).best_move, 0)
    play_match(table, [BotPlayer(client), lambda view: DaoMove(action=DAO_ACTION_TAKE)])
    state: DaoState = client.start(DaoOptions(), 3).state
    print(client.recommend(state, seat=0).best_move.action, state.deck)
    return table

def show(advice: Advice) -> None:
    print(advice.best_move.DESCRIPTOR.name, advice.best.words)

def any_game(client: Client, view: ViewOf) -> None:
    show(client.recommend(view))

async def later(client: AsyncClient, view: DaoView) -> None:
    print((await client.recommend(view)).best_move.action)
    async with client.analyze(view) as analysis:
        async for update in analysis:
            print(update.best_move.action)
"""

BAD = """
from adamas import Advice, AsyncClient, Client, Query
from adamas.v1.dao_pb2 import DaoMove, DaoOptions, DaoView
from adamas.v1.diamonds_pb2 import DiamondsMove
from adamas.v1.game_pb2 import PlayerView

def ask(client: Client, view: DaoView, envelope: PlayerView) -> None:
    client.recommend("hello")  # arg-type
    client.recommend(DaoMove())  # arg-type
    client.validate(DaoOptions())  # arg-type
    client.recommend(view, 0.5)  # arg-type
    client.recommend(view, levle=3)  # call-arg
    client.recommend(view).best_move.no_such_field  # attr-defined
    client.recommend(envelope).best_move.no_such_field  # union-attr
    client.recommend(view).candidates[0].move.no_such_field  # attr-defined
    client.legal_moves(view)[0].move.no_such_field  # attr-defined
    move: DiamondsMove = client.recommend(view).best_move  # assignment
    client.start("dao", 3)  # arg-type
    client.view(view, 0)  # arg-type
    table = client.table(DaoOptions(), seats=3)
    table.view(0).no_such_field  # attr-defined
    table.state.no_such_field  # attr-defined
    table.play("take")  # arg-type
    view.no_such_field  # attr-defined
    Query("hello")  # arg-type
    for update in client.analyze(view):
        update.best_move.no_such_field  # attr-defined
    for result in client.recommend_batch([view]):
        result.get().best_move.no_such_field  # attr-defined

def show(advice: Advice) -> None:
    advice.best_move.action  # attr-defined

async def later(client: AsyncClient, view: DaoView) -> None:
    await client.recommend("hello")  # arg-type
    (await client.recommend(view)).best_move.no_such_field  # attr-defined
"""


def complaints(folder: Path, *programs: str) -> list[tuple[int, str]]:
    """The line and the code of everything that mypy has to say about programs."""
    names = [f"program{number}.py" for number in range(len(programs))]
    for name, text in zip(names, programs, strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    command = ["--strict", "--no-error-summary", "--config-file=", *names]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *command],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"MYPYPATH": str(CLIENT / "src")},
        timeout=300,
    )
    assert not done.stderr, done.stderr
    found = re.findall(r"^(.+):(\d+): error: .*\[([a-z-]+)\]$", done.stdout, re.MULTILINE)
    assert {name for name, _, _ in found} <= set(names), done.stdout
    return [(int(line), code) for _, line, code in found]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Has mypy's cache, which the tests share."""
    return tmp_path_factory.mktemp("types")


def test_good_programs_pass(folder: Path) -> None:
    assert complaints(folder, GOOD) == []


def test_mistakes_are_found(folder: Path) -> None:
    marked = [
        (number, code)
        for number, line in enumerate(BAD.splitlines(), 1)
        for code in re.findall(r"  # ([a-z-]+)$", line)
    ]
    assert len(marked) > 20
    assert set(complaints(folder, BAD)) == set(marked)


def test_the_programs_of_the_readme_pass(folder: Path) -> None:
    page = (CLIENT / "README.md").read_text(encoding="utf-8")
    first, *others = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert len(others) > 4
    # The later ones go on where the first has ended; those about players need the options too.
    start = first + "from adamas.v1.dao_pb2 import DaoOptions\n"
    assert complaints(folder, first, *(start + other for other in others)) == []
