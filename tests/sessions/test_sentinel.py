"""A store behind Sentinel: found by its name, and found again after a failover, whoever is the primary by then."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis

from tests.sessions.gate import Gate
from tests.sessions.samples import a_game, a_write, entries
from tests.sessions.servers import Server, free_port
from whitehall.sessions import leash, sentinel
from whitehall.sessions.embedded import server_binary
from whitehall.sessions.layout import log_key
from whitehall.sessions.redis_store import RedisStore, StoreUnsuitable
from whitehall.sessions.store import Accepted, StoreUnavailable, Version

FAILOVER_SECONDS = 30.0
"""It takes about two on a quiet machine."""


@dataclass
class Guarded:
    """A primary with its replica, and a sentinel that watches over them under the name `games`."""

    primary: Server
    replica: Server
    sentinel: int
    """Its port."""

    @property
    def url(self) -> str:
        """With a sentinel first that is not there."""
        return f"redis+sentinel://127.0.0.1:{free_port()},127.0.0.1:{self.sentinel}/games"


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Guarded]:
    ports = [free_port() for _ in range(3)]
    servers = []
    for name, port in zip(("primary", "replica"), ports, strict=False):
        (tmp_path / name).mkdir()
        settings = ("--port", str(port), "--bind", "127.0.0.1", "--repl-diskless-sync-delay", "0")
        servers.append(Server(server_binary(), tmp_path / name, *settings))
        servers[-1].start()
    primary, replica = servers
    with replica.client() as follower, primary.client() as client:
        follower.execute_command("REPLICAOF", "127.0.0.1", ports[0])
        _wait_until(lambda: client.execute_command("WAIT", 1, 100) == 1)
    config = tmp_path / "sentinel.conf"
    config.write_text(
        f"port {ports[2]}\nbind 127.0.0.1\ndir {tmp_path}\nlogfile {tmp_path}/sentinel.log\n"
        f"sentinel monitor games 127.0.0.1 {ports[0]} 1\n"
        "sentinel down-after-milliseconds games 300\nsentinel failover-timeout games 2000\n"
    )
    leashed = [sys.executable, "-I", "-S", leash.__file__, str(os.getpid())]
    watcher = subprocess.Popen([*leashed, str(server_binary()), str(config), "--sentinel"])
    with redis.Redis(port=ports[2]) as client:
        _wait_until(lambda: _knows_a_replica(client))
    yield Guarded(primary, replica, ports[2])
    watcher.kill()
    watcher.wait(10)
    for server in servers:
        server.kill()


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + FAILOVER_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)  # between two questions; what is waited for is the condition


def _knows_a_replica(client: redis.Redis) -> bool:
    try:
        return bool(client.execute_command("SENTINEL", "REPLICAS", "games"))  # type: ignore[no-untyped-call]
    except redis.RedisError:
        return False


@pytest.mark.slow
async def test_a_store_is_used_once_a_sentinel_that_was_silent_answers(guarded: Guarded) -> None:
    async with Gate(guarded.sentinel) as gate:
        store = RedisStore.at(f"redis+sentinel://127.0.0.1:{gate.port}/games")
        with pytest.raises(StoreUnavailable):
            await store.prove(0.5)
        assert gate.taken
        gate.open()
        await store.prove(10)
        await a_game(store)
        await store.close()


async def test_the_store_goes_on_with_the_new_primary_after_a_failover(guarded: Guarded) -> None:
    store = await RedisStore.connect(guarded.url)
    game_id, version = await a_game(store)
    async with store.subscribe(game_id) as subscription:
        assert await subscription.wait(5)
        with guarded.replica.client() as client:
            _wait_until(lambda: bool(client.exists(log_key(game_id))))
        guarded.primary.kill()
        write = a_write(game_id, version)
        # The same write may be asked for again: the store recognises none of it twice.
        assert await store.write(write, timeout=FAILOVER_SECONDS) == Accepted(Version(2, write.write_id))
        assert await entries(store, game_id) == [b"created", b"entry 2"]
        while not await subscription.wait(FAILOVER_SECONDS):
            pytest.fail("no notice from the new primary")
        await store.check()
    # The old primary comes back as what it is by now.
    guarded.primary.start()
    with guarded.primary.client() as client:
        _wait_until(lambda: client.info("replication")["role"] == "slave")
    write = a_write(game_id, Version(2, write.write_id))
    assert await store.write(write, timeout=FAILOVER_SECONDS) == Accepted(Version(3, write.write_id))
    await store.close()


async def test_a_name_that_the_sentinels_do_not_know_is_told(guarded: Guarded) -> None:
    url = guarded.url.replace("/games", "/gmaes")
    with pytest.raises(StoreUnavailable, match="can't be reached"):
        await RedisStore.connect(url, timeout=0.6)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis+sentinel://a:1/games", ((("a", 1),), "games", {"db": 0}, {})),
        ("redis+sentinel://a:1,[::1]:2/games/3", ((("a", 1), ("::1", 2)), "games", {"db": 3}, {})),
        (
            "redis+sentinel://me:p%40ss@a:1/games?sentinel_password=hid%2Fden",
            ((("a", 1),), "games", {"username": "me", "password": "p@ss", "db": 0}, {"password": "hid/den"}),
        ),
        (
            "rediss+sentinel://:word@a:1/games?ssl_check_hostname=false&ssl_ca_certs=/ca",
            (
                (("a", 1),),
                "games",
                {"password": "word", "db": 0, "ssl": True, "ssl_check_hostname": False, "ssl_ca_certs": "/ca"},
                {"ssl": True, "ssl_check_hostname": False, "ssl_ca_certs": "/ca"},
            ),
        ),
    ],
)
def test_a_url_of_sentinels_is_read(url: str, expected: object) -> None:
    assert tuple(sentinel.parse(url)) == expected


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel://a:1",
        "redis+sentinel://a/games",
        "redis+sentinel://a:0/games",
        "redis+sentinel://a:70000/games",
        "redis+sentinel://a:1,/games",
        "redis+sentinel://a:1/games/x",
        "redis+sentinel://a:1/games?foo=1",
        "redis+sentinel://a:1/games?ssl_ca_certs=/ca",
        "redis+sentinel://us er@a:1/games/0/1",
    ],
)
async def test_a_url_that_can_not_be_is_refused_without_being_told(url: str) -> None:
    with pytest.raises(ValueError, match=r"sentinel|hosts|option") as refusal:
        sentinel.parse(url)
    assert url not in str(refusal.value)
    with pytest.raises(StoreUnsuitable):
        await RedisStore.connect(url)
