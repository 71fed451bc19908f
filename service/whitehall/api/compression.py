"""Compression of bodies over HTTP: gzip, in both directions, and nothing else."""

from __future__ import annotations

import asyncio
import zlib
from typing import Final

from whitehall.api.negotiation import quality
from whitehall.api.problems import COMPRESSION, unsupported
from whitehall.sessions.refusal import Reason, Refusal

GZIP: Final = "gzip"
SUPPORTED: Final = (GZIP, "identity")

WORTH_IT: Final = 4096
"""Bytes from which on an answer is compressed for those who can read it: smaller ones cost more than they save."""
_APART: Final = 262_144
"""Bytes from which on it is compressed in a thread, lest others wait."""
_GZIP_FORMAT: Final = 31
"""zlib's name for it, with the largest window."""


def decompressed(data: bytes, coding: str | None, limit: int) -> bytes:
    """A request's body as it was before it was compressed. Raises the refusal of one that would have more than `limit`
    bytes, of which no more are unpacked; of one that is torn; and of a coding that nobody knows.
    """
    match (coding or "identity").strip().lower():
        case "identity":
            plain = data
        case "gzip" | "x-gzip":
            plain = _unpacked(data, limit + 1)
        case _:
            raise unsupported(COMPRESSION, *SUPPORTED)
    if len(plain) > limit:
        raise Refusal(Reason.REQUEST_TOO_LARGE, metadata={"limit": limit})
    return plain


def _unpacked(data: bytes, most: int) -> bytes:
    unpacking = zlib.decompressobj(_GZIP_FORMAT)
    try:
        plain = unpacking.decompress(data, most)
    except zlib.error:
        plain = b""
    if len(plain) < most and (not unpacking.eof or unpacking.unused_data):
        raise Refusal(Reason.MALFORMED_REQUEST, metadata={"type": GZIP})
    return plain


def reads_gzip(accept_encoding: str | None) -> bool:
    """Whether a client can read compressed answers, and has said so. One that says nothing in its header wants none
    (RFC 9110, 12.5.3).
    """
    return bool(accept_encoding and accept_encoding.strip()) and quality(accept_encoding, GZIP) > 0


async def compressed(data: bytes) -> bytes:
    """An answer's body, compressed."""
    return _packed(data) if len(data) < _APART else await asyncio.to_thread(_packed, data)


def _packed(data: bytes) -> bytes:
    # Level 1: more would take longer than it saves on the way.
    packing = zlib.compressobj(1, wbits=_GZIP_FORMAT)
    return packing.compress(data) + packing.flush()
