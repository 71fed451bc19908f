"""Writes at the same moment: exactly one wins, nobody is lost, nobody is doubled."""

from __future__ import annotations

import asyncio

from tests.sessions.samples import FIRST_SEAT, GENERATIONS, a_game, a_rotation, a_write, accepted, entries, stored
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.store import Accepted, Conflict, Revoked, Version, WriteResult

ROUNDS = 200
SEATS = range(FIRST_SEAT, FIRST_SEAT + 6)


async def test_of_six_moves_at_once_exactly_one_is_accepted(store: RedisStore) -> None:
    for _ in range(ROUNDS):
        game_id, version = await a_game(store)
        results = await asyncio.gather(*(store.write(a_write(game_id, version)) for _ in SEATS))
        won = [result for result in results if isinstance(result, Accepted)]
        lost = [result for result in results if isinstance(result, Conflict)]
        assert (len(won), len(lost)) == (1, 5)
        assert {result.stored.version for result in lost} == {won[0].version}
        assert await entries(store, game_id) == [b"created", b"entry 2"]


async def test_six_claims_at_once_for_six_seats_all_succeed_in_the_end(store: RedisStore) -> None:
    async def claim(game_id: str, seat: int, version: Version) -> None:
        generations: tuple[int, ...] = GENERATIONS
        while True:
            result = await store.write(a_rotation(game_id, version, generations, seat, entry=b"claim %d" % seat))
            if isinstance(result, Accepted):
                return
            assert isinstance(result, Conflict)
            version, generations = result.stored.version, result.stored.generations

    for _ in range(ROUNDS):
        game_id, version = await a_game(store)
        await asyncio.gather(*(claim(game_id, seat, version) for seat in SEATS))
        game = await stored(store, game_id)
        assert game.generations == (0, 0, 1, 1, 1, 1, 1, 1)
        assert game.version.revision == 7
        assert sorted(await entries(store, game_id)) == sorted([b"created", *(b"claim %d" % seat for seat in SEATS)])


async def test_of_two_claims_for_one_seat_the_second_is_refused_even_when_it_tries_again(store: RedisStore) -> None:
    for _ in range(ROUNDS):
        game_id, version = await a_game(store)

        async def claim(game_id: str = game_id, version: Version = version) -> WriteResult:
            result = await store.write(a_rotation(game_id, version, GENERATIONS, FIRST_SEAT))
            if isinstance(result, Conflict):
                return await store.write(a_rotation(game_id, result.stored.version, GENERATIONS, FIRST_SEAT))
            return result

        results = await asyncio.gather(claim(), claim())
        assert sorted(type(result).__name__ for result in results) == ["Accepted", "Revoked"]
        assert any(isinstance(result, Revoked) for result in results)
        assert (await stored(store, game_id)).generations == (0, 0, 1, 0, 0, 0, 0, 0)


async def test_many_writers_of_one_game_leave_a_log_without_gaps(store: RedisStore) -> None:
    game_id, first = await a_game(store)

    async def writer(name: int) -> None:
        version = first
        for count in range(20):
            while True:
                result = await store.write(a_write(game_id, version, entry=b"%d %d" % (name, count)))
                if isinstance(result, Accepted):
                    version = result.version
                    break
                assert isinstance(result, Conflict)
                version = result.stored.version

    await asyncio.gather(*map(writer, range(6)))
    written = (await entries(store, game_id))[1:]
    assert sorted(written) == sorted(b"%d %d" % (name, count) for name in range(6) for count in range(20))
    for name in range(6):
        own = [entry for entry in written if entry.startswith(b"%d " % name)]
        assert own == [b"%d %d" % (name, count) for count in range(20)]
    await accepted(store, a_write(game_id, (await stored(store, game_id)).version))
