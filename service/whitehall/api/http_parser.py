"""llhttp for a server that speaks HTTP/1 only: what is asked in the hope of another protocol is read like the rest."""

from __future__ import annotations

from typing import Final, Protocol

import httptools

from whitehall.api.http_message import RawHeader

_CONNECT: Final = b"CONNECT"


class Listener(Protocol):
    """Who is told what has been read, and keeps the line and the headers of the request that is being read."""

    parser: httptools.HttpRequestParser
    url: bytes
    headers: list[RawHeader]

    def on_message_begin(self) -> None:
        """A request begins."""

    def on_url(self, url: bytes) -> None:
        """A part of its target."""

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header of it."""

    def on_headers_complete(self) -> None:
        """Its head is complete."""

    def on_body(self, body: bytes) -> None:
        """A part of its body."""

    def on_message_complete(self) -> None:
        """It is complete."""


class RequestParser(httptools.HttpRequestParser):
    """Java's client, and `curl --http2`, would rather speak HTTP/2, ask so each time, and do as well without: a server
    may go on as if nothing had been asked (RFC 9110, 7.8). llhttp may not. It leaves what stands behind such a head to
    the other protocol, and has closed where the request is the last one of its connection. So the head is read once
    more, without the wish and by a parser that knows nothing of it.
    """

    def __init__(self, listener: Listener) -> None:
        self._ear = _Ear(listener)
        self._begin()

    def _begin(self) -> None:
        super().__init__(self._ear)
        # What comes behind the last request is for the connection to judge, which has yet to answer that.
        self.set_dangerous_leniencies(lenient_data_after_close=True)

    def feed_data(self, data: bytes) -> None:  # type: ignore[override]
        """Reads on. Raises `httptools.HttpParserError` for what is no HTTP."""
        while data:
            try:
                super().feed_data(data)
            except httptools.HttpParserUpgrade as stopped:
                wishless, self._ear.wishless = self._ear.wishless, b""
                data = wishless + data[stopped.args[0] :]
                if wishless:
                    self._begin()
            else:
                return


class _Ear:
    """Passes on what is read, but for the end of a head that has to be read again."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self.wishless = b""
        """A head that asks for another protocol, without asking so."""
        self.on_message_begin = listener.on_message_begin
        self.on_url = listener.on_url
        self.on_header = listener.on_header
        self.on_body = listener.on_body

    def on_headers_complete(self) -> None:
        parser = self._listener.parser
        # After CONNECT too llhttp stops, but there it has read all there is.
        if parser.should_upgrade() and parser.get_method() != _CONNECT:
            self.wishless = self._without_wish(parser)
        else:
            self._listener.on_headers_complete()

    def on_message_complete(self) -> None:
        if not self.wishless:
            self._listener.on_message_complete()

    def _without_wish(self, parser: httptools.HttpRequestParser) -> bytes:
        line = (parser.get_method(), self._listener.url, parser.get_http_version().encode())
        headers = (b"%b: %b\r\n" % header for header in self._listener.headers if header[0] != b"upgrade")
        return b"%b %b HTTP/%b\r\n" % line + b"".join(headers) + b"\r\n"
