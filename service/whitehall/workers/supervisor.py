"""The supervisor: keeps as many workers as it was asked for, and speaks for all of them on the admin port.

It has the embedded store, where there is one, and takes no calls itself. A worker that ends is replaced, one that does
not answer any more is killed and replaced; slower and slower if it goes on so. What was counted is not lost with it,
but for the last seconds of one that is killed. Sums never fall, as they only hold what a worker has told.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from itertools import count
from typing import Final

import structlog
from prometheus_client import CollectorRegistry

from whitehall import __version__
from whitehall.main import Addresses, store_place
from whitehall.settings import Settings
from whitehall.telemetry.admin import AdminServer
from whitehall.telemetry.health import CheckResult
from whitehall.telemetry.ledger import Ledger
from whitehall.telemetry.metrics import Metrics
from whitehall.workers.address import shared
from whitehall.workers.hand import Hand
from whitehall.workers.link import Assignment, Condition

ASK_SECONDS: Final = 1.0
"""How often each worker is asked how it is, and how long a scrape waits for one that is slow to answer."""
COUNT_EVERY: Final = 15
"""Each so many questions it is asked what it has counted too, for which its calls have to wait some milliseconds."""
HUNG_SECONDS: Final = 30.0
"""After how long without an answer a worker is killed."""
START_SECONDS: Final = 30.0
"""After how long a worker that does not serve yet is killed: many times as long as it waits for a store to answer."""
FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 5.0
STEADY_SECONDS: Final = 10.0
"""A worker that has lived for so long is replaced at once."""
MARGIN_SECONDS: Final = 10.0
"""How much longer than the drain and the grace workers may take to end."""

_STARTING: Final = CheckResult("start", "does not serve yet")

_OWN: Final = 0
"""The number of the supervisor itself in the ledger."""


class WorkersFailed(Exception):
    """The workers can't start; the text says why and is meant for the operator."""


@asynccontextmanager
async def supervising(settings: Settings) -> AsyncIterator[Addresses]:
    """The service by `settings.workers` processes, once all of them take calls; leaving drains them."""
    async with AsyncExitStack() as stack:
        url, durability = await store_place(settings, stack)
        patience = settings.drain_seconds + MARGIN_SECONDS
        grpc = await stack.enter_async_context(shared(settings.grpc_address, patience))
        http = await stack.enter_async_context(shared(settings.http_address, patience))
        values = settings.values() | {"redis_url": url, "grpc_address": grpc, "http_address": http}
        supervisor = Supervisor(values, durability, settings)
        admin = AdminServer(settings.admin_address, supervisor, supervisor)
        admin_address = await admin.start()
        stack.push_async_callback(admin.stop)
        stack.push_async_callback(supervisor.stop)
        await supervisor.start()
        structlog.get_logger().info(
            "started", version=__version__, workers=settings.workers, grpc=grpc, http=http, admin=admin_address
        )
        yield Addresses(grpc, http, admin_address)


