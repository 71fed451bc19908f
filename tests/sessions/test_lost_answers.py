"""A write whose answer was lost is repeated by the store itself; it happens once and is answered as what it was."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.sessions.proxy import Proxy
from tests.sessions.samples import (
    FIRST_SEAT,
    GENERATIONS,
    HOST,
    TTL,
    a_game,
    a_rotation,
    a_write,
    accepted,
    any_game_id,
    any_request,
    entries,
    stored,
)
from tests.sessions.servers import Server
from whitehall.sessions.layout import game_key, log_key
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.store import (
    Accepted,
    Caller,
    Conflict,
    Created,
    Deleted,
    Duplicate,
    Missing,
    RequestReused,
    Version,
    new_write_id,
)


@pytest.fixture
async def proxy(shared_server: Server, tmp_path: Path) -> AsyncIterator[Proxy]:
    async with Proxy(shared_server.socket, tmp_path / "p") as proxy:
        yield proxy


@pytest.fixture
async def far_store(proxy: Proxy) -> AsyncIterator[RedisStore]:
    """A store behind the proxy."""
    store = await RedisStore.connect(proxy.url)
    yield store
    await store.close()


@pytest.mark.parametrize("lost", [1, 3])
async def test_a_write_is_accepted_and_logged_once(far_store: RedisStore, proxy: Proxy, lost: int) -> None:
    game_id, version = await a_game(far_store)
    write = a_write(game_id, version, request=any_request())
    proxy.answers_to_lose = lost
    assert await far_store.write(write) == Accepted(Version(2, write.write_id))
    assert proxy.answers_to_lose == 0
    assert await entries(far_store, game_id) == [b"created", b"entry 2"]


async def test_a_rotation_is_accepted_although_it_revoked_its_own_token(far_store: RedisStore, proxy: Proxy) -> None:
    game_id, version = await a_game(far_store)
    write = a_rotation(game_id, version, GENERATIONS, FIRST_SEAT)
    proxy.answers_to_lose = 1
    assert await far_store.write(write) == Accepted(Version(2, write.write_id))
    assert (await stored(far_store, game_id)).generations == (0, 0, 1, 0, 0, 0, 0, 0)


async def test_a_creation_is_created(far_store: RedisStore, proxy: Proxy) -> None:
    game_id, write_id = any_game_id(), new_write_id()
    proxy.answers_to_lose = 1
    created = await far_store.create(game_id, write_id, b"start", [b"a", b"b"], GENERATIONS, TTL, b"creation")
    assert created == Created(Version(2, write_id))
    assert await entries(far_store, game_id) == [b"a", b"b"]


async def test_a_deletion_is_deleted(far_store: RedisStore, proxy: Proxy) -> None:
    game_id, _ = await a_game(far_store)
    proxy.answers_to_lose = 1
    assert await far_store.delete(game_id, Caller(HOST, 0)) == Deleted()
    assert await far_store.delete(game_id, Caller(HOST, 0)) == Missing()


async def test_a_reading_is_read(far_store: RedisStore, proxy: Proxy) -> None:
    game_id, version = await a_game(far_store)
    proxy.answers_to_lose = 1
    assert (await stored(far_store, game_id)).version == version
    proxy.answers_to_lose = 1
    assert await entries(far_store, game_id) == [b"created"]


async def test_a_write_sent_again_after_others_is_still_accepted_as_the_revision_it_made(store: RedisStore) -> None:
    """As when an attempt lies in a network buffer for a while and reaches the server after its own repetition."""
    game_id, version = await a_game(store)
    write = a_write(game_id, version, request=any_request())
    version = await accepted(store, write)
    for seat in range(FIRST_SEAT + 1, FIRST_SEAT + 6):
        version = await accepted(store, a_write(game_id, version, caller=Caller(seat, 0)))
    assert await store.write(write) == Accepted(Version(2, write.write_id))
    assert (await stored(store, game_id)).version == version
    assert len(await entries(store, game_id)) == version.revision


async def test_a_write_sent_again_is_accepted_even_if_its_token_was_revoked_in_between(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    write = a_write(game_id, version)
    version = await accepted(store, write)
    reissue = a_write(game_id, version, caller=Caller(HOST, 0), generations=(0, 0, 1, 0, 0, 0, 0, 0))
    await accepted(store, reissue)
    assert await store.write(write) == Accepted(Version(2, write.write_id))


async def test_a_creation_sent_again_after_the_first_move_is_still_created(store: RedisStore) -> None:
    game_id, write_id = any_game_id(), new_write_id()
    creation = (game_id, write_id, b"start", [b"created"], GENERATIONS, TTL, b"creation")
    assert await store.create(*creation) == Created(Version(1, write_id))
    version = await accepted(store, a_write(game_id, Version(1, write_id)))
    assert await store.create(*creation) == Created(Version(1, write_id))
    assert (await stored(store, game_id)).version == version


async def test_a_retry_by_the_client_is_a_duplicate_and_another_move_under_its_name_is_refused(
    store: RedisStore,
) -> None:
    """The client never saw the answer and asks again through another replica, which makes a write of its own of it."""
    game_id, version = await a_game(store)
    request = any_request()
    await accepted(store, a_write(game_id, version, request=request))
    assert await store.write(a_write(game_id, version, request=request)) == Duplicate(2)
    other_move = type(request)(request.key, bytes(8))
    assert await store.write(a_write(game_id, version, request=other_move)) == RequestReused()
    assert isinstance(await store.write(a_write(game_id, version, request=any_request())), Conflict)
    assert await entries(store, game_id) == [b"created", b"entry 2"]


async def test_after_a_failover_a_lost_write_is_not_mistaken_for_the_one_that_took_its_revision(
    store: RedisStore, shared_server: Server
) -> None:
    """The replica that takes over had not yet got our write: its revision is given to somebody else's."""
    game_id, version = await a_game(store)
    keys = game_key(game_id), log_key(game_id)
    with shared_server.client() as client:
        replicated = [client.dump(key) for key in keys]
        ours = a_write(game_id, version, request=any_request())
        await accepted(store, ours)
        for key, value in zip(keys, replicated, strict=True):
            assert isinstance(value, bytes)
            client.restore(key, TTL * 1000, value, replace=True)
    theirs = a_write(game_id, version, caller=Caller(FIRST_SEAT + 1, 0), entry=b"theirs")
    await accepted(store, theirs)
    refused = await store.write(ours)
    assert isinstance(refused, Conflict)
    assert refused.stored.version == Version(2, theirs.write_id)
    again = a_write(game_id, refused.stored.version, request=ours.request, entry=b"ours")
    assert await accepted(store, again) == Version(3, again.write_id)
    assert await entries(store, game_id) == [b"created", b"theirs", b"ours"]


async def test_after_a_failover_a_lost_write_sent_again_is_carried_out_again(
    store: RedisStore, shared_server: Server
) -> None:
    game_id, version = await a_game(store)
    keys = game_key(game_id), log_key(game_id)
    with shared_server.client() as client:
        replicated = [client.dump(key) for key in keys]
        write = a_write(game_id, version, request=any_request())
        await accepted(store, write)
        for key, value in zip(keys, replicated, strict=True):
            assert isinstance(value, bytes)
            client.restore(key, TTL * 1000, value, replace=True)
    assert await accepted(store, write) == Version(2, write.write_id)
    assert await entries(store, game_id) == [b"created", b"entry 2"]
