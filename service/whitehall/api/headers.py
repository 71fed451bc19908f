"""Headers, which gRPC calls metadata: read in one way at every door."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

Header = tuple[str, str | bytes]
"""One of them. The name is in lower case; a value of bytes is gRPC's, and none that we read."""
Headers = Mapping[str, str]
"""All of them, by their names."""


def by_name(pairs: Collection[Header]) -> Headers:
    """Headers by their names. One that stands several times has all its values, as RFC 9110 reads them: with commas
    between. So no value wins over another without a word.
    """
    headers: dict[str, Any] = dict(pairs)
    if len(headers) < len(pairs):
        found: dict[str, list[str | bytes]] = {}
        for name, value in pairs:
            found.setdefault(name, []).append(value)
        for name, values in found.items():
            if len(values) > 1:
                headers[name] = ", ".join(value for value in values if isinstance(value, str))
    return headers
