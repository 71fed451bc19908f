"""Processes that make the load, and send what they measure once a second."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from random import Random
from typing import Any

from whitehall_client import WhitehallError, aio
from whitehall_load.loops import Loop
from whitehall_load.measurements import Measurements, Packed
from whitehall_load.plan import Plan
from whitehall_load.questions import Questioner
from whitehall_load.stopwatch import Stopwatch
from whitehall_load.tables import lay

SECOND = 1.0
TERMINATION = 5.0
"""Seconds that a process has to end when told, before it is made to."""


class WorkerLost(Exception):
    """A process could not make load any more, or not even begin."""


def work(plan: Plan, pipe: Connection) -> None:
    """What a process does: its part of the load."""
    asyncio.run(_work(plan, pipe))


async def _work(plan: Plan, pipe: Connection) -> None:
    stopwatch = Stopwatch()
    # Shares of the load go through connections of their own.
    options = (("grpc.use_local_subchannel_pool", 1),)
    async with aio.connect(plan.target, operator_key=plan.operator_key, options=options) as service:
        questioner = Questioner(service, Random(plan.seed), stopwatch)
        loop = Loop(plan, lay(service, plan, stopwatch), questioner, stopwatch)
        try:
            await loop.sit_down()
        except WhitehallError as failure:
            pipe.send(str(failure))
            return
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, loop.end)
        # The clock runs from here.
        stopwatch.take()
        running = asyncio.create_task(loop.run())
        while not running.done():
            await asyncio.wait({running}, timeout=SECOND)
            pipe.send(stopwatch.take().packed())
        running.result()
    pipe.send(None)


class Workers:
    """All processes together."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        # A fork would take over the threads of gRPC.
        context = multiprocessing.get_context("spawn")
        # A terminal interrupts all processes at once. They are deaf until they can end well.
        hearing = signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._pipes: list[Connection] = []
        self._processes: list[Any] = []
        for plan in plans:
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=work, args=(plan, theirs), daemon=True)
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)
        signal.signal(signal.SIGINT, hearing)

    def end(self) -> None:
        """Lets all come to their end before their time; `seconds` tells what they still measure."""
        for process in self._processes:
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGINT)

    async def seconds(self) -> AsyncIterator[Measurements]:
        """What all have measured in each second, until all are done. Raises `WorkerLost`."""
        while self._pipes:
            second = Measurements()
            for pipe in list(self._pipes):
                try:
                    packed: Packed | str | None = await asyncio.to_thread(pipe.recv)
                except EOFError:
                    raise WorkerLost("it has ended before its time") from None
                if packed is None:
                    self._pipes.remove(pipe)
                elif isinstance(packed, str):
                    raise WorkerLost(packed)
                else:
                    second.add(packed.unpacked())
            if self._pipes:
                yield second

    def stop(self) -> None:
        """Ends all processes, whatever they do."""
        for process in self._processes:
            process.terminate()
            process.join(TERMINATION)
            process.kill()
            process.join()
