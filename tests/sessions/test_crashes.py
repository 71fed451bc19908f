"""The server is killed in the middle of writes: what was accepted is there once, what was not is there at most once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import uvloop

from tests.sessions.samples import a_game, a_write
from tests.sessions.servers import Server, free_port
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.store import Accepted, Conflict, StoreUnavailable, Version

WRITERS = 12
CRASHES = 3


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_every_accepted_write_survives_a_kill_exactly_once(
    program: Path, tmp_path: Path, run: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    port = free_port()
    server = Server(program, tmp_path, "--port", str(port), "--bind", "127.0.0.1")
    server.start()
    try:
        run(_write_and_crash(server, f"redis://127.0.0.1:{port}"))
    finally:
        server.kill()


async def _write_and_crash(server: Server, url: str) -> None:
    store = await RedisStore.connect(url)
    stopping = asyncio.Event()
    accepted: asyncio.Queue[None] = asyncio.Queue()

    async def writer() -> tuple[str, dict[int, bytes], set[bytes]]:
        """Writes to a game of its own; returns what was accepted as which revision, and what is in doubt."""
        game_id, version = await a_game(store)
        sure: dict[int, bytes] = {}
        doubtful: set[bytes] = set()
        while not stopping.is_set():
            write = a_write(game_id, version)
            try:
                result = await store.write(write, timeout=0.05)
            except StoreUnavailable:
                doubtful.add(write.write_id)
                continue
            match result:
                case Accepted(version):
                    sure[version.revision] = write.write_id
                    accepted.put_nowait(None)
                case Conflict(stored):
                    # Nobody else writes here: it was one of ours whose answer we never got.
                    assert stored.version.write_id in doubtful
                    version = stored.version
                case other:
                    raise AssertionError(other)
        return game_id, sure, doubtful

    writers = [asyncio.create_task(writer()) for _ in range(WRITERS)]
    for _ in range(CRASHES):
        for _ in range(300):
            await accepted.get()
        server.kill()
        server.start()
    for _ in range(200):
        await accepted.get()
    stopping.set()
    for game_id, sure, doubtful in await asyncio.gather(*writers):
        log = (await store.read_log(game_id, 1, 1_000_000))[1:]
        names = [entry.write_id for entry in log]
        assert len(names) == len(set(names))
        assert {revision: log[revision - 2].write_id for revision in sure} == sure
        assert set(names) - set(sure.values()) <= doubtful
        found = await store.read(game_id)
        assert found is not None
        assert found.version == Version(len(log) + 1, names[-1])
    await store.close()
