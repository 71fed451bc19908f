"""What every store promises, tried on real servers: each result, the log, the request records and the lifetimes."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis.exceptions import ResponseError

from tests.sessions.samples import (
    FIRST_SEAT,
    GENERATIONS,
    HOST,
    SPECTATORS,
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
    Exists,
    LogEntry,
    Missing,
    RequestKey,
    RequestReused,
    Revoked,
    Stored,
    Version,
    new_write_id,
)


async def test_a_created_game_is_read_as_it_was_made(store: RedisStore) -> None:
    game_id, write_id = any_game_id(), new_write_id()
    created = await store.create(game_id, write_id, b"start", [b"created", b"started"], (0, 1, 2), TTL, b"creation")
    assert created == Created(Version(2, write_id))
    game = await stored(store, game_id)
    assert (game.version, game.snapshot, game.generations) == (Version(2, write_id), b"start", (0, 1, 2))
    assert await store.read_log(game_id, 1, 9) == [LogEntry(1, write_id, b"created"), LogEntry(2, write_id, b"started")]


async def test_a_game_is_created_once_and_a_repetition_is_told_from_another_creation(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    again = await store.create(game_id, new_write_id(), b"other", [b"other"], GENERATIONS, TTL, b"creation")
    other = await store.create(game_id, new_write_id(), b"other", [b"other"], GENERATIONS, TTL, b"CREATION")
    assert isinstance(again, Exists)
    assert isinstance(other, Exists)
    assert (again.same_body, other.same_body) == (True, False)
    assert (again.stored.version, again.stored.snapshot) == (version, b"start")
    assert await entries(store, game_id) == [b"created"]


async def test_an_unknown_game_is_missing_for_everybody(store: RedisStore) -> None:
    game_id = any_game_id()
    assert await store.read(game_id) is None
    assert await store.read_log(game_id, 1, 9) == []
    assert await store.write(a_write(game_id, Version(1, new_write_id()))) == Missing()
    assert await store.delete(game_id, Caller(HOST, 0)) == Missing()


async def test_an_accepted_write_is_the_next_revision_and_one_log_entry(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    write = a_write(game_id, version)
    assert await store.write(write) == Accepted(Version(2, write.write_id))
    game = await stored(store, game_id)
    assert (game.version, game.snapshot) == (Version(2, write.write_id), b"snapshot 2")
    assert game.generations == GENERATIONS
    assert await store.read_log(game_id, 2, 9) == [LogEntry(2, write.write_id, b"entry 2")]


async def test_of_two_writes_to_one_version_the_second_gets_the_current_game_and_succeeds_when_it_is_sent_again(
    store: RedisStore,
) -> None:
    game_id, version = await a_game(store)
    first, second = a_write(game_id, version, snapshot=b"first"), a_write(game_id, version, entry=b"second")
    assert await store.write(first) == Accepted(Version(2, first.write_id))
    refused = await store.write(second)
    assert isinstance(refused, Conflict)
    assert (refused.stored.version, refused.stored.snapshot) == (Version(2, first.write_id), b"first")
    await accepted(store, a_write(game_id, refused.stored.version, entry=b"second"))
    assert await entries(store, game_id) == [b"created", b"entry 2", b"second"]


async def test_an_equal_revision_with_another_write_id_is_a_conflict(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    assert isinstance(await store.write(a_write(game_id, Version(version.revision, new_write_id()))), Conflict)
    assert await entries(store, game_id) == [b"created"]


@pytest.mark.parametrize("caller", [Caller(FIRST_SEAT, 1), Caller(SPECTATORS, 7), Caller(len(GENERATIONS), 0)])
async def test_a_token_of_another_generation_or_of_nobody_writes_nothing(store: RedisStore, caller: Caller) -> None:
    game_id, version = await a_game(store)
    refused = await store.write(a_write(game_id, version, caller=caller))
    assert isinstance(refused, Revoked)
    assert (refused.stored.version, refused.stored.generations) == (version, GENERATIONS)
    assert await entries(store, game_id) == [b"created"]


async def test_a_rotation_revokes_the_old_token_of_that_seat_alone(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    version = await accepted(store, a_rotation(game_id, version, GENERATIONS, FIRST_SEAT))
    assert (await stored(store, game_id)).generations == (0, 0, 1, 0, 0, 0, 0, 0)
    assert isinstance(await store.write(a_write(game_id, version)), Revoked)
    version = await accepted(store, a_write(game_id, version, caller=Caller(FIRST_SEAT, 1)))
    await accepted(store, a_write(game_id, version, caller=Caller(FIRST_SEAT + 1, 0)))


async def test_a_request_is_carried_out_once_however_many_writes_came_since(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    request = any_request()
    version = await accepted(store, a_write(game_id, version, request=request))
    for _ in range(3):
        version = await accepted(store, a_write(game_id, version, caller=Caller(FIRST_SEAT + 1, 0)))
    assert await store.write(a_write(game_id, version, request=request)) == Duplicate(2)
    assert await store.write(a_write(game_id, Version(2, new_write_id()), request=request)) == Duplicate(2)
    assert len(await entries(store, game_id)) == version.revision


async def test_a_request_with_another_body_is_refused(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    request = any_request()
    version = await accepted(store, a_write(game_id, version, request=request))
    other = RequestKey(request.key, bytes(8))
    assert await store.write(a_write(game_id, version, request=other)) == RequestReused()


async def test_requests_of_different_seats_do_not_meet(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    request = any_request()
    for seat in range(FIRST_SEAT, FIRST_SEAT + 6):
        version = await accepted(store, a_write(game_id, version, caller=Caller(seat, 0), request=request))
    assert version.revision == 7


async def test_the_last_8_requests_of_a_seat_are_known_and_older_ones_forgotten(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    requests = [any_request() for _ in range(9)]
    for request in requests:
        version = await accepted(store, a_write(game_id, version, request=request))
    for revision, request in list(enumerate(requests, 2))[1:]:
        assert await store.write(a_write(game_id, version, request=request)) == Duplicate(revision)
    await accepted(store, a_write(game_id, version, request=requests[0]))


async def test_a_request_is_recalled_without_a_write(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    request = any_request()
    assert await store.recall(game_id, FIRST_SEAT, request) is None
    version = await accepted(store, a_write(game_id, version, request=request))
    for _ in range(7):
        version = await accepted(store, a_write(game_id, version, request=any_request()))
    assert await store.recall(game_id, FIRST_SEAT, request) == Duplicate(2)
    assert await store.recall(game_id, FIRST_SEAT, RequestKey(request.key, bytes(8))) == RequestReused()
    assert await store.recall(game_id, FIRST_SEAT + 1, request) is None
    assert await store.recall(any_game_id(), FIRST_SEAT, request) is None
    await accepted(store, a_write(game_id, version, request=any_request()))
    assert await store.recall(game_id, FIRST_SEAT, request) is None


async def test_a_refused_write_leaves_its_request_unused(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    request = any_request()
    current = await accepted(store, a_write(game_id, version))
    assert isinstance(await store.write(a_write(game_id, version, request=request)), Conflict)
    stranger = Caller(FIRST_SEAT, 1)
    assert isinstance(await store.write(a_write(game_id, current, request=request, caller=stranger)), Revoked)
    await accepted(store, a_write(game_id, current, request=request))


async def test_a_seat_that_repeats_its_rotation_is_recognised_by_its_old_token(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    request = any_request()
    version = await accepted(store, a_rotation(game_id, version, GENERATIONS, FIRST_SEAT, request=request))
    retry = a_rotation(game_id, version, GENERATIONS, FIRST_SEAT, request=request)
    assert await store.write(retry) == Duplicate(2)


async def test_a_revoked_token_learns_nothing_about_other_requests(store: RedisStore) -> None:
    """Only the very same rotation is answered; for a move, or with another body, the token is simply revoked."""
    game_id, version = await a_game(store)
    request = any_request()
    version = await accepted(store, a_rotation(game_id, version, GENERATIONS, FIRST_SEAT, request=request))
    assert isinstance(await store.write(a_write(game_id, version, request=request)), Revoked)
    other_body = RequestKey(request.key, bytes(8))
    retry = a_rotation(game_id, version, GENERATIONS, FIRST_SEAT, request=other_body)
    assert isinstance(await store.write(retry), Revoked)


async def test_the_log_is_read_in_parts(store: RedisStore) -> None:
    game_id, version = await a_game(store)
    for _ in range(9):
        version = await accepted(store, a_write(game_id, version))
    assert [entry.revision for entry in await store.read_log(game_id, 4, 3)] == [4, 5, 6]
    assert [entry.entry for entry in await store.read_log(game_id, 9, 100)] == [b"entry 9", b"entry 10"]
    assert await store.read_log(game_id, 11, 5) == []
    assert await store.read_log(game_id, 1, 0) == []


async def test_a_deleted_game_leaves_nothing(store: RedisStore, shared_server: Server) -> None:
    game_id, _ = await a_game(store)
    refused = await store.delete(game_id, Caller(HOST, 1))
    assert isinstance(refused, Revoked)
    assert await store.delete(game_id, Caller(HOST, 0)) == Deleted()
    assert await store.delete(game_id, Caller(HOST, 0)) == Missing()
    with shared_server.client() as client:
        assert client.exists(game_key(game_id), log_key(game_id)) == 0


async def test_both_keys_of_a_game_always_expire_and_together(store: RedisStore, shared_server: Server) -> None:
    game_id, version = await a_game(store)

    def check(longest: int) -> None:
        with shared_server.client() as client:
            lifetimes = [client.pttl(key) / 1000 for key in (game_key(game_id), log_key(game_id))]
        assert all(longest - 10 < lifetime <= longest for lifetime in lifetimes)
        assert abs(lifetimes[0] - lifetimes[1]) < 1

    check(TTL)
    request = any_request()
    version = await accepted(store, a_write(game_id, version, ttl=2000, request=request))
    check(2000)
    assert await store.write(a_write(game_id, version, ttl=9000, request=request)) == Duplicate(2)
    check(2000)
    assert isinstance(await store.write(a_write(game_id, Version(1, new_write_id()), ttl=9000)), Conflict)
    check(2000)
    version = await accepted(store, a_rotation(game_id, version, GENERATIONS, FIRST_SEAT, ttl=3000))
    check(3000)
    await accepted(store, a_write(game_id, version, ttl=100, caller=Caller(FIRST_SEAT, 1)))
    check(100)
    told = (await stored(store, game_id)).expires_ms
    with shared_server.client() as client:
        assert told == client.pexpiretime(game_key(game_id)), "and it is told as it is, whenever it is asked for"
    await store.create(game_id, new_write_id(), b"", [b""], GENERATIONS, 9000, b"creation")
    check(100)


async def test_an_expired_game_is_missing(store: RedisStore, shared_server: Server) -> None:
    game_id, version = await a_game(store)
    with shared_server.client() as client:
        for key in (game_key(game_id), log_key(game_id)):
            client.pexpire(key, 1)
        while client.exists(game_key(game_id), log_key(game_id)):
            pass
    assert await store.read(game_id) is None
    assert await store.read_log(game_id, 1, 9) == []
    assert await store.write(a_write(game_id, version)) == Missing()


async def test_all_who_ask_get_the_same_secret(store: RedisStore, shared_server: Server) -> None:
    other = await RedisStore.connect(shared_server.url)
    name = any_game_id()
    made = [await each.secret(name, new_write_id) for each in (store, other, store)]
    await other.close()
    assert len(made[0]) == 8
    assert made == [made[0]] * 3


async def test_all_who_ask_for_a_secret_at_once_get_the_same_one(store: RedisStore, shared_server: Server) -> None:
    """As replicas do that start together on a fresh store."""
    other = await RedisStore.connect(shared_server.url)
    name = any_game_id()
    made = await asyncio.gather(*(each.secret(name, new_write_id) for each in 4 * (store, other)))
    await other.close()
    assert len(made[0]) == 8
    assert made == [made[0]] * 8


async def test_a_known_secret_is_not_made_again(store: RedisStore) -> None:
    name = any_game_id()

    def never() -> bytes:
        raise AssertionError

    await store.secret(name, lambda: b"first")
    assert await store.secret(name, never) == b"first"


async def test_the_check_passes_on_a_store_that_takes_writes(store: RedisStore) -> None:
    await store.check()


async def test_scripts_that_the_server_forgot_are_sent_again(store: RedisStore, shared_server: Server) -> None:
    game_id, version = await a_game(store)
    with shared_server.client() as client:
        client.script_flush()
    version = await accepted(store, a_write(game_id, version))
    with shared_server.client() as client:
        client.script_flush()
    assert (await stored(store, game_id)).version == version


async def test_a_fault_of_ours_is_raised_and_not_repeated(store: RedisStore, shared_server: Server) -> None:
    game_id = any_game_id()
    with shared_server.client() as client:
        client.set(game_key(game_id), "not a game", ex=60)
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await store.read(game_id)


async def test_a_game_whose_log_was_taken_away_is_not_written_to(store: RedisStore, shared_server: Server) -> None:
    game_id, version = await a_game(store)
    with shared_server.client() as client:
        client.delete(log_key(game_id))
    with pytest.raises(ResponseError, match="CORRUPT"):
        await store.write(a_write(game_id, version))


def test_what_a_game_hides_does_not_show_in_its_values() -> None:
    write = a_write("game", Version(1, bytes(8)), snapshot=b"HIDDEN", entry=b"HIDDEN")
    game = Stored(Version(1, bytes(8)), b"HIDDEN", (0,), 1000)
    assert "HIDDEN" not in f"{write} {game} {Conflict(game)} {LogEntry(1, bytes(8), b'HIDDEN')}"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    snapshot=st.binary(max_size=9000),
    born=st.lists(st.binary(max_size=300), min_size=1, max_size=5),
    entry=st.binary(max_size=9000),
    generations=st.lists(st.integers(0, 2**32 - 1), min_size=3, max_size=8).map(tuple),
    key=st.binary(min_size=8, max_size=8),
)
async def test_bytes_of_any_content_come_back(
    store: RedisStore, snapshot: bytes, born: list[bytes], entry: bytes, generations: tuple[int, ...], key: bytes
) -> None:
    game_id = any_game_id()
    created = await store.create(game_id, key, snapshot, born, generations, TTL, key)
    assert created == Created(Version(len(born), key))
    request, caller = RequestKey(key, key), Caller(FIRST_SEAT, generations[FIRST_SEAT])
    write = a_write(
        game_id,
        created.version,
        snapshot=entry,
        entry=snapshot,
        caller=caller,
        request=request,
        generations=generations,
    )
    version = await accepted(store, write)
    game = await stored(store, game_id)
    assert (game.version, game.snapshot, game.generations) == (version, entry, generations)
    assert await entries(store, game_id) == [*born, snapshot]
    assert await store.write(a_write(game_id, version, caller=caller, request=request)) == Duplicate(len(born) + 1)
