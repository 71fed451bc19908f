"""Whether the process can take calls: checks that are repeated for as long as it lives, and what follows from them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

import structlog
from structlog.typing import FilteringBoundLogger

from whitehall.sessions.listening import Listening

Check = Callable[[], Awaitable[None]]
"""Proves that something works by returning. Raises `CheckFailed`, or anything else, where it does not."""
Listener = Callable[[bool], Awaitable[None]]
"""Told whether the process is ready, whenever that changes."""

CHECK_SECONDS: Final = 0.25
"""How long one check may take, as far as this process gets to hear of it."""
INTERVAL_SECONDS: Final = 1.0
"""How long a result is good for: the pause between two rounds of checks."""
BAD_ROUNDS: Final = 2
"""How many rounds in a row have to go wrong until a ready process is not. One that goes well makes it ready."""

_log: FilteringBoundLogger = structlog.get_logger()


class CheckFailed(Exception):
    """Raised by a check with a reason that may be shown to anybody: no key, no value, no address."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found the last time."""

    name: str
    problem: str | None
    """None if all is well."""


class Health:
    """The checks by name, their last results, and the verdict over all of them.

    A round goes well if every check does. The process is ready after one round that went well, and no longer after two
    in a row that did not; nor ever again once it drains.
    """

    def __init__(
        self, checks: Mapping[str, Check], *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._checks = dict(checks)
        self._sleep = sleep
        self._results = tuple(CheckResult(name, "not checked yet") for name in self._checks)
        self._well = False
        self._bad_rounds = 0
        self._draining = False
        self._listeners: list[Listener] = []
        self._told = False
        self._telling = asyncio.Lock()

    @property
    def ready(self) -> bool:
        """Whether calls should be sent here."""
        return self._well and not self._draining

    @property
    def draining(self) -> bool:
        """Whether the process is on its way out."""
        return self._draining

    @property
    def results(self) -> tuple[CheckResult, ...]:
        """What each check found in the last round, in the order in which they were given."""
        return self._results

    def on_change(self, listener: Listener) -> None:
        """Have `listener` told from now on. At the start the process is not ready. Call it before `run`."""
        self._listeners.append(listener)

    async def run(self) -> None:
        """Check, round after round, until cancelled. Nothing that a check or a listener raises ends it."""
        while True:
            await self.check()
            await self._sleep(INTERVAL_SECONDS)

    async def check(self) -> None:
        """One round: all checks at once, each within its bound; then the listeners, if the verdict has changed."""
        results = await asyncio.gather(*(_result(name, check) for name, check in self._checks.items()))
        for before, now in zip(self._results, results, strict=True):
            if now.problem != before.problem:
                _log_change(now)
        self._results = tuple(results)
        if all(result.problem is None for result in results):
            self._bad_rounds = 0
            self._well = True
        else:
            self._bad_rounds += 1
            if self._bad_rounds >= BAD_ROUNDS:
                self._well = False
        await self._tell()

    async def drain(self) -> None:
        """Not ready from now on, whatever the checks find; returns when the listeners know. Can be repeated."""
        self._draining = True
        await self._tell()

    async def _tell(self) -> None:
        # One at a time, so that a slow listener hears of every change in its order, and of the newest one last.
        async with self._telling:
            while self._told != self.ready:
                self._told = self.ready
                for listener in self._listeners:
                    try:
                        await listener(self._told)
                    except Exception as error:
                        _log.error("a listener to readiness failed", exc_info=error)


async def _result(name: str, check: Check) -> CheckResult:
    try:
        async with Listening(CHECK_SECONDS):
            await check()
    except CheckFailed as error:
        return CheckResult(name, error.reason)
    except TimeoutError:
        return CheckResult(name, f"no answer within {CHECK_SECONDS * 1000:.0f} ms")
    except Exception as error:
        return CheckResult(name, type(error).__name__)
    return CheckResult(name, None)


def _log_change(result: CheckResult) -> None:
    if result.problem is None:
        _log.info("check passes", check=result.name)
    else:
        _log.warning("check fails", check=result.name, problem=result.problem)
