"""File descriptors: how many this process may have, and so how many connections."""

from __future__ import annotations

import resource
from typing import Final

_OWN: Final = 256
"""What the process needs besides: files, the admin port, listeners, links to workers, refusals that are being read."""


class TooFewDescriptors(OSError):
    """The process may not open enough files to serve anybody."""


def connections(wanted: int, doors: int, besides: int) -> int:
    """How many connections each of so many doors may have: as many as are wanted, or as the system allows.

    Raises this process's limit as far as need be and may be. `besides` are descriptors that somebody else needs.
    Raises `TooFewDescriptors` where none would be left.
    """
    kept = _OWN + besides
    room = (_limit(kept + wanted * doors) - kept) // doors
    if room < 1:
        raise TooFewDescriptors(
            f"this process may open too few files: it needs more than {kept + doors}; raise the limit (ulimit -n)"
        )
    return min(wanted, room)


def _limit(wanted: int) -> int:
    """The limit after it has been raised so far, or as far as it may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if most > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (OSError, ValueError):  # Some systems have a lower one of which they do not tell.
            return soft
        return most
    return soft
