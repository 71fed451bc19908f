"""Connect's calls with one answer, which are plain HTTP: the message is the body, or part of the address of a GET.

The library that speaks Connect's streams speaks these too, and takes as long for one as all that is done behind it.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final
from urllib.parse import parse_qsl

from google.protobuf.message import Message as Request

from whitehall.api import json_sentences as say
from whitehall.api.compression import decompressed
from whitehall.api.connect_refusal import connect_body
from whitehall.api.desk import Desk
from whitehall.api.endpoint import Unary, answer_type, is_safe
from whitehall.api.http_exchange import Exchange
from whitehall.api.http_message import Message, Receive, Send
from whitehall.api.json_reading import read_json
from whitehall.api.json_writing import json_writer
from whitehall.api.pipeline import answer, respond
from whitehall.api.problems import problem
from whitehall.games.core.sentences import MUST_BE_GIVEN
from whitehall.sessions.refusal import Reason, Refusal, invalid_field

JSON: Final = "application/json"
PROTO: Final = "application/proto"
UNARY_TYPES: Final = (JSON, PROTO)
"""The content types of these calls."""

VERSION: Final = "connect-protocol-version"
TIMEOUT: Final = "connect-timeout-ms"

_TIMEOUT = re.compile(r"[0-9]{1,10}")
_ENCODINGS: Final[Mapping[str, str]] = {"json": JSON, "proto": PROTO}
_PARAMETERS: Final = frozenset({"base64", "compression", "connect", "encoding", "message"})
"""What the address of a GET may say."""
_NEEDED: Final = ("encoding", "message")
_CONSTANT: Final[Mapping[str, str]] = {"connect": "v1", "base64": "1"}
"""Parameters that may be left out, and the one value that they have otherwise."""


class ConnectUnary:
    """One endpoint as Connect calls it. A message may have so many bytes."""

    def __init__(self, endpoint: Unary, desk: Desk, message_bytes: int) -> None:
        self._endpoint = endpoint
        self._method = desk.method(endpoint, "connect")
        self._message_bytes = message_bytes
        self._write_json = json_writer(answer_type(endpoint), endpoint.recurring)
        self._tells_secrets = not is_safe(endpoint)

    async def answer(self, scope: Message, receive: Receive, send: Send, kind: str) -> None:
        """Answers a POST whose body is of this content type."""
        exchange = Exchange(scope, receive, send, self._message_bytes)
        await self._answer(exchange, lambda: (exchange.body(), kind))

    async def answer_get(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answers a GET."""
        exchange = Exchange(scope, receive, send, self._message_bytes)
        await self._answer(exchange, lambda: _in_query(scope["query_string"], self._message_bytes))

    async def _answer(self, exchange: Exchange, message: Callable[[], tuple[bytes, str]]) -> None:
        endpoint = self._endpoint
        timeout = exchange.headers.get(TIMEOUT)
        is_number = timeout is not None and _TIMEOUT.fullmatch(timeout) is not None
        seconds = int(timeout) / 1000 if timeout is not None and is_number else None
        visit = self._method.visit(exchange.headers, seconds)
        try:
            with visit as call:
                await exchange.read_body()
                if timeout is not None and not is_number:
                    raise invalid_field(TIMEOUT, say.NO_VALUE)
                if seconds == 0:
                    raise Refusal(Reason.DEADLINE_EXCEEDED)
                if exchange.headers.get(VERSION, "1") != "1":
                    raise invalid_field(VERSION, say.NO_VALUE)
                data, kind = message()
                with self._method.desk.place():
                    if kind == JSON:
                        reading = partial(_read, endpoint.request, data)
                        told = self._write_json(await respond(endpoint, reading, call))
                    else:
                        told = await answer(endpoint, data, call)
        except Refusal as refusal:
            await exchange.refuse(problem(refusal, visit.language, write=connect_body))
        else:
            await exchange.answer(told, [(b"content-type", kind.encode())], tells_secrets=self._tells_secrets)


def _read(kind: type[Request], data: bytes) -> tuple[Request, int]:
    """The request that a body in JSON says, and its size."""
    return read_json(kind, data), len(data)


def _in_query(query: bytes, message_bytes: int) -> tuple[bytes, str]:
    """The message that an address holds, and its content type. Raises a `Refusal`."""
    try:
        pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict")
    except ValueError:
        raise Refusal(Reason.MALFORMED_REQUEST, metadata={"type": "query"}) from None
    parameters: dict[str, str] = {}
    for name, value in pairs:
        # A token, by whatever name it comes, is refused here as everywhere.
        if name not in _PARAMETERS:
            raise invalid_field(say.shown(name), say.NO_PARAMETER)
        if name in parameters:
            raise invalid_field(name, say.TWICE)
        parameters[name] = value
    for name, only in _CONSTANT.items():
        if parameters.get(name, only) != only:
            raise invalid_field(name, say.one_of([only]))
    for name in _NEEDED:
        if name not in parameters:
            raise invalid_field(name, MUST_BE_GIVEN)
    kind = _ENCODINGS.get(parameters["encoding"])
    if kind is None:
        raise invalid_field("encoding", say.one_of(_ENCODINGS))
    data = parameters["message"].encode()
    if "base64" in parameters:
        data = _unarmoured(data)
    return decompressed(data, parameters.get("compression"), message_bytes), kind


def _unarmoured(text: bytes) -> bytes:
    """What stands in Base64, in the alphabet for addresses, padded or not."""
    bare = text.rstrip(b"=")
    try:
        return base64.b64decode(bare + b"=" * (-len(bare) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        raise invalid_field("message", say.BASE64) from None
