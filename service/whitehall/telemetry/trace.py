"""Trace ids, as the W3C's `traceparent` header carries them: one id for all that one request of a user sets off."""

from __future__ import annotations

import re
from typing import Final

HEADER: Final = "traceparent"
"""The header's, or gRPC metadata key's, name."""

_TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?", re.DOTALL)
_NO_VERSION: Final = "ff"
_NO_TRACE: Final = "0" * 32
_NO_SPAN: Final = "0" * 16


def parse(traceparent: str | None) -> str | None:
    """The trace id that a header tells, 32 hexadecimal digits; None where there is no header or, as the standard
    demands, an invalid one.
    """
    if traceparent is None or (match := _TRACEPARENT.fullmatch(traceparent)) is None:
        return None
    version, trace_id, span_id, more = match.groups()
    if version == _NO_VERSION or trace_id == _NO_TRACE or span_id == _NO_SPAN:
        return None
    if version == "00" and more is not None:
        return None
    return trace_id
