"""The store that the service brings along: it keeps what it has, belongs to one service, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Coroutine
from pathlib import Path, PurePath
from typing import Any

import pytest
import uvloop

from tests.sessions.samples import a_game, a_write, accepted, entries, stored
from whitehall.sessions.embedded import EmbeddedError, EmbeddedValkey, server_binary, server_settings
from whitehall.sessions.redis_store import RedisStore, StoreUnsuitable

OWNER = textwrap.dedent("""
    import asyncio, sys
    from pathlib import Path, PurePath
    from whitehall.sessions.embedded import EmbeddedValkey

    async def main():
        async with EmbeddedValkey(Path(sys.argv[1])) as valkey:
            print(valkey.pid, flush=True)
            await asyncio.Event().wait()

    asyncio.run(main())
""")


def runs(pid: int) -> bool:
    """Whether a process is there and is more than an entry that waits for its parent."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def access(path: PurePath) -> int:
    """Who may do what with a file."""
    return Path(path).stat().st_mode & 0o777


def exists(path: PurePath) -> bool:
    return Path(path).exists()


def read(path: PurePath) -> bytes:
    return Path(path).read_bytes()


def start_owner(data_dir: Path) -> tuple[subprocess.Popen[bytes], int]:
    """Another process with an embedded server, and that server's process number."""
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(data_dir)], stdout=subprocess.PIPE)
    assert owner.stdout is not None
    with owner.stdout as output:
        return owner, int(output.readline())


