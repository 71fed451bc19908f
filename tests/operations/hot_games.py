"""Hot games on a cluster: what `tools/capacity/hot_games.py` simulates, played on three primaries by two replicas."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import grpc
from redis.crc import key_slot

from tests.api.table import Table, Yard
from tests.bench import games
from tests.bench.calls import Question, WatchCall, bearing, unary, watching
from tests.bench.machine import cpu_seconds
from tests.bench.matches import as_dealt, question
from tests.faults.service import Replica
from tests.operations.follower import Follower, Sighting
from tests.sessions.clusters import Cluster, Node
from tools.capacity.hot_games import PLAYERS, Town, moves, wishes
from whitehall.games.scotland_yard import edition
from whitehall.games.scotland_yard.wire import wire
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2
from whitehall.sessions.embedded import server_binary
from whitehall.sessions.layout import game_key

PROCESSES = 2
CONNECTIONS = 4
"""To each replica. One carries only so many streams."""
OPTIONS = edition.resolve(games.PRESET, PLAYERS)
PATIENCE_SECONDS = 60.0


class HotGame:
    """A game, all its moves to come, and those who follow it."""

    def __init__(self, table: Table, to_come: Sequence[Question]) -> None:
        self.id = table.game_id
        self.key = game_key(self.id)
        self.seats = table.seats
        self.spectators = table.spectator
        self.followers: list[Follower] = []
        self.turned_away = 0
        self.sent: dict[int, float] = {}
        """By revision, when the move was sent that made it."""
        self._to_come = iter(to_come)
        self._turn = asyncio.Lock()

    async def move(self, channel: grpc.aio.Channel) -> None:
        """Ask what is legal, and play the next move: one at a time, as people do."""
        async with self._turn:
            metadata, request = next(self._to_come)
            asked = service_pb2.ListLegalMovesRequest(game_id=self.id).SerializeToString()
            sent = time.perf_counter()
            await unary(channel, wire.service, "ListLegalMoves")(asked, metadata=metadata)
            answer = await unary(channel, wire.service, "PlayMove")(request, metadata=metadata)
            self.sent[service_pb2.PlayMoveResponse.FromString(answer).update.revision.revision] = sent


class NodeSeen(NamedTuple):
    """One primary of the cluster, over the run."""

    games: int
    """That lie there."""
    moves: int
    """Of these games, by our own account."""
    notices: int
    """That it was given to pass on."""
    channels: int
    """Of these games, that are listened to there."""
    astray: int
    """Channels that are listened to there, of games that lie elsewhere."""
    listeners: int
    """To all channels."""
    scripts: int
    """Reads and writes of games."""
    cpu: float
    """Share of a core."""


class ReplicaSeen(NamedTuple):
    """One process of the service, over the run."""

    followers: int
    told: int
    """How often a follower of it was told of a move."""
    cpu: float
    """Share of a core."""


@dataclass(frozen=True)
class Run:
    """What came of it."""

    town: Town
    games: Sequence[HotGame]
    nodes: Sequence[NodeSeen]
    replicas: Sequence[ReplicaSeen]
    turned_away: int
    seconds: float

    @property
    def delays(self) -> list[float]:
        """Seconds from sending a move to each follower's hearing of it."""
        return [at - game.sent[revision] for game, revision, at in self._tellings()]

    @property
    def told(self) -> int:
        """How often a follower was told of a move."""
        return len(self._tellings())

    @property
    def moves(self) -> int:
        """That were played."""
        return sum(len(game.sent) for game in self.games)

    def _tellings(self) -> list[tuple[HotGame, int, float]]:
        return [(game, *seen) for game in self.games for each in game.followers for seen in of_moves(game, each)]


def of_moves(game: HotGame, follower: Follower) -> list[Sighting]:
    """What a follower was told but for what was there when it came."""
    return [seen for seen in follower.seen if seen.revision in game.sent]


async def play(town: Town, folder: Path, seed: int = 1983) -> Run:
    """Play all games of a town, each move at its moment, on servers and replicas of our own."""
    assert town.processes == PROCESSES
    random = Random(seed)
    async with _site(folder) as (cluster, replicas), AsyncExitStack() as stack:
        lines = [[await stack.enter_async_context(_line(each)) for _ in range(CONNECTIONS)] for each in replicas]
        moments = list(moves(town, random))
        expected = [sum(game == number for _, game in moments) for number in range(town.games)]
        hot = [await _game(Yard(lines[0][0]), random, number) for number in expected]
        homes = await _let_in(hot, town, lines)
        stack.push_async_callback(_dismiss, hot)
        before = [_account(node) for node in cluster.nodes]
        used = [_used(replicas), _used_by_nodes(cluster)]
        began = time.perf_counter()
        async with asyncio.TaskGroup() as playing:
            for moment, number in moments:
                await asyncio.sleep(began + moment - time.perf_counter())
                playing.create_task(hot[number].move(random.choice(random.choice(lines))))
        async with asyncio.timeout(PATIENCE_SECONDS):
            for game in hot:
                await asyncio.gather(*(each.reach(max(game.sent, default=1)) for each in game.followers))
        seconds = time.perf_counter() - began
        spent = [now - then for now, then in zip(_used(replicas), used[0], strict=True)]
        spent_by_nodes = [now - then for now, then in zip(_used_by_nodes(cluster), used[1], strict=True)]
        nodes = [
            _node_seen(node, cluster, hot, account, cpu / seconds)
            for node, account, cpu in zip(cluster.nodes, before, spent_by_nodes, strict=True)
        ]
        served = [
            ReplicaSeen(len(home), sum(len(of_moves(game, each)) for game, each in home), cpu / seconds)
            for home, cpu in zip(homes, spent, strict=True)
        ]
        return Run(town, hot, nodes, served, sum(game.turned_away for game in hot), seconds)


