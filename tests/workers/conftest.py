"""Crews for tests: services of several workers, under a supervisor in the test's own process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.workers.crew import Crew


@pytest.fixture
async def start_crew(tmp_path: Path) -> AsyncIterator[Callable[..., Awaitable[Crew]]]:
    """Starts a service with these settings, such as `workers=4`; it ends with the test."""
    async with AsyncExitStack() as stack:

        async def start(**settings: object) -> Crew:
            return await stack.enter_async_context(Crew.at_work(tmp_path / "data", settings))

        yield start