def start_orphan(data_dir: Path) -> subprocess.Popen[bytes]:
    """A server that holds its lock, but has no service."""
    lock = os.open(data_dir / "server.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    command = [str(server_binary()), *server_settings(data_dir, data_dir / "valkey.sock")]
    orphan = subprocess.Popen(command, pass_fds=[lock])
    os.close(lock)
    return orphan


async def _restarted(data_dir: Path) -> None:
    async with EmbeddedValkey(data_dir) as valkey:
        store = await RedisStore.connect(valkey.url)
        game_id, version = await a_game(store)
        version = await accepted(store, a_write(game_id, version))
        await store.close()
        pid = valkey.pid
    assert pid is not None
    assert not runs(pid)
    async with EmbeddedValkey(data_dir) as valkey:
        store = await RedisStore.connect(valkey.url)
        assert (await stored(store, game_id)).version == version
        assert await entries(store, game_id) == [b"created", b"entry 2"]
        await store.close()


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_a_restart_keeps_everything_and_leaves_no_process(
    tmp_path: Path, run: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    run(_restarted(tmp_path / "data"))


async def test_a_killed_server_is_started_again_with_everything_it_had_answered(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path) as valkey:
        store = await RedisStore.connect(valkey.url)
        game_id, version = await a_game(store)
        for _ in range(2):
            version = await accepted(store, a_write(game_id, version))
            assert valkey.pid is not None
            os.kill(valkey.pid, signal.SIGKILL)
            assert (await store.read(game_id, timeout=5)) is not None
        assert await entries(store, game_id) == [b"created", b"entry 2", b"entry 3"]
        await store.close()


async def test_a_second_service_is_refused_the_folder_and_gets_it_when_the_first_one_is_gone(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path) as first:
        with pytest.raises(EmbeddedError, match=f"in use by another service \\(process {os.getpid()}\\)"):
            await EmbeddedValkey(tmp_path).start()
        store = await RedisStore.connect(first.url)
        await store.check()
        await store.close()
    async with EmbeddedValkey(tmp_path) as second:
        assert second.pid is not None


async def test_the_server_of_a_killed_service_ends_and_its_data_go_to_the_next_one(tmp_path: Path) -> None:
    owner, pid = start_owner(tmp_path)
    store = await RedisStore.connect(f"unix://{tmp_path}/valkey.sock")
    game_id, version = await a_game(store)
    await store.close()
    owner.kill()
    owner.wait(10)
    async with EmbeddedValkey(tmp_path) as valkey:
        assert valkey.pid != pid
        assert not runs(pid)
        store = await RedisStore.connect(valkey.url)
        assert (await stored(store, game_id)).version == version
        await store.close()


async def test_a_server_that_has_outlived_its_service_is_replaced_without_loss(tmp_path: Path) -> None:
    """As on systems that can't end a process with its parent."""
    orphan = start_orphan(tmp_path)
    store = await RedisStore.connect(f"unix://{tmp_path}/valkey.sock")
    game_id, version = await a_game(store)
    await store.close()
    async with EmbeddedValkey(tmp_path) as valkey:
        assert orphan.wait(10) == 0
        store = await RedisStore.connect(valkey.url)
        assert (await stored(store, game_id)).version == version
        await store.close()


@pytest.mark.parametrize("temporary", ["a short path", "a long path, too"])
async def test_a_folder_with_a_long_path_gets_its_socket_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, temporary: str
) -> None:
    data_dir = tmp_path / ("long" * 30)
    if temporary != "a short path":
        monkeypatch.setattr(tempfile, "tempdir", str(data_dir))
    async with EmbeddedValkey(data_dir) as valkey:
        socket = PurePath(valkey.url.removeprefix("unix://"))
        assert len(os.fsencode(socket)) < 100
        assert access(socket.parent) == 0o700
        assert access(socket) & 0o077 == 0
        with pytest.raises(EmbeddedError, match="in use"):
            await EmbeddedValkey(data_dir).start()
    assert not exists(socket.parent)


async def test_nobody_else_can_look_into_its_files(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path / "a" / "b") as valkey:
        store = await RedisStore.connect(valkey.url)
        await a_game(store)
        await store.close()
        assert access(tmp_path / "a" / "b") == 0o700
        for path in (tmp_path / "a" / "b").rglob("*"):
            assert access(path) & 0o077 == 0, path


async def test_it_gives_durability_aof_when_told_to_write_before_each_answer(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path, fsync_always=True) as valkey:
        store = await RedisStore.connect(valkey.url, "aof")
        await a_game(store)
        await store.close()
    async with EmbeddedValkey(tmp_path) as valkey:
        with pytest.raises(StoreUnsuitable):
            await RedisStore.connect(valkey.url, "aof")


@pytest.mark.parametrize(
    ("place", "trouble"),
    [
        ("file", "has to be a folder"),
        ("file/below", "the data_dir: Not a directory"),
        ("x" * 300, "File name too long"),
    ],
)
async def test_a_folder_that_can_not_be_had_is_named_with_its_setting(tmp_path: Path, place: str, trouble: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match=trouble) as refusal:
        await EmbeddedValkey(tmp_path / place).start()
    assert str(tmp_path / place) in str(refusal.value)


async def test_damaged_data_stop_the_start_with_a_hint(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path) as valkey:
        store = await RedisStore.connect(valkey.url)
        await a_game(store)
        await store.close()
    manifest = tmp_path / "appendonlydir" / "appendonly.aof.manifest"
    manifest.write_text("nonsense")
    with pytest.raises(EmbeddedError, match=r"see .*valkey\.log"):
        await EmbeddedValkey(tmp_path).start()
    # The folder was given back.
    with pytest.raises(EmbeddedError, match=r"valkey\.log"):
        await EmbeddedValkey(tmp_path).start()


async def test_its_server_learns_nothing_of_the_services_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a process was started with can be read for as long as it lives, and settings hold passwords."""
    monkeypatch.setenv("WHITEHALL_OPERATOR_KEYS", "main:swordfish-swordfish")
    monkeypatch.setenv("SOMEBODY_ELSES_PASSWORD", "swordfish")
    async with EmbeddedValkey(tmp_path) as valkey:
        environment = read(PurePath(f"/proc/{valkey.pid}/environ"))
    assert b"swordfish" not in environment
    names = {entry.partition(b"=")[0] for entry in environment.split(b"\0") if entry}
    assert names <= {b"LD_LIBRARY_PATH", b"LC_CTYPE"}
