"""What the faults happen to: replicas of the service that come back at the same address, and the store behind them."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import redis.asyncio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from whitehall.sessions import leash
from whitehall.sessions.embedded import EmbeddedValkey, server_settings

READY_SECONDS = 30.0
"""How long a process may take until it is ready; two busy cores may start several at once."""
STOP_SECONDS = 30.0
"""How long it may take to end in good order."""
_POLL_SECONDS = 0.02
_PORTS = range(20_000, 32_000)
"""Below those of outgoing connections, one of which could else take the port of a replica that is down."""
_SETTINGS: Mapping[str, str] = {
    # Streams end after three seconds, so that watchers come back by their cursors all the time.
    "stream-minutes": "0.05",
    "heartbeat-seconds": "0.5",
    "drain-seconds": "0",
}
_SIGNS_OF_A_FAULT = (
    '"event": "fault"',
    '"logger": "asyncio"',
    "Traceback",
    "does not start",
    # gRPC says so when it notices a fork, after which its handlers may crash the copy.
    "fork_posix",
)


class _Mortal(ABC):
    """A process that can be killed and started again any number of times. It does not outlive the tests."""

    def __init__(self, command: Sequence[str], log: Path) -> None:
        self.log = log
        self._command = [sys.executable, "-I", "-S", leash.__file__, str(os.getpid()), *command]
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Start it, and wait until it is ready."""
        self.launch()
        await self.ready()

    def launch(self) -> None:
        """Start it, and don't wait."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WHITEHALL_")}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, env=environment)

    async def ready(self) -> None:
        """Wait until it takes calls."""
        async with asyncio.timeout(READY_SECONDS):
            while not await self._is_ready():
                assert self._process is not None
                assert self._process.poll() is None, f"it has ended, see {self.log}"
                await asyncio.sleep(_POLL_SECONDS)

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    def hang(self) -> None:
        """Let it stand still: connections stay, answers stop."""
        self._send(signal.SIGSTOP)

    def go_on(self) -> None:
        """End a hang."""
        self._send(signal.SIGCONT)

    def kill(self) -> None:
        """SIGKILL: no last words."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """SIGTERM, if it still runs."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._send(number)
            self.go_on()
            self._process.wait(STOP_SECONDS)

    def _send(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    @abstractmethod
    async def _is_ready(self) -> bool: ...


class Replica(_Mortal):
    """`whitehall serve` at one address, on an embedded store in its folder or on the store at a URL."""

    def __init__(self, folder: Path, redis_url: str | None = None, workers: int = 1, **others: str) -> None:
        folder.mkdir()
        data = folder / "data"
        self.address, self.http, self.admin = [f"127.0.0.1:{_free_port()}" for _ in range(3)]
        """Where gRPC, the protocols over HTTP, and the admin port listen."""
        self.redis_url = redis_url or EmbeddedValkey(data).url
        places = {"grpc-address": self.address, "http-address": self.http, "admin-address": self.admin}
        settings = {**_SETTINGS, **places, "data-dir": str(data), "workers": str(workers)}
        settings |= {name.replace("_", "-"): value for name, value in others.items()}
        if redis_url is not None:
            settings["redis-url"] = redis_url
        program = Path(sys.executable).with_name("whitehall")
        flags = [f"--{name}={value}" for name, value in settings.items()]
        super().__init__([str(program), "serve", *flags], folder / "service.log")

    async def kill_embedded_store(self) -> None:
        """SIGKILL for the embedded store, as soon as there is one to be killed."""
        async with asyncio.timeout(READY_SECONDS), redis.asyncio.Redis.from_url(self.redis_url) as client:
            while True:
                with suppress(redis.RedisError, ProcessLookupError):
                    os.kill((await client.info("server"))["process_id"], signal.SIGKILL)
                    return
                await asyncio.sleep(_POLL_SECONDS)

    def workers(self) -> list[int]:
        """The processes of its workers."""
        return worker_pids(self.pid)

    def faults(self) -> list[str]:
        """The lines of its log that tell of a fault of its own, rather than of what was done to it."""
        lines = self.log.read_text().splitlines()
        return [line for line in lines if any(sign in line for sign in _SIGNS_OF_A_FAULT)]

    async def _is_ready(self) -> bool:
        async with grpc.aio.insecure_channel(self.address) as channel:
            health: Any = health_pb2_grpc.HealthStub(channel)
            with suppress(grpc.aio.AioRpcError):
                answer = await health.Check(health_pb2.HealthCheckRequest(), timeout=1)
                return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
        return False


class Store(_Mortal):
    """A Valkey or Redis server, set up as the embedded one.

    A kill of it loses nothing that it has answered: with `appendfsync no` it writes to its file before it answers, and
    what was written outlives the process. With `everysec` it would answer first as long as an earlier fsync is under
    way; `always` would write first too, and only be slower.
    """

    def __init__(self, program: Path, folder: Path) -> None:
        folder.mkdir()
        path = folder / "s"
        self.url = f"unix://{path}"
        super().__init__([str(program), *server_settings(folder, path)], folder / "output.log")

    async def _is_ready(self) -> bool:
        async with redis.asyncio.Redis.from_url(self.url) as client:
            with suppress(redis.RedisError):
                return bool(await client.ping())
        return False


def worker_pids(supervisor: int) -> list[int]:
    """The workers among the children of a process."""
    children = [
        int(pid)
        for thread in Path(f"/proc/{supervisor}/task").iterdir()
        for pid in (thread / "children").read_text().split()
    ]
    return [pid for pid in children if b"whitehall.workers.worker" in _command_line(pid)]


def _command_line(pid: int) -> bytes:
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def _free_port() -> int:
    """Nobody's port. It is not of the test's own chance: tests with the same seed run side by side."""
    while True:
        with socket.socket() as probe, suppress(OSError):
            port = secrets.choice(_PORTS)
            probe.bind(("127.0.0.1", port))
            return port
