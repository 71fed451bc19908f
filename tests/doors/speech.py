"""Requests below the stubs: any body and any headers, in any protocol over HTTP, and the refusal that they meet."""

from __future__ import annotations

import base64
import json
from typing import Any

from google.protobuf import json_format
from google.rpc.status_pb2 import Status

from tests.api.refusals import Refused
from tests.doors.connect import END, envelopes, told
from tests.doors.door import METHODS, Told
from tests.doors.grpc_web import TRAILERS, end, text_decoded
from tests.doors.http import Answer, Headers, asked

SERVICE = "/whitehall.scotlandyard.v1.ScotlandYardService"
GET_GAME, WATCH_GAME, CREATE_GAME = (f"{SERVICE}/{name}" for name in ("GetGame", "WatchGame", "CreateGame"))
BUILD_INFO, GET_BOARD = (f"/whitehall.catalog.v1.CatalogService/{name}" for name in ("GetBuildInfo", "GetBoard"))
REST_GAME = f"/v1/scotland-yard/games/{'a' * 26}"
"""A game that there is not, as REST has it."""


async def post(address: str, path: str, kind: str, body: bytes, headers: Headers = ()) -> Refused | None:
    """What becomes of a body of this content type: the refusal, or None where it is answered."""
    return await asked_for(address, "POST", path, [("content-type", kind), *headers], body)


async def asked_for(address: str, verb: str, path: str, headers: Headers, body: bytes = b"") -> Refused | None:
    """The same of any request."""
    async with asked(address, verb, path, headers, body) as answer:
        return await read_refusal(answer)


async def read_refusal(answer: Answer) -> Refused | None:
    """The refusal that an answer tells, in whatever protocol; None where it tells none."""
    try:
        await _read(answer)
    except Told as error:
        return Refused(error)
    return None


async def _read(answer: Answer) -> None:
    """Reads an answer in whatever protocol it is, as far as its first message. Raises the refusal that it tells."""
    kind = answer.headers.get("content-type", "")
    if kind.startswith("application/grpc"):
        assert answer.status == 200
        if "grpc-status" in answer.headers:
            return end(answer.headers)
        chunks = text_decoded(answer.chunks()) if "text" in kind else answer.chunks()
        async for flags, message in envelopes(chunks):
            if flags & TRAILERS:
                return end(dict(line.split(": ", 1) for line in message.decode().split("\r\n") if line))
            return None
    elif kind.startswith("application/connect+"):
        assert answer.status == 200
        async for flags, message in envelopes(answer.chunks()):
            found: dict[str, Any] = json.loads(message) if flags & END else {}
            if "error" in found:
                raise told(answer, found["error"])
            return None
    elif answer.status >= 400:
        error = json.loads(await answer.body())
        # Connect names its codes, and REST numbers them.
        raise told(answer, error) if isinstance(error["code"], str) else Told(json_format.ParseDict(error, Status()))
    return None


def as_text(body: bytes) -> bytes:
    """gRPC-Web's text form."""
    return base64.b64encode(body)


assert {GET_GAME, WATCH_GAME, CREATE_GAME, BUILD_INFO, GET_BOARD} <= METHODS.keys()
