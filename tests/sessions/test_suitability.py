"""Which servers are taken as a store, and what happens when a good one falls on bad days."""

from __future__ import annotations

import asyncio
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.sessions.proxy import Proxy
from tests.sessions.samples import HOST, a_game, a_write, accepted, stored
from tests.sessions.servers import Server
from whitehall.sessions.redis_store import RedisStore, StoreUnsuitable
from whitehall.sessions.rehearsal import rehearse
from whitehall.sessions.store import Caller, Deleted, StoreUnavailable
from whitehall.telemetry.log import configure


@contextmanager
def setting(server: Server, name: str, value: str) -> Iterator[None]:
    """A server's setting, changed for a while."""
    with server.client() as client:
        before = client.config_get(name)[name]
        client.config_set(name, value)
        try:
            yield
        finally:
            client.config_set(name, before)


async def test_durability_aof_needs_a_server_that_writes_before_it_answers(server: Server) -> None:
    for name, value in [("appendfsync", "everysec"), ("appendonly", "no")]:
        with (
            setting(server, "appendfsync", "always"),
            setting(server, name, value),
            pytest.raises(StoreUnsuitable, match="appendfsync always"),
        ):
            await RedisStore.connect(server.url, "aof")
    with setting(server, "appendfsync", "always"):
        store = await RedisStore.connect(server.url, "aof")
        await a_game(store)
        await store.close()


async def test_durability_process_needs_a_server_that_writes_its_log_before_it_answers(server: Server) -> None:
    for name, value in [("appendfsync", "everysec"), ("appendonly", "no")]:
        with setting(server, name, value), pytest.raises(StoreUnsuitable, match="appendfsync always or no"):
            await RedisStore.connect(server.url, "process")
    for value in ("no", "always"):
        with setting(server, "appendfsync", value):
            await (await RedisStore.connect(server.url, "process")).close()


async def test_durability_aof_is_refused_where_it_can_not_be_verified(server: Server) -> None:
    with server.client() as client:
        client.execute_command("ACL", "SETUSER", "default", "-config")
    with pytest.raises(StoreUnsuitable, match="can't be verified"):
        await RedisStore.connect(server.url, "aof")


