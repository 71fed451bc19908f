"""One worker as its supervisor knows it: a process, the link to it, and what it last said of itself."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

from whitehall.sessions import leash
from whitehall.workers.link import Assignment, Condition, Failed, Link, Message, Question, Serving

_WATCH_SECONDS: Final = 0.05
_LAST_WORDS_SECONDS: Final = 5.0
"""How long a worker whose link has ended may take to end itself."""


class Hand:
    """A worker from its start to its end. `heard` is told of each condition that it reports."""

    def __init__(
        self, number: int, process: subprocess.Popen[bytes], link: Link, heard: Callable[[Condition], None]
    ) -> None:
        self.number = number
        self._process = process
        self._link = link
        self._heard = heard
        self._asked: deque[asyncio.Future[None]] = deque()
        """Who waits for its answers. They come in the order of the questions."""
        self.condition: Condition | None = None
        """What it last said; None until it has said anything."""
        self.serving = asyncio.Event()
        self.failure: str | None = None
        """Why it could not start."""

    @classmethod
    async def hired(cls, assignment: Assignment, heard: Callable[[Condition], None]) -> Hand:
        """A new worker, which has been told what to do. Raises `OSError` where the system has no room for one."""
        ours, theirs = socket.socketpair()
        with ExitStack() as unless_hired, theirs:
            unless_hired.callback(ours.close)
            # A fresh interpreter: a copy of this process would have gRPC's threads half. Nor through the event loop,
            # which forks before it executes; see the embedded store.
            process = subprocess.Popen(  # noqa: ASYNC220 - returns as soon as the program runs
                [
                    *(sys.executable, "-I", "-S", leash.__file__, str(os.getpid())),
                    # Nothing that happens to lie in the present folder is taken for a module.
                    *(sys.executable, "-P", "-m", "whitehall.workers.worker"),
                ],
                stdin=theirs.fileno(),
            )
            unless_hired.pop_all()
        hand = cls(assignment.number, process, await Link.over(ours), heard)
        hand._link.tell(assignment)
        return hand

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    async def listen(self) -> int:
        """Take what it says until it has ended; its exit code."""
        async for message in self._link.messages():
            self._take(message)
        while self._asked:
            self._answered()
        await self._link.close()
        try:
            async with asyncio.timeout(_LAST_WORDS_SECONDS):
                return await self._end()
        except TimeoutError:
            self.kill()
            return await self._end()

    async def report(self, seconds: float, *, metrics: bool) -> bool:
        """Ask it how it is, and what it has counted if `metrics`, and wait for the answer; whether there was one within
        so many seconds. There is none of a worker that does not serve yet.
        """
        if not self.serving.is_set():
            return False
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asked.append(answer)
        self._link.tell(Question(metrics))
        try:
            async with asyncio.timeout(seconds):
                await answer
        except TimeoutError:
            return False
        return True

    def drain(self) -> None:
        """Have it finish what it does and end."""
        if self._process.poll() is None:
            self._process.terminate()

    def kill(self) -> None:
        """End it there and then."""
        if self._process.poll() is None:
            self._process.kill()

    def _take(self, message: Message) -> None:
        match message:
            case Serving():
                self.serving.set()
            case Failed(reason=reason):
                self.failure = reason
            case Condition():
                self.condition = message
                self._heard(message)
                self._answered()
            case _:
                raise AssertionError("a worker says nothing else")

    def _answered(self) -> None:
        # The last words of a worker are an answer that nobody has asked for.
        if self._asked and not (answer := self._asked.popleft()).done():
            answer.set_result(None)

    async def _end(self) -> int:
        while (code := self._process.poll()) is None:  # noqa: ASYNC110 - the event loop does not know of the process
            await asyncio.sleep(_WATCH_SECONDS)
        return code
