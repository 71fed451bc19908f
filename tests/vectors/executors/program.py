"""Calls made by a program: the executor of some client, spoken to over its stdin and stdout as README.md says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

LONGEST_LINE = 1 << 24


class Program:
    """A running executor."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._input, self._output = process.stdin, process.stdout

    async def execute(self, call: str, token: str, request: Any) -> Mapping[str, Any]:
        self._input.write(json.dumps({"call": call, "token": token, "request": request}).encode() + b"\n")
        await self._input.drain()
        line = await self._output.readline()
        assert line, "the executor has ended"
        outcome: Mapping[str, Any] = json.loads(line)
        return outcome


@asynccontextmanager
async def program(*command: str | Path) -> AsyncIterator[Program]:
    """Starts an executor; it ends when its input does."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=LONGEST_LINE)
    try:
        yield Program(process)
        assert process.stdin is not None
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), 30) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
