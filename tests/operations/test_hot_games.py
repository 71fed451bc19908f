"""Hot games on a cluster of three primaries: who follows is told of each move once and in its order, and each notice
goes by the one primary that has the game.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.operations.hot_games import PROCESSES, play
from tools.capacity.hot_games import MOST_SPECTATORS, Town, wishes
from tools.capacity.model import READS_PER_FOLLOWER

TOWN = Town(games=24, seconds_per_move=2, processes=PROCESSES, spectators=500, seconds=15)
"""The hottest game has some more who want to look on than two processes let."""


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_every_follower_of_a_hot_game_on_a_cluster_is_told_of_each_move_once_and_in_order(tmp_path: Path) -> None:
    run = await play(TOWN, tmp_path)
    assert run.moves > 100
    assert run.turned_away == sum(max(0, each - PROCESSES * MOST_SPECTATORS) for each in wishes(TOWN)) > 0
    for game in run.games:
        for follower in game.followers:
            assert [seen.revision for seen in follower.seen] == list(range(1, max(game.sent, default=1) + 1))
    assert run.told == sum(len(game.sent) * len(game.followers) for game in run.games)
    for node in run.nodes:
        assert node.notices == node.moves, "one for each move of a game that lies there"
        assert (node.channels, node.astray) == (node.games, 0)
        assert node.listeners == PROCESSES * node.games, "a process listens once, however many follow the game there"
        assert node.games > 0
    assert abs(run.replicas[0].followers - run.replicas[1].followers) <= TOWN.games
    scripts = sum(node.scripts for node in run.nodes)
    assert scripts <= 2 * run.moves + READS_PER_FOLLOWER * run.told, "what the model reckons with at most"
