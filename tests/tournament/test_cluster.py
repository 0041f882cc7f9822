"""Tournaments on a cluster of several nodes, simulated on this machine: one of them is lost."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adamas import Client
from adamas_tournament.driver import Driver
from adamas_tournament.journal import create_journal
from adamas_tournament.progress import Progress
from adamas_tournament.records import GameRecord
from adamas_tournament.session import versions
from tests.tournament.configs import config_text
from tests.tournament.conftest import PlayTournament, Silent, planned

pytest.importorskip("ray")
pytestmark = [
    pytest.mark.slow,
    # Ray warns about its own coming versions, and leaves files to the collector.
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

TEXT = config_text(deals=20)


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A head that plays nothing; tests add the nodes that do."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    yield cluster
    cluster.shutdown()


class LosesNode(Silent):
    """Kills a node, and all that runs on it, after some games."""

    def __init__(self, cluster: Any, node: Any, after: int) -> None:
        super().__init__()
        self._cluster = cluster
        self._node = node
        self._after = after

    def game_finished(self, game: GameRecord, progress: Progress) -> None:
        if len(progress.finished) == self._after:
            self._cluster.remove_node(self._node, allow_graceful=False)


def test_a_lost_node_costs_only_its_running_games(
    cluster: Any, target: str, client: Client, tmp_path: Path, play_tournament: PlayTournament
) -> None:
    from adamas_tournament.cluster import RayExecutor

    cluster.add_node(num_cpus=1)
    doomed = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    text = TEXT.replace("[tournament]", f'[tournament]\nreferee = "{target}"', 1)
    config, plan = planned(text, client)
    progress = Progress(config, plan)
    watcher = LosesNode(cluster, doomed, after=6)
    with create_journal(tmp_path / "cluster.journal", text, plan) as journal:
        journal.begin_session(versions())
        executor = RayExecutor(config, plan, cluster.address)
        try:
            Driver(journal, progress, executor, watcher).run()
        finally:
            executor.close()
        played = list(journal.games())
    assert len(watcher.lost) == 1
    assert "node was lost" in watcher.lost[0]
    assert progress.over
    local = list(play_tournament(TEXT)[1].games())
    assert [(game.key, game.digest) for game in played] == [
        (game.key, game.digest) for game in local
    ]


def test_a_node_that_joins_later_plays_too(cluster: Any, target: str, client: Client) -> None:
    from adamas_tournament.cluster import RayExecutor

    config, plan = planned(config_text(deals=1, tournament=f'referee = "{target}"'), client)
    executor = RayExecutor(config, plan, cluster.address)
    try:
        assert executor.wait(0.1) == []
        assert executor.capacity == 0
        cluster.add_node(num_cpus=2)
        cluster.wait_for_nodes()
        for _ in range(600):
            executor.wait(0.1)
            if executor.capacity == 2:
                break
        assert executor.capacity == 2
    finally:
        executor.close()
