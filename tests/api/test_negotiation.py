"""Accept says how much a client likes what is offered."""

from __future__ import annotations

import pytest

from whitehall.api.negotiation import is_json, quality


@pytest.mark.parametrize(
    ("header", "offered", "liked"),
    [
        (None, "application/json", 1),
        ("", "application/json", 1),
        ("application/json", "application/json", 1),
        ("Application/JSON", "application/json", 1),
        ("text/html", "application/json", 0),
        ("*/*", "application/json", 1),
        ("application/*;q=0.5", "application/json", 0.5),
        ("*/*;q=0.1, application/json;q=0.9", "application/json", 0.9),
        ("application/json;q=0, */*", "application/json", 0),
        ("text/*, */*;q=0.2", "application/json", 0.2),
        ("application/json; charset=utf-8; q=0.3", "application/json", 0.3),
        ("application/json;q=high", "application/json", 0),
        ("application/json;q=1.1", "application/json", 0),
        ("text/event-stream, application/json;q=0.5", "text/event-stream", 1),
        ("gzip", "gzip", 1),
        ("*", "gzip", 1),
        ("identity", "gzip", 0),
        ("gzip;q=0", "gzip", 0),
        ("br, gzip;q=0.8", "gzip", 0.8),
    ],
)
def test_the_closest_range_counts(header: str | None, offered: str, liked: float) -> None:
    assert quality(header, offered) == liked


@pytest.mark.parametrize(
    ("content_type", "is_it"),
    [
        ("application/json", True),
        ("Application/JSON; charset=UTF-8", True),
        ('application/json;charset="utf-8"', True),
        (" application/json ; charset=utf-8 ", True),
        ("application/json; charset=latin-1", False),
        ('application/json; charset="utf-8', False),
        ("application/json; charset=utf-8; charset=latin-1", False),
        ("application/x-www-form-urlencoded", False),
        ("text/plain", False),
        ("application/json-seq", False),
        ("", False),
        (None, False),
    ],
)
def test_only_json_is_json(content_type: str | None, is_it: bool) -> None:
    assert is_json(content_type) is is_it
