"""gRPC-Web, from the client's side, after https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md."""

from __future__ import annotations

import base64
from collections.abc import AsyncGenerator, AsyncIterator
from urllib.parse import unquote

from google.protobuf.descriptor import MethodDescriptor
from google.rpc import status_pb2

from tests.api.contract import path_of
from tests.api.refusals import DETAILS
from tests.doors.connect import envelope, envelopes
from tests.doors.door import Told
from tests.doors.http import Headers, asked

TRAILERS = 0b10000000


class GrpcWebDoor:
    """gRPC-Web with binary messages; with `as_text` all of it in Base64."""

    def __init__(self, address: str, *, as_text: bool = False) -> None:
        self.address = address
        self.as_text = as_text

    async def unary(self, method: MethodDescriptor, request: bytes, headers: Headers) -> bytes:
        (answer,) = [answer async for answer in self.stream(method, request, headers)]
        return answer

    async def stream(self, method: MethodDescriptor, request: bytes, headers: Headers) -> AsyncGenerator[bytes]:
        kind = "application/grpc-web-text" if self.as_text else "application/grpc-web+proto"
        data = envelope(0, request)
        body = base64.b64encode(data) if self.as_text else data
        sent = [("content-type", kind), ("accept", kind), ("x-grpc-web", "1"), *headers]
        async with asked(self.address, "POST", path_of(method), sent, body) as answer:
            assert answer.status == 200
            assert answer.headers["content-type"].startswith(kind.removesuffix("+proto"))
            if "grpc-status" in answer.headers:
                end(answer.headers)
                return
            chunks = text_decoded(answer.chunks()) if self.as_text else answer.chunks()
            async for flags, message in envelopes(chunks):
                if flags & TRAILERS:
                    end(dict(line.split(": ", 1) for line in message.decode().split("\r\n") if line))
                    return
                yield message
            raise AssertionError("the answer has no trailers")


def end(trailers: dict[str, str]) -> None:
    """The end of an answer, as its trailers tell it. Raises the refusal that they tell."""
    code = int(trailers["grpc-status"])
    if not code:
        return
    packed = trailers.get(DETAILS, "")
    status = status_pb2.Status.FromString(base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True))
    assert status.code in (0, code)
    raise Told(status_pb2.Status(code=code, message=unquote(trailers.get("grpc-message", "")), details=status.details))


async def text_decoded(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The bytes of Base64 that comes in pieces, each of them padded or not."""
    left = b""
    async for chunk in chunks:
        left += chunk
        whole = len(left) // 4 * 4
        # Padding may stand wherever a piece has ended.
        for group in (left[at : at + 4] for at in range(0, whole, 4)):
            yield base64.b64decode(group, validate=True)
        left = left[whole:]
    assert not left
