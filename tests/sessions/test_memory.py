"""How much of the store's memory a game takes."""

from __future__ import annotations

import secrets

from tests.sessions.samples import FIRST_SEAT, a_game, a_write, accepted, any_request
from tests.sessions.servers import Server
from whitehall.sessions.layout import game_key, log_key
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.store import Caller


async def test_a_finished_game_of_six_seats_takes_about_8_kib(store: RedisStore, shared_server: Server) -> None:
    """140 writes, and full request records for every seat: more than a game of 24 rounds needs."""
    game_id, version = await a_game(store)
    for number in range(139):
        write = a_write(
            game_id,
            version,
            snapshot=secrets.token_bytes(900),
            entry=secrets.token_bytes(35),
            caller=Caller(FIRST_SEAT + number % 6, 0),
            request=any_request(),
        )
        version = await accepted(store, write)
    with shared_server.client() as client:
        used = [client.memory_usage(key, samples=0) for key in (game_key(game_id), log_key(game_id))]
        allocator = client.info("memory")["mem_allocator"]
    payload = 900 + 140 * (35 + 8) + 6 * 8 * 15
    # A game's own bytes are 7,640 of these; the allocator rounds up, and a server with its own settings keeps the hash
    # as a table.
    assert sum(used) <= (8 * 1024 if allocator == "libc" else 9.5 * 1024), (allocator, used, payload)