async def test_a_primary_without_a_replica_is_taken_and_named_and_takes_no_writes(
    shared_server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """Replicas come and go; whoever starts while none is there is not ready, rather than not there."""
    configure("json", "info")
    store = await RedisStore.connect(shared_server.url, "replica")
    told = capsys.readouterr().err
    assert "a primary has no replica" in told
    assert str(shared_server.socket) in told
    with pytest.raises(StoreUnavailable):
        await store.check()
    assert await store.read("any") is None
    await store.close()


async def test_the_server_that_does_not_suit_is_named(server: Server) -> None:
    with setting(server, "appendonly", "no"), pytest.raises(StoreUnsuitable, match=re.escape(str(server.socket))):
        await RedisStore.connect(server.url, "aof")


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl", "volatile-lfu", "allkeys-random"])
async def test_a_server_that_makes_room_by_dropping_keys_is_refused(server: Server, policy: str) -> None:
    """Every game has a time to live, so the volatile policies would drop games as well."""
    with setting(server, "maxmemory-policy", policy):
        await (await RedisStore.connect(server.url)).close()  # without a limit nothing is ever dropped
        with setting(server, "maxmemory", "100mb"), pytest.raises(StoreUnsuitable, match=policy):
            await RedisStore.connect(server.url)
    with setting(server, "maxmemory", "100mb"):
        await (await RedisStore.connect(server.url)).close()


async def test_a_server_that_hides_its_settings_is_taken(server: Server) -> None:
    with server.client() as client:
        client.execute_command("ACL", "SETUSER", "default", "-config")
    await (await RedisStore.connect(server.url)).close()


async def test_no_more_calls_are_under_way_than_there_are_connections(shared_server: Server) -> None:
    store = await RedisStore.connect(shared_server.url, connections=2)
    await asyncio.gather(*(store.check() for _ in range(8)))
    with shared_server.client() as client:
        ours = [each for each in client.client_list() if each["id"] != str(client.client_id())]
    await store.close()
    assert 1 <= sum(each["cmd"] in ("set", "SET") for each in ours) <= 2


async def test_an_unknown_durability_is_refused() -> None:
    with pytest.raises(ValueError, match="eternal"):
        await RedisStore.connect("redis://127.0.0.1", "eternal")


@pytest.mark.parametrize(
    "url",
    [
        "http://:swordfish@127.0.0.1",
        "redis://:swordfish@127.0.0.1?foo=1",
        "redis://:swordfish@127.0.0.1?max_connections=x",
        "redis://:swordfish@127.0.0.1?socket_timeout=abc",
        "redis://:swordfish@127.0.0.1?db=x",
        "rediss://:swordfish@127.0.0.1?ssl_cert_reqs=x",
        "redis://:swordfish@127.0.0.1:x",
    ],
)
async def test_a_url_that_can_not_be_used_is_refused_without_being_told(url: str) -> None:
    with pytest.raises(StoreUnsuitable, match="URL") as refusal:
        await RedisStore.connect(url)
    assert "swordfish" not in described(refusal.value)


def described(error: BaseException) -> str:
    """All that a traceback would tell of it."""
    return "".join(traceback.format_exception(error))


async def test_a_database_that_is_not_there_is_named_as_the_fault(server: Server) -> None:
    with pytest.raises(StoreUnsuitable, match="no database of that number"):
        await RedisStore.connect(f"{server.url}?db=99")


async def test_a_server_that_speaks_another_protocol_is_refused(tmp_path: Path) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_unix_server(answer, tmp_path / "web"):
        with pytest.raises(StoreUnsuitable, match="protocol of Redis"):
            await RedisStore.connect(f"unix://:swordfish@{tmp_path}/web", timeout=1)


async def test_a_server_that_does_not_know_a_command_is_refused_without_telling_the_arguments(
    shared_server: Server, tmp_path: Path
) -> None:
    """Servers repeat the arguments of an unknown command, and those of the greeting are user and password."""
    refused = b"-ERR unknown command 'HELLO', with args beginning with: '3' 'AUTH' 'default' 'swordfish'\r\n"
    async with Proxy(shared_server.socket, tmp_path / "p") as proxy:
        proxy.change = lambda _: refused
        with pytest.raises(StoreUnsuitable, match="command hello") as refusal:
            await RedisStore.connect(proxy.url, timeout=1)
    assert "swordfish" not in str(refusal.value)


COMMANDS = {
    *("get", "set", "evalsha", "info", "script|load", "ssubscribe"),
    *("hmget", "hget", "hset", "del", "rpush", "llen", "lindex", "lrange", "spublish"),
    *("expire", "pexpireat", "pexpiretime"),
}
"""What a store has to permit."""


def restrict(server: Server, *rules: str) -> None:
    with server.client() as client:
        client.execute_command("ACL", "SETUSER", "default", *rules)


@pytest.mark.parametrize("command", sorted(COMMANDS - {"get"}))
async def test_a_server_that_does_not_permit_a_command_is_refused_by_the_commands_name(
    server: Server, command: str
) -> None:
    restrict(server, f"-{command}")
    with pytest.raises(StoreUnsuitable, match=rf"does not permit what we need.*\b{re.escape(command)}\b"):
        await RedisStore.connect(server.url)


@pytest.mark.parametrize(
    ("rules", "lack"), [(("resetkeys", "~other:*"), "lacks keys"), (("resetchannels",), "lacks channels")]
)
async def test_a_server_that_does_not_permit_our_keys_or_channels_is_refused(
    server: Server, rules: tuple[str, ...], lack: str
) -> None:
    restrict(server, *rules)
    with pytest.raises(StoreUnsuitable, match=lack):
        await RedisStore.connect(server.url)


@pytest.mark.parametrize("command", sorted(COMMANDS - {"info", "script|load"}))
async def test_a_permission_that_is_taken_away_later_makes_the_store_unavailable(server: Server, command: str) -> None:
    store = await RedisStore.connect(server.url)
    restrict(server, f"-{command}")

    async def use() -> None:
        await store.secret(command, lambda: b"secret", timeout=0.1)
        await rehearse(store, 0.1)

    with pytest.raises(StoreUnavailable, match="does not permit what we need"):
        await use()
    await store.close()


async def test_the_least_permissions_that_operators_are_told_of_are_enough(server: Server) -> None:
    guide = (Path(__file__).parents[2] / "deploy" / "README.md").read_text()
    (rules,) = re.findall(r"^user games (.+)$", guide, re.MULTILINE)
    with server.client() as client:
        client.execute_command("ACL", "SETUSER", "games", *rules.split())
    (password,) = re.findall(r" >(\S+)", rules)
    store = await RedisStore.connect(server.url.replace("unix://", f"unix://games:{password}@"))
    await store.secret("key", lambda: b"secret")
    await rehearse(store, 1)
    with server.client() as client:
        assert not client.keys("wh:{*")
    await store.close()


async def test_a_server_older_than_7_is_refused(shared_server: Server, tmp_path: Path) -> None:
    async with Proxy(shared_server.socket, tmp_path / "p") as proxy:
        proxy.change = lambda answer: answer.replace(b"redis_version:7.", b"redis_version:6.")
        with pytest.raises(StoreUnsuitable, match=r"Redis 7\.0 or newer"):
            await RedisStore.connect(proxy.url)


async def test_wrong_credentials_are_named_but_not_shown(server: Server) -> None:
    with server.client() as client:
        client.config_set("requirepass", "swordfish")
    with pytest.raises(StoreUnsuitable, match="credentials") as refusal:
        await RedisStore.connect(server.url.replace("unix://", "unix://:herring@"))
    assert "herring" not in str(refusal.value)
    store = await RedisStore.connect(server.url.replace("unix://", "unix://:swordfish@"))
    await a_game(store)
    await store.close()


async def test_a_server_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="can't be reached"):
        await RedisStore.connect(f"unix://{tmp_path}/nobody", timeout=0.2)


