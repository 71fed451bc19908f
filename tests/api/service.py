"""The service as a process of its own: started, told to stop, killed, and started again on the same data."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import redis

STOP_SECONDS = 30.0


class Service:
    """`whitehall serve` with its data in `folder`, on free ports of the loopback. `flags` are its settings."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self.folder = folder
        self.log = folder / "service.log"
        self.data = folder / "data"
        self.grpc = ""
        """host:port of gRPC, once started."""
        self.admin = ""
        """host:port of metrics and health, once started."""
        self._flags = flags
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and wait until it says where it listens."""
        ports = ("--grpc-address", "127.0.0.1:0", "--admin-address", "127.0.0.1:0")
        program = "from whitehall.cli import main; main()"
        command = [sys.executable, "-c", program, "serve", "--data-dir", str(self.data), *ports, *self._flags]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WHITEHALL_")}
        with self.log.open("a") as log:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        self._process = process
        assert process.stdout is not None
        for line in process.stdout:
            match line.split():
                case ["gRPC", address]:
                    self.grpc = address
                case ["metrics", url]:
                    self.admin = url.removeprefix("http://").removesuffix("/metrics")
                case ["a", "first", "call:"]:
                    return
        self.stop()
        raise AssertionError(f"the service has ended: {self.log.read_text()}")

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    def store(self) -> redis.Redis:
        """A plain client of the embedded store, for looking behind the service's back."""
        return redis.Redis(unix_socket_path=str(self.data / "valkey.sock"))

    def terminate(self) -> None:
        """SIGTERM; returns at once."""
        os.kill(self.pid, signal.SIGTERM)

    def wait(self, seconds: float = STOP_SECONDS) -> int:
        """Wait for its end; the exit code."""
        assert self._process is not None
        code = self._process.wait(seconds)
        if self._process.stdout is not None:
            self._process.stdout.close()
        return code

    def kill(self) -> None:
        """SIGKILL: no last words."""
        os.kill(self.pid, signal.SIGKILL)
        self.wait()

    def stop(self) -> None:
        """SIGTERM, if it still runs, and wait for its end."""
        if self._process is not None and self._process.poll() is None:
            with suppress(ProcessLookupError):
                self.terminate()
        self.wait()
