"""A name with several addresses: one that does not answer keeps nobody from those behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from whitehall.sessions.connecting import patient


class Lookups:
    """Knows the addresses of every name."""

    def __init__(self, *known: str) -> None:
        self._known = known

    async def addresses(self, _: str) -> Sequence[str]:
        return self._known


class Line:
    """A connection whose far end is silent, refuses or is there, as its address says."""

    host = "store"

    def __init__(self) -> None:
        self.address = ""
        self.tried: list[str] = []

    async def _connect(self) -> None:
        self.tried.append(self.address)
        if self.address == "silent":
            await asyncio.Event().wait()
        if self.address == "refuses":
            raise ConnectionRefusedError


@pytest.mark.parametrize("first", ["silent", "refuses"])
async def test_the_next_address_is_tried_in_time(first: str) -> None:
    kind = patient(Line)
    kind.lookups = Lookups(first, "there")
    line = kind()
    await line._connect()
    assert line.tried == [first, "there"]


async def test_where_no_address_answers_no_connection_is_made_in_time() -> None:
    kind = patient(Line)
    kind.lookups = Lookups("silent", "silent")
    with pytest.raises(TimeoutError):
        await kind()._connect()
