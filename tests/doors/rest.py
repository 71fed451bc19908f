"""REST, from the client's side, by the contract's `google.api.http` annotations: written anew, to prove something.

JSON is protobuf's own here, and none of the service's.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any
from urllib.parse import quote, urlencode

from google.api import annotations_pb2
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2

from tests.doors.door import Told
from tests.doors.http import Answer, Headers, asked

JSON = [("content-type", "application/json")]
EVENTS = "text/event-stream"

assert error_details_pb2.DESCRIPTOR, "details are read by their names"


class RestDoor:
    """Every method by its path; streams by their events."""

    def __init__(self, address: str) -> None:
        self.address = address

    async def unary(self, method: MethodDescriptor, request: bytes, headers: Headers) -> bytes:
        async with self._asking(method, request, headers) as answer:
            body = await answer.body()
            if answer.status != 200:
                raise told(body)
            assert answer.headers["content-type"] == "application/json"
            return read(method, body.decode())

    async def stream(self, method: MethodDescriptor, request: bytes, headers: Headers) -> AsyncGenerator[bytes]:
        async with self._asking(method, request, [*headers, ("accept", EVENTS)]) as answer:
            if answer.status == 204:
                return
            if answer.status != 200:
                raise told(await answer.body())
            assert answer.headers["content-type"] == EVENTS
            async for event in events(answer.chunks()):
                if event.get("event") == "error":
                    raise told(event["data"].encode())
                if "data" in event:
                    yield read(method, event["data"])

    def _asking(
        self, method: MethodDescriptor, request: bytes, headers: Headers
    ) -> AbstractAsyncContextManager[Answer]:
        try:
            message = json_format.MessageToDict(GetMessageClass(method.input_type).FromString(request))
        except DecodeError:
            # What is no message is sent as it is.
            verb, path, _ = address_of(method, {"gameId": "a" * 26})
            return asked(self.address, verb, path, [*JSON, *headers], request)
        verb, path, rest = address_of(method, message)
        if rest is None:
            return asked(self.address, verb, path, headers)
        return asked(self.address, verb, path, [*JSON, *headers], json.dumps(rest).encode())


def address_of(method: MethodDescriptor, message: dict[str, Any]) -> tuple[str, str, dict[str, Any] | None]:
    """HTTP's verb, the path with its query, and what is left for the body."""
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")
    assert verb is not None
    left = dict(message)

    def value(variable: re.Match[str]) -> str:
        return quote(str(left.pop(method.input_type.fields_by_name[variable[1]].json_name, "")), safe="")

    path = re.sub(r"\{(\w+)\}", value, getattr(rule, verb))
    if rule.body:
        assert rule.body == "*"
        return verb.upper(), path, left
    query = urlencode(list(parameters(left, "")))
    return verb.upper(), f"{path}?{query}" if query else path, None


def parameters(message: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """The fields as a query names them."""
    for name, value in message.items():
        if isinstance(value, dict):
            yield from parameters(value, f"{prefix}{name}.")
        else:
            for each in value if isinstance(value, list) else [value]:
                yield f"{prefix}{name}", json.dumps(each) if isinstance(each, bool) else str(each)


def read(method: MethodDescriptor, text: str) -> bytes:
    """A message that has come as JSON."""
    return json_format.Parse(text, GetMessageClass(method.output_type)()).SerializeToString(deterministic=True)


def told(body: bytes) -> Told:
    """A problem as the status that it is."""
    return Told(json_format.Parse(body, status_pb2.Status()))


async def events(chunks: AsyncIterator[bytes]) -> AsyncIterator[dict[str, str]]:
    """The events of a stream, after https://html.spec.whatwg.org/multipage/server-sent-events.html."""
    left = b""
    async for chunk in chunks:
        left += chunk
        while b"\n\n" in left:
            block, _, left = left.partition(b"\n\n")
            fields = [line.partition(": ") for line in block.decode().split("\n") if not line.startswith(":")]
            yield {name: value for name, _, value in fields}
    assert not left, "the stream ends in the middle of an event"
