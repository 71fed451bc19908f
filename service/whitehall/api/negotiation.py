"""Negotiation: what a client says that it can read, and what it says that it sends."""

from __future__ import annotations

import re
from typing import Final

JSON: Final = "application/json"
EVENTS: Final = "text/event-stream"

_QUALITY = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")
# Between two semicolons, or behind the last one, there may be nothing (RFC 9110, 5.6.6).
_UTF8 = re.compile(r'[^;]*(?:;\s*)*(?:charset=(?:utf-8|"utf-8")\s*(?:;\s*)*)?', re.IGNORECASE)


def quality(header: str | None, offered: str) -> float:
    """How well the client likes what is offered, 0 to 1, by an Accept or Accept-Encoding header. The closest range
    counts: a type itself before `text/*`, and that before `*/*`. Without a header everything is welcome.
    """
    if header is None or not header.strip():
        return 1.0
    best: tuple[int, float] = (-1, 0.0)
    for part in header.lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        ranges = (("*/*", "*"), (f"{offered.partition('/')[0]}/*",), (offered,))
        closeness = next((rank for rank, names in enumerate(ranges) if name in names), -1)
        weight = 1.0
        for parameter in parameters:
            key, _, value = parameter.partition("=")
            if key.strip() == "q":
                weight = float(value) if _QUALITY.fullmatch(value) else 0.0
        best = max(best, (closeness, weight if closeness >= 0 else 0.0))
    return best[1]


def media_type(content_type: str | None) -> str:
    """What kind of body it is, without its parameters."""
    return "" if content_type is None else content_type.partition(";")[0].strip().lower()


def is_utf8(content_type: str | None) -> bool:
    """Whether nothing is said of a body but its kind, or that it is in UTF-8: all JSON is."""
    return _UTF8.fullmatch(content_type or "") is not None


def is_json(content_type: str | None) -> bool:
    """Whether a body is sent as JSON.

    Nothing else will do, not even nothing: a web page may send any other kind across origins without asking first.
    """
    return media_type(content_type) == JSON and is_utf8(content_type)
