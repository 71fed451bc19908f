"""Calls below the stubs: any method by its path, with whatever bytes."""

from __future__ import annotations

from collections.abc import Sequence

import grpc

from tests.api.refusals import Refused
from tests.api.table import Metadata

CALL_SECONDS = 10.0
"""Longer than any answer takes. A call that lasts so long hangs."""

ATTEMPTS = 5

CLIENT_STILL_SENDING = "Internal error from Core"
"""What gRPC's client says of a call that was ended before it had sent everything."""


async def exchange(
    channel: grpc.aio.Channel,
    path: str,
    data: bytes,
    metadata: Sequence[tuple[str, str]] = (),
    seconds: float = CALL_SECONDS,
) -> bytes:
    """The first answer to one request of a method of any kind.

    On the wire all kinds are alike: messages there, messages back, a status. Raises the error of a refusal.
    """
    headers: Metadata = list(metadata)
    method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(path)
    call = method(iter([data]), metadata=headers, timeout=seconds)
    answer = await call.read()
    call.cancel()
    assert isinstance(answer, bytes), "the call has ended without an answer"
    return answer


async def outcome(
    channel: grpc.aio.Channel,
    path: str,
    data: bytes,
    metadata: Sequence[tuple[str, str]] = (),
    seconds: float = CALL_SECONDS,
) -> Refused | None:
    """The refusal of one request of a method of any kind, or None where it is answered."""
    for _ in range(ATTEMPTS):
        try:
            await exchange(channel, path, data, metadata, seconds)
        except grpc.RpcError as error:
            refusal = Refused(error)
            # A refusal may come while the client is still sending, which then reports its own failure instead.
            if refusal.message != CLIENT_STILL_SENDING:
                return refusal
        else:
            return None
    raise AssertionError(f"{path}: in {ATTEMPTS} attempts the client never came to hear the answer")
