"""Calls without any network: endpoints are asked as a door asks them."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.api.live import live
from tests.vectors.executors.messages import METHODS, as_json, parsed
from whitehall import main
from whitehall.api.call import Call
from whitehall.api.endpoint import Endpoint, Unary
from whitehall.api.errors import ERRORS
from whitehall.api.grpc_door import GrpcDoor
from whitehall.api.pipeline import answer
from whitehall.sessions.refusal import Refusal
from whitehall.sessions.store import SessionStore

SECONDS = 10.0


class InProcess:
    """Asks the endpoints of a service in this process."""

    def __init__(self, endpoints: Iterable[Endpoint]) -> None:
        self._endpoints = {f"{each.service}/{each.name}": each for each in endpoints if isinstance(each, Unary)}

    async def execute(self, call: str, token: str, request: Any) -> Mapping[str, Any]:
        data = parsed(call, request).SerializeToString()
        asked = Call(token or None, "en", time.monotonic() + SECONDS)
        try:
            answered = await answer(self._endpoints[call], data, asked)
        except Refusal as refusal:
            code = ERRORS[refusal.reason].code.name
            return {"refusal": {"code": code, "reason": refusal.reason.value, "metadata": dict(refusal.metadata)}}
        return {"answer": as_json(METHODS[call].answer.FromString(answered))}


@asynccontextmanager
async def in_process(store: SessionStore, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[InProcess]:
    """The endpoints of a service on this store; its door is there, and nobody comes in by it."""
    found: list[Endpoint] = []

    class Overheard(GrpcDoor):
        def __init__(self, endpoints: Iterable[Endpoint], *rest: Any, **named: Any) -> None:
            found.extend(endpoints)
            super().__init__(found, *rest, **named)

    monkeypatch.setattr(main, "GrpcDoor", Overheard)
    async with live(store):
        yield InProcess(found)