class Supervisor:
    """The workers of one service, each in a place of its own."""

    def __init__(self, values: Mapping[str, object], durability: str, settings: Settings) -> None:
        """`values` are the settings as workers get them, with the store and the addresses that they share."""
        self._values = values
        self._durability = durability
        self._settings = settings
        self._hands: dict[int, Hand] = {}
        self._numbers = count(_OWN + 1)
        self._ledger = Ledger()
        self._metrics = Metrics(CollectorRegistry())
        self._places: list[asyncio.Task[None]] = []
        self._stopping = asyncio.Event()
        self._log = structlog.get_logger()

    async def start(self) -> None:
        """Start all workers and wait until all take calls. Raises `WorkersFailed` if one can't before another does."""
        first: list[asyncio.Future[None]] = []
        for _ in range(self._settings.workers):
            started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            first.append(started)
            self._places.append(asyncio.create_task(self._keep(started)))
        await asyncio.gather(*first)

    async def stop(self) -> None:
        """Drain all workers, and return when the last one has ended."""
        self._stopping.set()
        self._log.info("draining", workers=len(self._hands))
        for hand in self._hands.values():
            hand.drain()
        if not self._places:
            return
        patience = self._settings.drain_seconds + self._settings.grace_seconds + MARGIN_SECONDS
        _, late = await asyncio.wait(self._places, timeout=patience)
        for hand in self._hands.values():
            self._log.error("a worker does not end, and is killed", worker=hand.number, pid=hand.pid)
            hand.kill()
        if late:
            await asyncio.wait(late)

    # --- what the admin port asks ---------------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        """Whether any worker is."""
        return not self.draining and any(hand.condition and hand.condition.ready for hand in self._hands.values())

    @property
    def draining(self) -> bool:
        """Whether all of them are on their way out."""
        return self._stopping.is_set()

    @property
    def results(self) -> tuple[CheckResult, ...]:
        """The workers' checks, by worker."""
        results = [
            CheckResult(f"worker {number}, {result.name}", result.problem)
            for number, hand in self._hands.items()
            for result in (hand.condition.results if hand.condition else (_STARTING,))
        ]
        if missing := self._settings.workers - len(self._hands):
            results.append(CheckResult("workers", f"{missing} of {self._settings.workers} have ended or not begun"))
        return tuple(results)

    async def scrape(self, accept: str) -> tuple[bytes, str]:
        """The metrics of all, as they are now; of a worker that does not answer, as it last told them."""
        await asyncio.gather(*(hand.report(ASK_SECONDS, metrics=True) for hand in self._hands.values()))
        self._ledger.heard(_OWN, self._metrics.report())
        return self._ledger.exposition(accept)

    # --- one place ------------------------------------------------------------------------------------------------

    async def _keep(self, started: asyncio.Future[None]) -> None:
        """Have a worker in this place until all are drained. `started` is told how it went with the first one."""
        clock = asyncio.get_running_loop()
        pause = FIRST_PAUSE_SECONDS
        while not self.draining:
            began = clock.time()
            failure = await self._employ(started)
            if self.draining:
                break
            # Where others serve already it was not the settings, and they must not go down with it.
            if not started.done() and not self.ready:
                started.set_exception(WorkersFailed(failure))
                break
            self._metrics.worker_restarts.inc()
            if clock.time() - began > STEADY_SECONDS:
                pause = FIRST_PAUSE_SECONDS
            self._log.error("a worker has ended, another one starts", why=failure)
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stopping.wait()
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        if not started.done():
            started.cancel()

    async def _employ(self, started: asyncio.Future[None]) -> str:
        """One worker from its start to its end, and why it has ended."""
        number = next(self._numbers)
        try:
            assignment = Assignment(self._values, self._durability, number)
            hand = await Hand.hired(assignment, partial(self._heard, number))
        except OSError as error:
            return f"a worker can't be started: {error.strerror or error}"
        self._hands[number] = hand
        if self.draining:
            hand.drain()
        watching = asyncio.create_task(self._watch(hand, started))
        try:
            code = await hand.listen()
        finally:
            watching.cancel()
            del self._hands[number]
            self._ledger.gone(number)
        return hand.failure or f"worker {number} (pid {hand.pid}) has ended with code {code}; see its log"

    def _heard(self, number: int, condition: Condition) -> None:
        if condition.metrics is not None:
            self._ledger.heard(number, condition.metrics)

    async def _watch(self, hand: Hand, started: asyncio.Future[None]) -> None:
        """Ask a worker how it is, again and again, and kill it if it does not answer."""
        try:
            async with asyncio.timeout(START_SECONDS):
                await hand.serving.wait()
        except TimeoutError:
            self._log.error("a worker does not get to serve, and is killed", worker=hand.number, pid=hand.pid)
            hand.failure = f"a worker did not serve within {START_SECONDS:g} seconds"
            hand.kill()
            return
        for question in count():
            if not await hand.report(HUNG_SECONDS, metrics=question % COUNT_EVERY == 0):
                break
            if not started.done():
                started.set_result(None)
            await asyncio.sleep(ASK_SECONDS)
        self._log.error("a worker does not answer any more, and is killed", worker=hand.number, pid=hand.pid)
        hand.kill()
