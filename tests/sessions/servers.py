"""Real servers for the store's tests: started, killed and started again on the same data."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import redis

from whitehall.sessions import leash
from whitehall.sessions.embedded import server_settings


class Server:
    """A Valkey or Redis server, set up as the embedded one, in a folder of its own."""

    def __init__(self, program: Path, folder: Path, *settings: str) -> None:
        self.socket = folder / "s"
        self.url = f"unix://{self.socket}"
        # On the leash of the service, so that none is left behind when the tests are killed.
        leashed = (sys.executable, "-I", "-S", leash.__file__, str(os.getpid()))
        self._command = [*leashed, str(program), *server_settings(folder, self.socket), *settings]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *settings: str) -> None:
        """Start it, with further settings for this once, and wait until it answers."""
        self._process = subprocess.Popen([*self._command, *settings], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        with self.client() as client:
            while True:
                try:
                    client.ping()
                    return
                except redis.RedisError:
                    assert self._process.poll() is None, "the server has ended"
                    assert time.monotonic() < deadline, "the server does not answer"
                    time.sleep(0.005)

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    def client(self) -> redis.Redis:
        """A plain client, for looking behind the store's back."""
        return redis.Redis(unix_socket_path=str(self.socket))

    def listeners(self, channel: bytes) -> int:
        """How many connections listen to a sharded channel."""
        with self.client() as client:
            [(_, number)] = client.pubsub_shardnumsub(channel)
        return int(number)

    def kill(self) -> None:
        """SIGKILL, no last words; nothing if it does not run."""
        if self._process is not None and self._process.poll() is None:
            self._signal(signal.SIGKILL)
            self._process.wait(10)

    def pause(self) -> None:
        """Let it hang: connections stay, answers stop."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """End a pause."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        os.kill(self._process.pid, number)


def free_port() -> int:
    """A TCP port of the loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
