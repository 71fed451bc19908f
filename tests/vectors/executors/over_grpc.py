"""Calls over gRPC, below every stub and client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import grpc

from tests.api.refusals import Refused
from tests.api.table import bearing
from tests.vectors.executors.messages import METHODS, as_json, parsed

SECONDS = 10.0


class OverGrpc:
    """Calls the service at the other end of a channel."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel = channel

    async def execute(self, call: str, token: str, request: Any) -> Mapping[str, Any]:
        method: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(f"/{call}")
        data = parsed(call, request).SerializeToString()
        try:
            answered = await method(data, metadata=bearing(token or None), timeout=SECONDS)
        except grpc.aio.AioRpcError as error:
            refused = Refused(error)
            return {"refusal": {"code": refused.code.name, "reason": refused.reason, "metadata": refused.metadata}}
        return {"answer": as_json(METHODS[call].answer.FromString(answered))}
