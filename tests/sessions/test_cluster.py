"""A store on a cluster: games are wherever their slot is, follow it when it moves, and go on when a primary dies."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from redis.crc import key_slot

from tests.api.live import until
from tests.sessions.clusters import PRIMARIES, Cluster, Migration, wait_until
from tests.sessions.samples import a_game, a_write, accepted, entries, stored
from tests.sessions.servers import Server, free_port
from whitehall.sessions import cluster_url
from whitehall.sessions.durability import Durability
from whitehall.sessions.embedded import server_binary
from whitehall.sessions.layout import game_key, log_key
from whitehall.sessions.redis_store import RedisStore, StoreUnsuitable
from whitehall.sessions.store import Accepted, StoreUnavailable, Version
from whitehall.telemetry.log import configure

FAILOVER_SECONDS = 60.0
"""It takes about two on a quiet machine."""


@pytest.fixture(params=["valkey", "redis"])
def cluster(
    request: pytest.FixtureRequest, external_program: Callable[[str], Path], tmp_path: Path
) -> Iterator[Cluster]:
    """Three primaries without replicas, each of which goes on alone."""
    program = server_binary() if request.param == "valkey" else external_program("redis-server")
    cluster = Cluster(program, tmp_path, "--cluster-require-full-coverage", "no")
    yield cluster
    cluster.kill()


@asynccontextmanager
async def connected(url: str, durability: str = "memory", timeout: float = 10) -> AsyncIterator[RedisStore]:
    store = await RedisStore.connect(url, durability, timeout=timeout)
    yield store
    await store.close()


async def is_well(store: RedisStore, game_id: str) -> bool:
    """Whether the store says that it is, and has the game."""
    with suppress(StoreUnavailable):
        await store.check()
        return await store.read(game_id, timeout=0.2) is not None
    return False


async def one_game_on_each(store: RedisStore, cluster: Cluster) -> dict[int, tuple[str, Version]]:
    """By the primary's place among the three."""
    games: dict[int, tuple[str, Version]] = {}
    while len(games) < PRIMARIES:
        game_id, version = await a_game(store)
        games[cluster.primaries.index(cluster.owner(key_slot(game_key(game_id))))] = (game_id, version)
    return games


def migration_of(cluster: Cluster, game_id: str) -> Migration:
    """A game's slot sets out for the next primary."""
    slot = key_slot(game_key(game_id))
    source = cluster.owner(slot)
    return Migration(slot, source, cluster.primaries[cluster.primaries.index(source) - 1])


@pytest.mark.slow
async def test_a_game_goes_on_while_its_slot_moves_and_is_waited_for_where_it_is_torn(cluster: Cluster) -> None:
    """Another process, which has not been told of anything, plays on, and watchers hear of it."""
    async with connected(cluster.url) as store, connected(cluster.url) as other:
        game_id, version = await a_game(store)
        async with store.subscribe(game_id) as subscription:
            assert await subscription.wait(5)
            migration = migration_of(cluster, game_id)
            version = await accepted(other, a_write(game_id, version))
            assert await subscription.wait(5), "the keys and the notices are still at the source"

            migration.take(log_key(game_id))
            write = a_write(game_id, version)
            with pytest.raises(StoreUnavailable, match="moving data"):
                await other.write(write, timeout=0.3)
            migration.take(game_key(game_id))
            assert await other.write(write) == Accepted(Version(3, write.write_id)), "the source sends us on"
            assert (await stored(store, game_id)).version == Version(3, write.write_id)

            migration.end()
            assert await subscription.wait(10), "the slot's new owner has confirmed the channel"
            version = await accepted(other, a_write(game_id, Version(3, write.write_id)))
            while (await stored(store, game_id)).version != version:
                assert await subscription.wait(10)
            await subscription.wait(0.2)  # any notice that is still on its way
            version = await accepted(other, a_write(game_id, version))
            assert await subscription.wait(10), "notices come from where the game is"
        assert await entries(store, game_id) == [b"created", *(b"entry %d" % revision for revision in range(2, 6))]
        with cluster.client() as client:
            assert migration.target.ask("EXISTS", game_key(game_id), log_key(game_id)) == 2
            assert client.llen(log_key(game_id)) == 5


