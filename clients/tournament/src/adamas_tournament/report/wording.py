"""The report's first sentences: what was found, in words."""

from adamas_tournament.progress import Progress
from adamas_tournament.statistics.sequential import Verdict
from adamas_tournament.statistics.summary import Summary


def headlines(progress: Progress, summary: Summary) -> list[str]:
    """What people want to know first."""
    return [_best(summary), *_answers(progress)]


def _best(summary: Summary) -> str:
    names = [entrant.name for entrant in summary.entrants]
    best = summary.ranked[0]
    number = names.index(best.name)
    beaten: list[str] = []
    open_: list[str] = []
    for pair in summary.pairs:
        if number in {pair.first, pair.second}:
            other = names[pair.second if pair.first == number else pair.first]
            ahead = pair.ahead.mean if pair.first == number else 1 - pair.ahead.mean
            (beaten if pair.significant and ahead > 0.5 else open_).append(other)
    text = f"{best.name} has the best rating."
    if beaten:
        text += f" It is ahead of {_list(beaten)} beyond luck."
    if open_:
        text += f" Against {_list(open_)} the games don't tell who is stronger."
    return text


def _answers(progress: Progress) -> list[str]:
    names = progress.config.names
    stop = progress.config.stop
    if stop is None:
        return []
    sentences = []
    for (first, second), comparison in progress.rule.comparisons.items():
        pair = f"{names[first]} > {names[second]}"
        sure = f"{100 * stop.confidence:g}%"
        match comparison.verdict:
            case Verdict.FIRST:
                text = f"{pair} is known at {sure}, after {comparison.deals} deals."
            case Verdict.SECOND:
                text = (
                    f"{pair} is wrong: {names[second]} is the stronger one, "
                    f"known at {sure} after {comparison.deals} deals."
                )
            case Verdict.OPEN:
                text = f"Whether {pair} is open after {comparison.deals} deals."
        sentences.append(text)
    return sentences


def _list(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
