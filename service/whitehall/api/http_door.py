"""The HTTP door: one address for all protocols that run over HTTP, each of them an app behind it.

| first segment of the path  | app                                                                |
|----------------------------|--------------------------------------------------------------------|
| a service's full name      | Connect and gRPC-Web (`whitehall.api.connect_app`)                 |
| whatever another app names | that app; see `whitehall.api.http_message.App` for how one is made |

The door knows nothing of what is asked. It bounds the request, tells browsers which pages may call, and puts on every
answer what makes it safe to give to one.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from urllib.parse import unquote

from whitehall.api.cors import Cors
from whitehall.api.http_body import Bounded
from whitehall.api.http_limits import HttpLimits
from whitehall.api.http_message import App, Message, RawHeader, Receive, Send, headers_of
from whitehall.api.http_refusal import refuse
from whitehall.api.http_server import HttpServer
from whitehall.api.problems import PATH, unsupported

CACHE_CONTROL = b"cache-control"
SAFE_HEADERS = (
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (CACHE_CONTROL, b"private, no-store"),
)
"""What every answer bears; the last one unless it says itself who may keep it."""


class HttpDoor:
    """An HTTP server on one address. `start` binds it; `close` lets running calls end."""

    def __init__(
        self,
        apps: Iterable[App],
        limits: HttpLimits,
        *,
        cors: Cors | None = None,
        tls: ssl.SSLContext | None = None,
        shares_port: bool = False,
    ) -> None:
        """`cors` says which pages may call, by default none. With `tls` there is nothing but HTTPS. With `shares_port`
        other processes may listen on its address too.
        """
        self._limits = limits
        self._shares_port = shares_port
        self._apps = {segment: app for app in apps for segment in app.segments}
        self._is_going = False
        self._cors = cors or Cors(())
        self._server = HttpServer(self._answer, limits.connections, tls, self._safety)

    async def start(self, address: str) -> int:
        """Listens, and returns the port. Raises `OSError` where the address can't be had."""
        try:
            return int((await self._server.start(address, shares_port=self._shares_port)).rpartition(":")[2])
        except OSError as error:
            raise OSError(f"HTTP {error}") from error

    def going_away(self) -> None:
        """From now on each connection ends with its next answer, so that clients open the next one elsewhere."""
        self._is_going = True

    async def close(self, grace: float) -> None:
        """Takes no more requests, and returns when the running ones have ended or `grace` seconds have passed."""
        await self._server.close(grace)

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        safely = self._safely(scope, send)
        if await self._cors.answer_preflight(scope, safely):
            return
        app = self._apps.get(unquote(scope["raw_path"].decode("latin-1").partition("/")[2].partition("/")[0]))
        if app is None:
            await refuse(scope, safely, unsupported(PATH))
            return
        limits = self._limits
        # The parser has seen to it that this is a number.
        declared = int(headers_of(scope).get("content-length", "0"))
        body = Bounded(receive, limits.body_bytes, limits.body_seconds, declared, told=limits.message_bytes)
        await app(scope, body, safely)

    def _safety(self, scope: Message) -> list[RawHeader]:
        """What an answer to this request has to bear."""
        return [*SAFE_HEADERS, *self._cors.headers(scope)]

    def _safely(self, scope: Message, send: Send) -> Send:
        async def safely(event: Message) -> None:
            if event["type"] == "http.response.start":
                headers = [*event.get("headers", ())]
                cached = any(name == CACHE_CONTROL for name, _ in headers)
                headers += [each for each in self._safety(scope) if not cached or each[0] != CACHE_CONTROL]
                if self._is_going:
                    headers.append((b"connection", b"close"))
                event["headers"] = headers
            await send(event)

        return safely
