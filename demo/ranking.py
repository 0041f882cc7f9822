"""An answer as a table: the ranked moves with their figures and reasons."""

from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from adamas import Advice, Candidate, Client, Limit
from adamas.figures import number, percent
from demo.boards import board
from demo.positions import Shipped
from demo.text import words


def show_advice(
    client: Client,
    position: Shipped,
    limit: Limit,
    language: str,
    console: Console,
    *,
    seed: int,
) -> None:
    """Print a position and what the service says about it.

    On a terminal the answer is there at once and grows while the search goes on, unless the output
    is recorded: of that, only what is last is wanted.
    """
    console.print(board(position.view, language))
    console.print()
    if not console.is_terminal or console.is_dumb_terminal or console.record:
        advice = client.recommend(position.view, limit, seed=seed)
        console.print(_answer(position, advice, language, timed=not console.record))
        return
    with (
        client.analyze(position.view, limit, seed=seed, update_interval=0.1) as analysis,
        Live(console=console, auto_refresh=False) as live,
    ):
        for advice in analysis:
            live.update(_answer(position, advice, language), refresh=True)


def _answer(
    position: Shipped, advice: Advice, language: str, *, timed: bool = True
) -> RenderableType:
    text = words(language)
    title = text["what_to_do"].format(
        seat=position.view.seat, shown=len(advice.candidates), legal=advice.legal_moves
    )
    line = text["semicolon"].join(
        text["line_move"].format(seat=move.seat, words=move.words)
        for move in advice.best.principal_variation
    )
    search = advice.search
    figures = text["figures" if timed else "figures_untimed"].format(
        iterations=search.iterations,
        seconds=search.elapsed,
        rate=search.iterations_per_second,
        nodes=search.nodes,
    )
    return Group(
        Text(title, style="bold"),
        _ranking(advice, language),
        Text(text["line"].format(line=line), style="dim", overflow="fold"),
        Text(figures, style="dim"),
    )


def _ranking(advice: Advice, language: str) -> Table:
    text = words(language)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("", justify="right")
    table.add_column(text["win"], justify="right", no_wrap=True)
    table.add_column(text["score"], justify="right", no_wrap=True)
    table.add_column(text["visits"], justify="right", no_wrap=True)
    table.add_column(text["reason"])
    for rank, candidate in enumerate(advice.candidates, 1):
        table.add_row(str(rank), *_cells(candidate), style="bold" if rank == 1 else "")
    return table


def _cells(candidate: Candidate) -> tuple[RenderableType, ...]:
    return (
        percent(candidate.win_probability),
        f"{number(candidate.expected_score, '.1f')} ± {candidate.score_standard_error:.2f}",
        f"{candidate.visits:,}",
        Text(candidate.reason or candidate.words, overflow="fold"),  # a reason names its move
    )