@pytest.mark.slow
async def test_a_durable_write_is_confirmed_where_a_slot_has_been_taken_to(cluster: Cluster) -> None:
    """The WAIT behind a write goes the same way as the write: no replica is there, and nothing pretends that one is."""
    async with connected(cluster.url, "replica") as unready:
        with pytest.raises(StoreUnavailable):
            await unready.check()
    async with connected(cluster.url) as store:
        game_id, version = await a_game(store)
        migration = migration_of(cluster, game_id)
        for key in (log_key(game_id), game_key(game_id)):
            migration.take(key)
        strict = RedisStore(store._servers, Durability.REPLICA, store.traffic)
        with pytest.raises(StoreUnavailable, match="no replica has confirmed"):
            await strict.write(a_write(game_id, version), timeout=0.4)
        assert (await stored(store, game_id)).version.revision == 2, "the primary alone has it"


@pytest.mark.slow
async def test_a_primary_that_is_down_takes_only_its_own_games_along(cluster: Cluster) -> None:
    async with connected(cluster.url) as store:
        games = await one_game_on_each(store, cluster)
        cluster.primaries[0].server.kill()
        lost, version = games.pop(0)
        with pytest.raises(StoreUnavailable):
            await store.write(a_write(lost, version), timeout=0.5)
        for game_id, version in games.values():
            await accepted(store, a_write(game_id, version))
        for _ in range(5):
            await store.check()
        cluster.primaries[0].server.start()
        await asyncio.to_thread(wait_until, cluster.is_whole)
        version = (await stored(store, lost)).version
        await accepted(store, a_write(lost, version))


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["kill", "pause"])
async def test_who_starts_while_a_primary_is_away_serves_the_games_of_the_others(cluster: Cluster, fault: str) -> None:
    """As those do who started earlier. The games of the one that is away wait for it to show that it suits."""
    async with connected(cluster.url) as running:
        games = await one_game_on_each(running, cluster)
    away = cluster.primaries[0].server
    getattr(away, fault)()
    lost, version = games.pop(0)
    async with connected(cluster.url, timeout=1) as store:
        for _ in range(5):
            await store.check()
        for game_id, of_another in games.values():
            await accepted(store, a_write(game_id, of_another))
        with pytest.raises(StoreUnavailable, match="without a complete cluster"):
            await store.read(lost, timeout=0.2)
        (away.resume if fault == "pause" else away.start)()
        await until(lambda: is_well(store, lost))
        await accepted(store, a_write(lost, version))


