"""The traceparent header by the rules of the W3C's Trace Context."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whitehall.telemetry import trace

TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
SPAN_ID = "00f067aa0ba902b7"


@pytest.mark.parametrize("flags", ["00", "01", "02", "ff"])
def test_a_header_of_the_present_version_is_read_whatever_its_flags(flags: str) -> None:
    assert trace.parse(f"00-{TRACE_ID}-{SPAN_ID}-{flags}") == TRACE_ID


def test_a_later_version_may_say_more_and_is_read_as_far_as_it_is_known() -> None:
    assert trace.parse(f"01-{TRACE_ID}-{SPAN_ID}-01") == TRACE_ID
    assert trace.parse(f"cc-{TRACE_ID}-{SPAN_ID}-01-what-the-future-brings") == TRACE_ID


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "00",
        f"00-{TRACE_ID}-{SPAN_ID}",
        f"00-{TRACE_ID}-{SPAN_ID}-01-more",
        f"00-{TRACE_ID}-{SPAN_ID}-01-",
        f"cc-{TRACE_ID}-{SPAN_ID}-01.more",
        f"ff-{TRACE_ID}-{SPAN_ID}-01",
        f"00-{'0' * 32}-{SPAN_ID}-01",
        f"00-{TRACE_ID}-{'0' * 16}-01",
        f"00-{TRACE_ID.upper()}-{SPAN_ID}-01",
        f"00-{TRACE_ID[1:]}-{SPAN_ID}-01",
        f"00-{TRACE_ID}-{SPAN_ID}-0x",
        f" 00-{TRACE_ID}-{SPAN_ID}-01",
        f"00-{TRACE_ID}-{SPAN_ID}-01\n",
        f"٠٠-{TRACE_ID}-{SPAN_ID}-01",
    ],
)
def test_an_invalid_header_counts_as_none(header: str | None) -> None:
    assert trace.parse(header) is None


@given(st.text() | st.from_regex(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}.?", fullmatch=True))
def test_whatever_a_caller_sends_gives_a_well_formed_trace_id_or_none(header: str) -> None:
    found = trace.parse(header)
    assert found is None or re.fullmatch("[0-9a-f]{32}", found)
