"""The program of a worker: the whole service but for its store and its admin port, at an address that it shares.

`python -m whitehall.workers.worker`, with the link to its supervisor as its standard input.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import structlog
import uvloop

from whitehall.main import CANNOT_START, serving, store_at, until_stopped
from whitehall.sessions.redis_store import Durability
from whitehall.settings import Settings
from whitehall.telemetry import log
from whitehall.telemetry.health import Health
from whitehall.telemetry.metrics import Metrics
from whitehall.workers.link import Assignment, Condition, Failed, Link, Message, Question, Serving

LINK: int = 0
"""The file descriptor of the link."""


async def work(end: socket.socket) -> int:
    """Serve until SIGTERM, or until the supervisor is no more; the exit code."""
    link = await Link.over(end)
    messages = link.messages()
    try:
        assignment = await anext(messages)
        assert isinstance(assignment, Assignment)
        return await _serve(assignment, link, messages)
    finally:
        await link.close()


async def _serve(assignment: Assignment, link: Link, messages: AsyncIterator[Message]) -> int:
    settings = Settings.load(assignment.settings, {})
    log.configure(settings.log_format, settings.log_level, worker=assignment.number)
    stop = asyncio.Event()

    @asynccontextmanager
    async def reporting(metrics: Metrics, health: Health) -> AsyncIterator[str]:
        async def answer_questions() -> None:
            async for question in messages:
                assert isinstance(question, Question)
                link.tell(_condition(health, metrics if question.metrics else None))
            stop.set()

        answering = asyncio.create_task(answer_questions())
        try:
            yield ""
        finally:
            answering.cancel()
            await asyncio.wait([answering])
            link.tell(_condition(health, metrics))

    @asynccontextmanager
    async def running() -> AsyncIterator[None]:
        assert settings.redis_url is not None
        url, durability = settings.redis_url.get_secret_value(), Durability(assignment.durability)
        async with AsyncExitStack() as stack:
            store = await store_at(url, durability, settings, stack)
            await stack.enter_async_context(serving(settings, store, reporter=reporting, shares_port=True))
            yield

    try:
        await until_stopped(running(), lambda _: link.tell(Serving()), stop)
    except CANNOT_START as error:
        link.tell(Failed(str(error)))
        return 1
    except Exception as error:
        structlog.get_logger().error("fault", exc_info=error)
        link.tell(Failed(f"a worker has ended by a fault of its own ({type(error).__name__}); see its log"))
        return 1
    return 0


def _condition(health: Health, metrics: Metrics | None) -> Condition:
    return Condition(health.ready, health.draining, health.results, None if metrics is None else metrics.report())


def main() -> None:
    """The program."""
    # Ctrl-C is for the supervisor, which then stops us in good order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(uvloop.run(work(socket.socket(fileno=LINK))))


if __name__ == "__main__":
    main()
