"""The service as a process of its own: started, told to stop, killed, and started again on the same data."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import redis
from prometheus_client.parser import text_string_to_metric_families

REPOSITORY = Path(__file__).parents[2]
STOP_SECONDS = 30.0


class Service:
    """The service with its data in `folder`, on free ports of the loopback. `flags` are its settings, as on the command
    line. It may open so many `files`, or as many as whoever starts it.
    """

    def __init__(self, folder: Path, *flags: str, files: int | None = None) -> None:
        self.folder = folder
        self.log = folder / "service.log"
        self.data = folder / "data"
        self.grpc = ""
        """host:port of gRPC, once started."""
        self.http = ""
        """host:port of the protocols over HTTP, once started."""
        self.admin = ""
        """host:port of metrics and health, once started."""
        self.flags = flags
        self.files = files
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and wait until it says where it listens."""
        listeners = ("grpc", "http", "admin")
        ports = [part for listener in listeners for part in (f"--{listener}-address", "127.0.0.1:0")]
        command = [sys.executable, "-m", "tests.api.serving", "--data-dir", str(self.data), *ports, *self.flags]
        if self.files is not None:
            command = ["sh", "-c", f'ulimit -n {self.files} && exec "$@"', "sh", *command]
        with self.log.open("a") as log:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, cwd=REPOSITORY)
        self._process = process
        assert process.stdout is not None
        self.grpc, self.http, self.admin = [process.stdout.readline().strip() for _ in listeners]
        assert self.admin, f"the service has ended: {self.log.read_text()}"

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether it is still the process that was started."""
        return self._process is not None and self._process.poll() is None

    def store(self) -> redis.Redis:
        """A plain client of the embedded store, for looking behind the service's back."""
        return redis.Redis(unix_socket_path=str(self.data / "valkey.sock"))

    def metric(self, name: str, **labels: str) -> float:
        """The sum of a metric's series that have these labels."""
        with urlopen(f"http://{self.admin}/metrics", timeout=STOP_SECONDS) as answer:
            families = text_string_to_metric_families(answer.read().decode())
        samples = [sample for family in families for sample in family.samples if sample.name == name]
        return sum(sample.value for sample in samples if labels.items() <= sample.labels.items())

    def terminate(self) -> None:
        """SIGTERM; returns at once."""
        os.kill(self.pid, signal.SIGTERM)

    def wait(self, seconds: float = STOP_SECONDS) -> int:
        """Wait for its end; the exit code."""
        assert self._process is not None
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            last = "".join(self.log.read_text().splitlines(keepends=True)[-30:])
            raise AssertionError(
                f"the service goes on after {seconds:g} seconds; the last that it said:\n{last}"
            ) from None
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
