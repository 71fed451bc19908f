"""Faults of the caller's own, which are told at once: no call could mend them, and no secret is repeated."""

from __future__ import annotations

import math
import re

_URL = re.compile(r"\s*https?://", re.IGNORECASE)
_TOKEN = re.compile(r"[\x21-\x7e]*")
_KEY = re.compile(r"[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+")
"""`id:secret`."""
_LANGUAGE = re.compile(r"[\x20-\x7e]*")
"""What a header can bear: `fr-CH, fr;q=0.9`, say."""
_YEAR_SECONDS = 365 * 24 * 60 * 60.0


def checked_target(target: str) -> str:
    """The target, which is there and none of HTTP. Raises `ValueError`."""
    if target and target == target.strip() and not any(map(_URL.match, target.split(","))):
        return target
    raise ValueError(
        "A target is the host:port of gRPC, such as localhost:50051, without http:// or https:// before it, and "
        "without spaces. The service speaks HTTP at another port."
    )


def checked_token(token: str) -> str:
    """The token, which may be sent in a header. Raises `ValueError`, which does not tell it."""
    if _TOKEN.fullmatch(token):
        return token
    raise ValueError("A token has characters that tokens don't have. Is it whole, and without spaces and line breaks?")


def checked_key(key: str) -> str:
    """An operator's key, which has both of its parts and may be sent in a header. Raises `ValueError`, which does not
    tell it.
    """
    if _KEY.fullmatch(key):
        return key
    raise ValueError(
        "An operator's key has two parts with a colon between them, of characters that keys have. "
        "Is it whole, and without spaces and line breaks?"
    )


def checked_seconds(seconds: float) -> float:
    """For how long to wait: a year for any more, infinity included, as gRPC takes what is too long for a time that has
    passed. Raises `ValueError` where it is no number.
    """
    if math.isnan(seconds):
        raise ValueError("A time is a number of seconds.")
    return min(seconds, _YEAR_SECONDS)


def checked_language(language: str) -> str:
    """The language, which may be sent in a header. Raises `ValueError`."""
    if _LANGUAGE.fullmatch(language):
        return language
    raise ValueError("The language has characters that languages don't have. It is en or fr, say.")
