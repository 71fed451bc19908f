"""A message inside a message, as bytes: for answers that are joined from parts which were encoded once.

A repeated field is the concatenation of its elements. Encoding a hundred moves as messages would cost more than all the
rest of a call; joining a hundred pieces of bytes costs next to nothing.
"""

from typing import Final

LENGTH_DELIMITED: Final = 2
"""How a field is written that holds a string or a message."""


def embedded(field: int, payload: bytes) -> bytes:
    """The field with number `field` (1 to 15) that holds an encoded message: its tag, its length, its bytes."""
    size = len(payload)
    if size < 0x80:
        return bytes((field << 3 | LENGTH_DELIMITED, size)) + payload
    encoded = bytearray((field << 3 | LENGTH_DELIMITED,))
    while size > 0x7F:
        encoded.append(size & 0x7F | 0x80)
        size >>= 7
    encoded.append(size)
    return bytes(encoded) + payload
