"""Calls over a channel, below every stub and client: gRPC's own, or one that leads through another door."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import grpc

from tests.api.refusals import Refused
from tests.api.table import bearing
from tests.doors.door import DoorChannel
from tests.vectors.executors.messages import METHODS, as_json, parsed


class OverChannel:
    """Calls the service at the other end."""

    def __init__(self, channel: grpc.aio.Channel | DoorChannel) -> None:
        self._channel = channel

    async def execute(self, call: str, token: str, request: Any) -> Mapping[str, Any]:
        method: Callable[..., Awaitable[bytes]] = self._channel.unary_unary(f"/{call}")
        data = parsed(call, request).SerializeToString()
        try:
            answered = await method(data, metadata=bearing(token or None))
        except grpc.RpcError as error:
            refused = Refused(error)
            return {"refusal": {"code": refused.code.name, "reason": refused.reason, "metadata": refused.metadata}}
        return {"answer": as_json(METHODS[call].answer.FromString(answered))}
