"""Encoded messages read as they lie there: the counterpart of `encoding`, for what is asked by the thousand.

To ask a message object for its numbers, one by one and by their names, takes several times as long as to go through its
bytes once, and longer than all that the rules then make of them.
"""

from typing import Final

Scanned = tuple[list[int], list[tuple[int, bytes]]]

_HIGHEST_FIELD: Final = 15

# How a field is written.
_VARINT: Final = 0
_FIXED_64: Final = 1
_LENGTH_DELIMITED: Final = 2
_GROUP_END: Final = 4
_FIXED_32: Final = 5


def scan(message: bytes) -> Scanned:
    """A message's numbers by their fields, 0 where there is none, and its strings and messages in their order, encoded.

    The fields must have numbers up to 15 and be integers without `sint` or `fixed` in their types' names, booleans,
    enums, strings or messages. Others are passed over, as unknown ones are. The message must be one that protobuf's own
    library has written: it is not checked again.
    """
    numbers = [0] * (_HIGHEST_FIELD + 1)
    parts: list[tuple[int, bytes]] = []
    at, end = 0, len(message)
    while at < end:
        # Nearly every number has one byte.
        tag = message[at]
        at += 1
        if tag > 0x7F:
            tag, at = _number(message, at - 1)
        field, form = tag >> 3, tag & 7
        if form != _VARINT and form != _LENGTH_DELIMITED:
            at = _beyond(message, at, form)
            continue
        number = message[at]
        at += 1
        if number > 0x7F:
            number, at = _number(message, at - 1)
        if form == _LENGTH_DELIMITED:
            parts.append((field, message[at : at + number]))
            at += number
        elif field <= _HIGHEST_FIELD:
            numbers[field] = number
    return numbers, parts


def _number(message: bytes, at: int) -> tuple[int, int]:
    """The number that is written at this place, and where what follows it begins."""
    byte = message[at]
    if byte <= 0x7F:
        return byte, at + 1
    number, shift = byte & 0x7F, 0
    while byte > 0x7F:
        at += 1
        shift += 7
        byte = message[at]
        number |= (byte & 0x7F) << shift
    # A negative one is written as if it had 64 bits.
    return (number - (1 << 64) if number >> 63 else number), at + 1


def _beyond(message: bytes, at: int, form: int) -> int:
    """Where the content ends that begins at this place, of a field in one of the forms that are passed over."""
    if form == _FIXED_64:
        return at + 8
    if form == _FIXED_32:
        return at + 4
    # A group: fields up to a mark.
    while True:
        tag, at = _number(message, at)
        form = tag & 7
        if form == _GROUP_END:
            return at
        if form == _VARINT:
            _, at = _number(message, at)
        elif form == _LENGTH_DELIMITED:
            size, at = _number(message, at)
            at += size
        else:
            at = _beyond(message, at, form)
