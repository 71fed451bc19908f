"""Connect, from the client's side, after https://connectrpc.com/docs/protocol: written anew, so as to prove something.

JSON is protobuf's own here, and none of the service's.
"""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, Literal
from urllib.parse import urlencode

from google.protobuf import any_pb2, json_format
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass
from google.rpc import status_pb2

from tests.api.contract import path_of
from tests.doors.door import CODES, Told
from tests.doors.http import Answer, Headers, asked

Form = Literal["json", "proto"]

END = 0b10
LONGEST_PATH = 8192
"""What is longer is asked by POST, as Connect's own clients do that are told of a limit."""


class ConnectDoor:
    """Connect in one of its two forms; with `by_get` what has no side effects is asked by GET, if the path holds it."""

    def __init__(self, address: str, form: Form, *, by_get: bool = False) -> None:
        self.address = address
        self.form = form
        self.by_get = by_get

    async def unary(self, method: MethodDescriptor, request: bytes, headers: Headers) -> bytes:
        message = sent(method.input_type, request, self.form)
        safe = method.GetOptions().idempotency_level == method.GetOptions().NO_SIDE_EFFECTS
        text = base64.urlsafe_b64encode(message).decode().rstrip("=")
        query = urlencode({"connect": "v1", "encoding": self.form, "base64": "1", "message": text})
        path = f"{path_of(method)}?{query}"
        if self.by_get and safe and len(path) <= LONGEST_PATH:
            asking = asked(self.address, "GET", path, headers)
        else:
            kind = [("content-type", f"application/{self.form}"), ("connect-protocol-version", "1")]
            asking = asked(self.address, "POST", path_of(method), [*kind, *headers], message)
        async with asking as answer:
            body = await answer.body()
            if answer.status != 200:
                raise told(answer, json.loads(body))
            assert answer.headers["content-type"] == f"application/{self.form}"
            return received(method.output_type, body, self.form)

    async def stream(self, method: MethodDescriptor, request: bytes, headers: Headers) -> AsyncGenerator[bytes]:
        message = sent(method.input_type, request, self.form)
        kind = [("content-type", f"application/connect+{self.form}"), ("connect-protocol-version", "1")]
        async with asked(self.address, "POST", path_of(method), [*kind, *headers], envelope(0, message)) as answer:
            assert answer.status == 200
            assert answer.headers["content-type"] == f"application/connect+{self.form}"
            async for flags, data in envelopes(answer.chunks()):
                if flags & END:
                    end = json.loads(data)
                    if "error" in end:
                        raise told(answer, end["error"])
                    return
                yield received(method.output_type, data, self.form)
            raise AssertionError("the stream has no end")


def told(answer: Answer, error: dict[str, Any]) -> Told:
    """An error as Connect writes it, as the status that it stands for."""
    code = next(code for code in CODES.values() if _name(code.name) == error["code"])
    status = status_pb2.Status(code=code.value[0], message=error.get("message", ""))
    for detail in error.get("details", ()):
        value = base64.b64decode(detail["value"] + "=" * (-len(detail["value"]) % 4), validate=True)
        status.details.append(any_pb2.Any(type_url=f"type.googleapis.com/{detail['type']}", value=value))
    return Told(status)


def _name(code: str) -> str:
    return "canceled" if code == "CANCELLED" else code.lower()


def sent(kind: Descriptor, data: bytes, form: Form) -> bytes:
    """A message as it is sent in this form. What is no message is sent as it is."""
    if form == "proto":
        return data
    try:
        message = GetMessageClass(kind).FromString(data)
    except DecodeError:
        return data
    return json_format.MessageToJson(message).encode()


def received(kind: Descriptor, data: bytes, form: Form) -> bytes:
    """A message that has come in this form."""
    if form == "proto":
        return data
    return json_format.Parse(data, GetMessageClass(kind)()).SerializeToString(deterministic=True)


def envelope(flags: int, data: bytes) -> bytes:
    """A message of a stream."""
    return struct.pack(">BI", flags, len(data)) + data


async def envelopes(chunks: AsyncIterator[bytes]) -> AsyncIterator[tuple[int, bytes]]:
    """The messages of a stream with their flags."""
    left = b""
    async for chunk in chunks:
        left += chunk
        while len(left) >= 5 and len(left) >= 5 + (size := int.from_bytes(left[1:5])):
            yield left[0], left[5 : 5 + size]
            left = left[5 + size :]
    assert not left, "the stream ends in the middle of a message"
