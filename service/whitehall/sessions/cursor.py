"""Cursors: where a watcher stands in a game's history."""

import re

from whitehall.sessions.store import Version

_CURSOR = re.compile(r"([1-9][0-9]{0,8})-([0-9a-f]{16})")


def cursor(version: Version) -> str:
    """The cursor of one who has seen `version`. It names the very write, so that a lost one is not taken for it."""
    return f"{version.revision}-{version.write_id.hex()}"


def parse_cursor(text: str) -> Version | None:
    """The version that a cursor stands for, or None where it is no cursor of ours."""
    match = _CURSOR.fullmatch(text)
    return Version(int(match[1]), bytes.fromhex(match[2])) if match else None
