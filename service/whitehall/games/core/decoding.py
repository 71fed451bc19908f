"""Encoded messages read as they lie there: the counterpart of `encoding`, for what is asked by the thousand.

To ask a message object for its numbers, one by one and by their names, takes several times as long as to go through its
bytes once, and longer than all that the rules then make of them.
"""

from collections.abc import Sequence
from typing import Final

from whitehall.games.core.encoding import LENGTH_DELIMITED, embedded

Scanned = tuple[list[int], list[tuple[int, bytes]]]

_HIGHEST_FIELD: Final = 15
_VARINT: Final = 0
_LONGEST_NUMBER: Final = 10
"""Bytes."""


def scan(message: bytes, repeated: int = 0) -> Scanned | None:
    """A message's numbers by their fields, 0 where there is none, and its strings and messages in their order, encoded.

    The fields must be integers without `sint` or `fixed` in their types' names, booleans, enums, strings or messages,
    and but for the `repeated` one each holds one value. None for what is not written plainly: with fields beyond 15,
    fields of other types, fields twice or out of order, numbers in more bytes than they need or more bits than there
    are, or cut off. That may be a message all the same, and what protobuf's own library writes of known fields is
    always plain.
    """
    numbers = [0] * (_HIGHEST_FIELD + 1)
    parts: list[tuple[int, bytes]] = []
    before = 0
    at, end = 0, len(message)
    while at < end:
        tag = message[at]
        field, form = tag >> 3, tag & 7
        if (
            not 0 < field <= _HIGHEST_FIELD
            or field < before
            or (field == before and field != repeated)
            or at + 1 == end
        ):
            return None
        before = field
        # Nearly every number has one byte.
        number = message[at + 1]
        at += 2
        if number > 0x7F:
            number, at = _number(message, at - 1)
            if at == 0:
                return None
        if form == _VARINT:
            numbers[field] = number
        elif form == LENGTH_DELIMITED and 0 <= number <= end - at:
            parts.append((field, message[at : at + number]))
            at += number
        else:
            return None
    return numbers, parts


def elements(message: bytes, field: int) -> list[bytes] | None:
    """What an encoded message holds in the repeated `field` of strings or messages, if that is all that it holds."""
    scanned = scan(message, field)
    if scanned is None or any(scanned[0]):
        return None
    parts = scanned[1]
    # The fields are in their order.
    if parts and not parts[0][0] == parts[-1][0] == field:
        return None
    return [part for _, part in parts]


def cut_out(message: bytes, path: Sequence[int]) -> tuple[bytes, list[list[bytes]]] | None:
    """A message without what a repeated field holds to which a `path` of fields leads, all of messages; and what it
    held, a list for each message that has the field, in their order. None for what `scan` would not read either, but
    that fields may stand twice and in any order.
    """
    found: list[list[bytes]] = []
    rest = _cut_out(message, path, 0, found)
    return None if rest is None else (rest, found)


def _cut_out(message: bytes, path: Sequence[int], step: int, found: list[list[bytes]]) -> bytes | None:
    """The message without it, `step` fields down the path."""
    way = path[step]
    is_there = step + 1 == len(path)
    here: list[bytes] = []
    if is_there:
        found.append(here)
    rest: list[bytes] = []
    at, end = 0, len(message)
    while at < end:
        begins = at
        tag = message[at]
        if not 0 < tag >> 3 <= _HIGHEST_FIELD or at + 1 == end:
            return None
        number = message[at + 1]
        at += 2
        if number > 0x7F:
            number, at = _number(message, at - 1)
            if at == 0:
                return None
        if tag & 7 == LENGTH_DELIMITED:
            if not 0 <= number <= end - at:
                return None
            begun, at = at, at + number
            if tag >> 3 == way:
                part = message[begun:at]
                if is_there:
                    here.append(part)
                    continue
                inner = _cut_out(part, path, step + 1, found)
                if inner is None:
                    return None
                rest.append(embedded(way, inner))
                continue
        elif tag & 7 != _VARINT:
            return None
        rest.append(message[begins:at])
    return b"".join(rest)


def _number(message: bytes, at: int) -> tuple[int, int]:
    """The number that is written at this place, and where what follows it begins: 0 where it is not written plainly."""
    number = shift = 0
    for place in range(at, min(at + _LONGEST_NUMBER, len(message))):
        byte = message[place]
        number |= (byte & 0x7F) << shift
        if byte <= 0x7F:
            if byte == 0 or number >> 64:
                break
            # A negative one is written as if it had 64 bits.
            return (number - (1 << 64) if number >> 63 else number), place + 1
        shift += 7
    return 0, 0
