"""A process of the benchmark's, talked to in lines of JSON."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from tests.bench import machine

LONGEST_LINE = 1 << 26
ANSWER_SECONDS = 60.0
STOP_SECONDS = 20.0


class ChildFailed(Exception):
    """The process has ended or fallen silent; the text ends with what it said last."""


class Child:
    """One process. It reads a line for each thing it is told, and ends when there will be no more."""

    def __init__(self, process: asyncio.subprocess.Process, log: Path) -> None:
        self._process = process
        self._log = log

    @classmethod
    async def start(
        cls, *command: str | Path, log: Path, cores: frozenset[int], environment: Mapping[str, str] | None = None
    ) -> Self:
        """Starts it on these cores. What it writes to stderr goes to the file `log`."""
        with log.open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                *map(str, command),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                limit=LONGEST_LINE,
                env={**os.environ, **(environment or {})},
            )
        machine.pin(process.pid, cores)
        return cls(process, log)

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    async def hear(self) -> Any:
        """The next thing it says. Raises `ChildFailed`."""
        assert self._process.stdout is not None
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), ANSWER_SECONDS)
        except TimeoutError:
            raise ChildFailed(f"no answer; the end of {self._log}:\n{self._last_words()}") from None
        if not line:
            raise ChildFailed(f"ended; the end of {self._log}:\n{self._last_words()}")
        return json.loads(line)

    async def ask(self, question: Any) -> Any:
        """Tells it something, and what it says to that. Raises `ChildFailed`."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(question).encode() + b"\n")
        return await self.hear()

    async def stop(self) -> None:
        """Lets it end in good order; kills it if it does not."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), STOP_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    def _last_words(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-20:])
