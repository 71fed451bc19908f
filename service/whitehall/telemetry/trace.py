"""Trace ids, as the W3C's `traceparent` header carries them: one id for all that one request of a user sets off."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

HEADER: Final = "traceparent"
"""The header's, or gRPC metadata key's, name."""

_TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?", re.DOTALL)
_NO_VERSION: Final = "ff"
_NO_TRACE: Final = "0" * 32
_NO_SPAN: Final = "0" * 16
_SAMPLED: Final = 1


class Trace(NamedTuple):
    """One step of a trace."""

    trace_id: str
    """32 hexadecimal digits, not all 0: the same in every step."""
    span_id: str
    """16 hexadecimal digits, not all 0: this step's own."""
    sampled: bool
    """Whether the trace is being recorded somewhere, so that its id leads to more."""


def parse(traceparent: str | None) -> Trace | None:
    """The step that a header tells of; None where there is no header or, as the standard demands, an invalid one."""
    if traceparent is None or (match := _TRACEPARENT.fullmatch(traceparent)) is None:
        return None
    version, trace_id, span_id, flags, more = match.groups()
    if version == _NO_VERSION or trace_id == _NO_TRACE or span_id == _NO_SPAN:
        return None
    if version == "00" and more is not None:
        return None
    return Trace(trace_id, span_id, bool(int(flags, 16) & _SAMPLED))
