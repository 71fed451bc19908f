"""Where the parts of a game lie in Redis, and how they are packed. The Lua scripts rely on the same sizes.

`wh:{<game id>}:g` is a hash: `v` version, `s` snapshot, `g` token generations, `d` digest of the creation, and under
the number of each holder that has named a request the records of its last 8 requests, newest first.
`wh:{<game id>}:l` is the list of log entries, each behind the id of the write that made it. The braces keep both keys
in one cluster slot.
The channel of a game's notices is named as its hash.
"""

from __future__ import annotations

import struct

from whitehall.sessions.store import WRITE_ID_BYTES, LogEntry, Stored, Version

_VERSION = struct.Struct(f">{WRITE_ID_BYTES}sI")
_REQUEST_DIGEST_BYTES = 4
"""Of the digest's 8 bytes, to save memory: it guards a client against its own mistakes, not against an enemy."""


def game_key(game_id: str) -> bytes:
    """The key of a game's hash, and the name of its channel."""
    return b"wh:{%b}:g" % game_id.encode()


def log_key(game_id: str) -> bytes:
    """The key of a game's log."""
    return b"wh:{%b}:l" % game_id.encode()


def secret_key(name: str) -> bytes:
    """The key of a secret that all replicas share."""
    return b"wh:secret:%b" % name.encode()


def probe_key(name: str) -> bytes:
    """A key that readiness checks write, and that holds nothing. In a cluster its name decides whose it is."""
    return b"wh:probe:{%b}" % name.encode()


def pack_version(version: Version) -> bytes:
    """12 bytes that are equal only for equal versions."""
    return _VERSION.pack(version.write_id, version.revision)


def pack_generation(generation: int) -> bytes:
    """4 bytes."""
    return generation.to_bytes(4, "big")


def pack_generations(generations: tuple[int, ...]) -> bytes:
    """4 bytes for each holder."""
    return b"".join(map(pack_generation, generations))


def pack_request_digest(digest: bytes) -> bytes:
    """The part of a request's digest that is kept."""
    return digest[:_REQUEST_DIGEST_BYTES]


def unpack_request_record(record: bytes) -> tuple[bytes, int]:
    """What is kept of a request's digest, and the revision that the request made."""
    return record[:_REQUEST_DIGEST_BYTES], int.from_bytes(record[_REQUEST_DIGEST_BYTES:], "big")


def unpack_stored(version: bytes, snapshot: bytes, generations: bytes, expires_ms: int) -> Stored:
    """A game as the scripts answer it: three fields of its hash, and when it expires."""
    write_id, revision = _VERSION.unpack(version)
    holders = struct.unpack(f">{len(generations) // 4}I", generations)
    return Stored(Version(revision, write_id), snapshot, holders, expires_ms)


def unpack_entry(revision: int, item: bytes) -> LogEntry:
    """An entry as the list holds it."""
    return LogEntry(revision, item[:WRITE_ID_BYTES], item[WRITE_ID_BYTES:])