@asynccontextmanager
async def _site(folder: Path) -> AsyncIterator[tuple[Cluster, list[Replica]]]:
    cluster = await asyncio.to_thread(Cluster, server_binary(), folder)
    # Streams last longer than the run.
    settings = {"stream_minutes": "60", "heartbeat_seconds": "60", "log_level": "warning"}
    replicas = [Replica(folder / f"replica{number}", cluster.url, 1, **settings) for number in range(PROCESSES)]
    try:
        await asyncio.gather(*(replica.start() for replica in replicas))
        yield cluster, replicas
    finally:
        for replica in replicas:
            await asyncio.to_thread(replica.stop)
        cluster.kill()


def _line(replica: Replica) -> grpc.aio.Channel:
    return grpc.aio.insecure_channel(replica.address, options=[("grpc.use_local_subchannel_pool", 1)])


async def _game(yard: Yard, random: Random, number: int) -> HotGame:
    """A game that is not over after so many moves."""
    while True:
        table = await yard.table(PLAYERS, preset=games.PRESET, allow_spectators=True)
        state = as_dealt(OPTIONS, (await table.get(table.mr_x)).view)
        to_come = [
            (bearing(table.seats[seat]), question(table.game_id, move))
            for _, seat, move, _ in games.play(state, random, keeps_doubles=True)
        ]
        if len(to_come) > number:
            return HotGame(table, to_come)


async def _let_in(
    hot: Sequence[HotGame], town: Town, lines: Sequence[Sequence[grpc.aio.Channel]]
) -> list[list[tuple[HotGame, Follower]]]:
    """Each game gets its followers, dealt out to the replicas in turn; by replica, who has found a place there."""
    homes: list[list[tuple[HotGame, Follower]]] = [[] for _ in lines]
    watches: list[cycle[WatchCall]] = [
        cycle([watching(line, wire.service, "WatchGame") for line in each]) for each in lines
    ]
    for game, spectators in zip(hot, wishes(town), strict=True):
        tokens = [*game.seats, *[game.spectators] * spectators]
        for number, token in enumerate(tokens):
            home = number % len(homes)
            follower = Follower(next(watches[home]), game.id, token)
            if await follower.is_let_in():
                game.followers.append(follower)
                homes[home].append((game, follower))
            else:
                game.turned_away += 1
    return homes


async def _dismiss(hot: Sequence[HotGame]) -> None:
    for game in hot:
        for follower in game.followers:
            await follower.leave()


def _account(node: Node) -> tuple[int, int]:
    """How many notices a server was given, and how many scripts it has run."""
    told: Any = node.ask("INFO", "commandstats")
    notices, scripts = (int(told.get(f"cmdstat_{name}", {"calls": 0})["calls"]) for name in ("spublish", "evalsha"))
    return notices, scripts


def _node_seen(node: Node, cluster: Cluster, hot: Sequence[HotGame], before: tuple[int, int], cpu: float) -> NodeSeen:
    here = {game.key: game for game in hot if cluster.owner(key_slot(game.key)) is node}
    channels = {bytes(each) for each in node.ask("PUBSUB", "SHARDCHANNELS")}
    listeners = node.ask("PUBSUB", "SHARDNUMSUB", *channels)[1::2] if channels else []
    notices, scripts = (now - then for now, then in zip(_account(node), before, strict=True))
    return NodeSeen(
        games=len(here),
        moves=sum(len(game.sent) for game in here.values()),
        notices=notices,
        channels=len(channels & here.keys()),
        astray=len(channels - here.keys()),
        listeners=sum(map(int, listeners)),
        scripts=scripts,
        cpu=cpu,
    )


def _used(replicas: Sequence[Replica]) -> list[float]:
    return [cpu_seconds([replica.pid]) for replica in replicas]


def _used_by_nodes(cluster: Cluster) -> list[float]:
    return [cpu_seconds([node.server.pid]) for node in cluster.nodes]
