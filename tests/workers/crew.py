"""A crew: the workers of one service, under a supervisor in the test's own process."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import grpc
from prometheus_client.parser import text_string_to_metric_families

from tests.api.table import Yard
from tests.faults.service import worker_pids
from whitehall.main import Addresses
from whitehall.settings import Settings
from whitehall.workers.supervisor import supervising

QUICK: Mapping[str, object] = {
    "grpc_address": "127.0.0.1:0",
    "http_address": "127.0.0.1:0",
    "admin_address": "127.0.0.1:0",
    "drain_seconds": 0,
    "log_format": "json",
    "log_level": "error",
}


class Crew:
    """A running service of several workers."""

    def __init__(self, addresses: Addresses, stack: AsyncExitStack) -> None:
        self.grpc = addresses.grpc
        self.admin = addresses.admin
        self._stack = stack

    @classmethod
    @asynccontextmanager
    async def at_work(cls, data: Path, settings: Mapping[str, object]) -> AsyncIterator[Crew]:
        """A crew until the block is left."""
        loaded = Settings.load({**QUICK, "data_dir": str(data), **settings}, {})
        async with AsyncExitStack() as stack, supervising(loaded) as addresses:
            yield cls(addresses, stack)

    @property
    def pids(self) -> list[int]:
        """Its workers' processes."""
        return worker_pids(os.getpid())

    async def yard(self) -> Yard:
        """The services over a connection of its own, which any of the workers may have got."""
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_reconnect_backoff_ms", 200)]
        return Yard(await self._stack.enter_async_context(grpc.aio.insecure_channel(self.grpc, options=options)))

    async def page(self, path: str, accept: str = "text/plain") -> str:
        """What the admin port answers."""
        return await asyncio.to_thread(_read, Request(f"http://{self.admin}{path}", headers={"accept": accept}))

    async def metric(self, name: str, **labels: str) -> float:
        """The sum of a metric's series that have these labels."""
        families = text_string_to_metric_families(await self.page("/metrics"))
        samples = [sample for family in families for sample in family.samples if sample.name == name]
        return sum(sample.value for sample in samples if labels.items() <= sample.labels.items())

    async def counters(self) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
        """Every series that may only grow."""
        return {
            (sample.name, tuple(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(await self.page("/metrics"))
            if family.type in ("counter", "histogram")
            for sample in family.samples
        }


def kill(pid: int) -> None:
    """No last words."""
    os.kill(pid, signal.SIGKILL)


def lives(pid: int) -> bool:
    """Whether a process is there and is not just a name waiting for its parent."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def _read(request: Request) -> str:
    with urlopen(request, timeout=20) as answer:
        return str(answer.read().decode())
