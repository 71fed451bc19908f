"""The model: what so many games at such a pace need, if the load is spread evenly."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from tools.capacity.costs import Costs

LOAD = 0.6
"""How much of a core may be used: more, and calls wait for each other."""
STORE_LOAD = 0.5
"""Of a store's core: it answers one command after another, and has to catch up after a failover."""
STORE_BYTES = 24 * 2**30
"""What one primary may hold: it has to be copied to its replica in reasonable time."""
OVERHEAD = 1.5
"""What a server needs beside the games themselves: fragmentation, buffers of replicas, rewriting its log."""

MOVES_PER_GAME = 127
"""Of a long game of five detectives, the one that was measured."""
DAY_SECONDS = 86_400

READS_PER_FOLLOWER = 2
"""The game, and its newest entries."""


@dataclass(frozen=True)
class Load:
    """Games in play at one moment."""

    games: int
    seconds_per_move: float
    """From one move of a game to the next, on average."""
    followers: float
    """Streams of each game: its players, and spectators."""

    ended_days: float = 7
    """How long a game is kept after its end: `ended_ttl_days`."""

    @property
    def moves(self) -> float:
        """A second."""
        return self.games / self.seconds_per_move

    @property
    def kept(self) -> float:
        """Games in the store: those that are played, and those that were."""
        return self.games * (1 + self.ended_days * DAY_SECONDS / (MOVES_PER_GAME * self.seconds_per_move))


@dataclass(frozen=True)
class Needs:
    """What a load needs."""

    cores: int
    """For the service."""
    memory: float
    """Bytes of the service, one process for each core."""
    store_commands: float
    """A second."""
    primaries_for_commands: int
    """So that no store's core is used for more than it should be."""
    primaries_for_memory: int
    """So that each holds no more than it should."""
    store_memory: float
    """Bytes, overhead included, without replicas."""


def needs(load: Load, costs: Costs) -> Needs:
    """Each move is asked for, played, and told to each follower."""
    reads = 1 + READS_PER_FOLLOWER * load.followers
    store = costs.store_write + reads * costs.store_read
    everything = costs.play + costs.legal_moves + load.followers * costs.follow
    cores = ceil(load.moves * (everything - store) / 1e6 / LOAD)
    memory = load.kept * costs.game_bytes * OVERHEAD
    return Needs(
        cores=cores,
        memory=cores * costs.process_bytes,
        store_commands=load.moves * (1 + reads),
        primaries_for_commands=ceil(load.moves * store / 1e6 / STORE_LOAD),
        primaries_for_memory=ceil(memory / STORE_BYTES),
        store_memory=memory,
    )