async def test_a_primary_without_its_replicas_takes_no_writes_but_can_be_read(server: Server) -> None:
    store = await RedisStore.connect(server.url)
    game_id, version = await a_game(store)
    with setting(server, "min-replicas-to-write", "1"):
        with pytest.raises(StoreUnavailable, match="without enough replicas"):
            await store.write(a_write(game_id, version), timeout=0.1)
        with pytest.raises(StoreUnavailable, match="without enough replicas"):
            await store.check()
        assert (await stored(store, game_id)).version == version
        assert len(await store.read_log(game_id, 1, 9)) == 1
    await accepted(store, a_write(game_id, version))
    await store.close()


async def test_a_store_without_memory_takes_no_writes_but_can_be_read_and_emptied(server: Server) -> None:
    store = await RedisStore.connect(server.url)
    game_id, version = await a_game(store)
    with setting(server, "maxmemory", "1"):
        with pytest.raises(StoreUnavailable, match="out of memory"):
            await store.write(a_write(game_id, version), timeout=0.1)
        assert (await stored(store, game_id)).version == version
        assert await store.delete(game_id, Caller(HOST, 0)) == Deleted()
    await store.check()
    await store.close()


async def test_a_store_that_is_busy_with_a_script_is_waited_for(server: Server) -> None:
    store = await RedisStore.connect(server.url)
    game_id, version = await a_game(store)
    with setting(server, "busy-reply-threshold", "1"), server.client() as client:
        connection = client.connection_pool.get_connection()
        connection.send_command("EVAL", "while true do end", 0)
        with pytest.raises(StoreUnavailable, match=r"busy with a script|did not answer in time"):
            await store.write(a_write(game_id, version), timeout=0.3)
        client.script_kill()
        await accepted(store, a_write(game_id, version))
        connection.disconnect()
        client.connection_pool.release(connection)
    await store.close()