@pytest.mark.slow
async def test_a_primary_that_comes_late_and_does_not_suit_is_not_used_until_that_is_mended(
    cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    configure("json", "info")
    late, log = cluster.primaries[0], ""

    def told(words: str) -> int:
        nonlocal log
        log += capsys.readouterr().err
        return log.count(words)

    async with connected(cluster.url) as running:
        games = await one_game_on_each(running, cluster)
        late.server.kill()
        async with connected(cluster.url, timeout=1) as store:
            assert told(f'"127.0.0.1:{late.port}": "Connection refused"') == 1
            late.server.start("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")

            async def is_refused() -> int:
                assert await is_well(store, games[1][0]), "the others go on"
                return told("maxmemory-policy is allkeys-lru")

            await until(is_refused)
            await until(lambda: is_well(running, games[0][0]))
            for _ in range(5):
                assert not await is_well(store, games[0][0])
                assert await is_refused()
            late.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
            await until(lambda: is_well(store, games[0][0]))
            assert told("maxmemory-policy is allkeys-lru") == told("all primaries have shown") == 1


@pytest.mark.slow
async def test_with_all_primaries_down_the_store_is_unavailable_and_comes_back(cluster: Cluster) -> None:
    async with connected(cluster.url) as store:
        games = await one_game_on_each(store, cluster)
        async with store.subscribe(games[1][0]) as subscription:
            assert await subscription.wait(5)
            for node in cluster.primaries:
                node.server.kill()
            with pytest.raises(StoreUnavailable):
                await store.check()
            with pytest.raises(StoreUnavailable):
                await store.read(games[0][0], timeout=0.5)
            for node in cluster.primaries:
                node.server.start()
            await asyncio.to_thread(wait_until, cluster.is_whole)
            assert await subscription.wait(10), "the channel is confirmed anew"
            for game_id, version in games.values():
                await accepted(store, a_write(game_id, version))
            assert await subscription.wait(10)
            await store.check()


@pytest.mark.slow
async def test_after_a_failover_every_accepted_write_is_there_and_notices_go_on(tmp_path: Path) -> None:
    cluster = Cluster(server_binary(), tmp_path, replicas=True)
    try:
        async with connected(cluster.url, "replica") as store:
            games = await one_game_on_each(store, cluster)
            game_id, version = games.pop(0)
            async with store.subscribe(game_id) as subscription:
                assert await subscription.wait(5)
                version = await accepted(store, a_write(game_id, version))
                assert await subscription.wait(5)
                cluster.primaries[0].server.kill()
                write = a_write(game_id, version)
                # The same write may be asked for again: the store recognises none of it twice. Its only replica is the
                # primary by then, so nobody is left to confirm it until the old one is back.
                writing = asyncio.create_task(store.write(write, timeout=FAILOVER_SECONDS))
                promoted = cluster.nodes[PRIMARIES]
                await asyncio.to_thread(wait_until, lambda: promoted.ask("ROLE")[0] == b"master")
                cluster.primaries[0].server.start()
                assert await writing == Accepted(Version(3, write.write_id))
                assert await subscription.wait(FAILOVER_SECONDS)
                assert await entries(store, game_id) == [b"created", b"entry 2", b"entry 3"]
            for game_id, version in games.values():
                await accepted(store, a_write(game_id, version))
    finally:
        cluster.kill()


@pytest.mark.slow
async def test_the_least_permissions_that_operators_are_told_of_are_enough_for_a_cluster(cluster: Cluster) -> None:
    """Also where a game is on its way; and a node that does not know the user is named as the fault."""
    guide = (Path(__file__).parents[2] / "deploy" / "README.md").read_text()
    (rules,) = re.findall(r"^user games (.+)$", guide, re.MULTILINE)
    (password,) = re.findall(r" >(\S+)", rules)
    url = cluster.url.replace("://", f"://games:{password}@")
    for node in cluster.primaries[:-1]:
        node.ask("ACL", "SETUSER", "games", *rules.split())
    with pytest.raises(StoreUnsuitable, match="credentials"):
        await RedisStore.connect(url)
    cluster.primaries[-1].ask("ACL", "SETUSER", "games", *rules.split())
    async with connected(url) as store:
        game_id, version = await a_game(store)
        async with store.subscribe(game_id) as subscription:
            assert await subscription.wait(5)
            migration = migration_of(cluster, game_id)
            for key in (log_key(game_id), game_key(game_id)):
                migration.take(key)
            version = await accepted(store, a_write(game_id, version))
            migration.end()
            assert await subscription.wait(10)
            await accepted(store, a_write(game_id, version))


@pytest.mark.slow
async def test_a_node_of_a_cluster_is_not_taken_for_a_store_nor_a_store_for_a_cluster(
    cluster: Cluster, tmp_path: Path
) -> None:
    with pytest.raises(StoreUnsuitable, match=r"redis\+cluster://"):
        await RedisStore.connect(f"redis://127.0.0.1:{cluster.primaries[0].port}")
    port = free_port()
    (tmp_path / "alone").mkdir()
    server = Server(server_binary(), tmp_path / "alone", "--port", str(port), "--bind", "127.0.0.1")
    server.start()
    with pytest.raises(StoreUnsuitable, match="not one of a cluster"):
        await RedisStore.connect(f"redis+cluster://127.0.0.1:{port}")
    server.kill()


async def test_a_cluster_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable, match="can't be reached"):
        await RedisStore.connect(f"redis+cluster://127.0.0.1:{free_port()},127.0.0.1:{free_port()}", timeout=0.3)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis+cluster://a:1", ((("a", 1),), {}, {})),
        ("redis+cluster://a:1,[::1]:2/0", ((("a", 1), ("::1", 2)), {}, {})),
        ("redis+cluster://me:p%40ss@a:1/", ((("a", 1),), {"username": "me", "password": "p@ss"}, {})),
        (
            "rediss+cluster://:word@a:1?ssl_check_hostname=false&ssl_ca_certs=/ca",
            ((("a", 1),), {"password": "word"}, {"ssl": True, "ssl_check_hostname": False, "ssl_ca_certs": "/ca"}),
        ),
    ],
)
def test_a_url_of_a_cluster_is_read(url: str, expected: object) -> None:
    place = cluster_url.parse(url)
    assert (place.addresses, place.credentials, place.tls) == expected


@pytest.mark.parametrize(
    "url",
    [
        "redis+cluster://a",
        "redis+cluster://a:0",
        "redis+cluster://a:1,",
        "redis+cluster://a:1/1",
        "redis+cluster://a:1/games",
        "redis+cluster://a:1?foo=1",
        "redis+cluster://a:1?ssl_ca_certs=/ca",
        "redis+cluster://us er@a:1/0/1",
    ],
)
async def test_a_url_of_a_cluster_that_can_not_be_is_refused_without_being_told(url: str) -> None:
    with pytest.raises(ValueError, match=r"cluster|hosts|option") as refusal:
        cluster_url.parse(url)
    assert url not in str(refusal.value)
    with pytest.raises(StoreUnsuitable):
        await RedisStore.connect(url)
