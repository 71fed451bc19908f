"""What a Redis Cluster would need of us that the store has already: each game in one slot, whatever is done with it.

The service speaks to one primary. Here its own scripts and keys are used by the library's client for clusters, on three
primaries, so that nothing about how games are kept has to change for them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.cluster import ClusterNode, RedisCluster
from redis.crc import key_slot

from tests.sessions.samples import GENERATIONS, TTL, any_game_id
from tests.sessions.servers import Server, free_port
from whitehall.sessions import layout, redis_store
from whitehall.sessions.embedded import server_binary
from whitehall.sessions.store import Version, new_write_id

SLOTS = 16_384
GAMES = 60
PATIENCE_SECONDS = 30.0


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Any]:
    """A client of three primaries that share all slots."""
    ports = [(free_port(), free_port()) for _ in range(3)]
    servers = []
    for port, bus in ports:
        folder = tmp_path / str(port)
        folder.mkdir()
        place = ("--port", str(port), "--bind", "127.0.0.1", "--cluster-port", str(bus))
        servers.append(Server(server_binary(), folder, *place, "--cluster-enabled", "yes"))
        servers[-1].start()
    clients: list[Any] = [redis.Redis(port=port) for port, _ in ports]
    bounds = [0, SLOTS // 3, 2 * SLOTS // 3, SLOTS]
    for client, first, end in zip(clients, bounds, bounds[1:], strict=False):
        client.execute_command("CLUSTER ADDSLOTSRANGE", first, end - 1)
    for port, bus in ports[1:]:
        clients[0].execute_command("CLUSTER MEET", "127.0.0.1", port, bus)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while any(_state(client) != "ok" for client in clients):
        assert time.monotonic() < deadline, "no cluster"
        time.sleep(0.05)  # between two questions; what is waited for is the cluster's own word
    nodes = [ClusterNode("127.0.0.1", port) for port, _ in ports]  # type: ignore[no-untyped-call]
    with RedisCluster(startup_nodes=nodes) as client:
        yield client
    for each in clients:
        each.close()
    for server in servers:
        server.kill()


def _state(client: Any) -> str:
    return str(client.execute_command("CLUSTER INFO")["cluster_state"])


@pytest.mark.slow
def test_every_script_runs_wherever_its_game_is(cluster: Any) -> None:
    """Games are made, written, read and deleted on all three, with the scripts and arguments that the store uses."""
    scripts = {path.stem: path.read_text() for path in (Path(redis_store.__file__).parent / "lua").glob("*.lua")}
    loaded = {name: cluster.script_load(text) for name, text in scripts.items()}
    slots = set()
    for _ in range(GAMES):
        game_id = any_game_id()
        keys = (layout.game_key(game_id), layout.log_key(game_id))
        assert key_slot(keys[0]) == key_slot(keys[1])
        slots.add(key_slot(keys[0]) * 3 // SLOTS)

        def run(name: str, count: int, *arguments: bytes | int, keys: tuple[bytes, bytes] = keys) -> Any:
            return cluster.evalsha(loaded[name], count, *keys[:count], *arguments)

        first, second = Version(1, new_write_id()), Version(2, new_write_id())
        packed = layout.pack_generations(GENERATIONS)
        head = (layout.pack_version(first), b"start", packed, b"creation", TTL)
        assert run("create", 2, *head, b"created") == [b"created"]
        caller = (2, layout.pack_generation(0))
        write = (
            layout.pack_version(first),
            layout.pack_version(second),
            b"next",
            b"moved",
            TTL,
            *caller,
            b"",
            b"",
            b"",
            0,
        )
        assert run("write", 2, *write) == [b"accepted"]
        assert layout.unpack_stored(*run("read", 1)).version == second
        assert len(cluster.evalsha(loaded["read_log"], 1, keys[1], 0, -1)) == 2
        assert run("delete", 2, *caller) == [b"deleted"]
        assert cluster.exists(keys[0]) == cluster.exists(keys[1]) == 0
    assert slots == {0, 1, 2}, "each of the three had games"
