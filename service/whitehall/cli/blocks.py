"""Blocks of lines: what is read of arguments, files and stdin in one go, so that many answers cost one writing.

Reading takes what has come, and not more than there is room for, however long the input is and even if it never ends.
"""

import codecs
from collections.abc import Iterator, Sequence
from typing import IO, NamedTuple

import click

BLOCK_BYTES = 1 << 16
"""At most so much is read at a time, some hundreds of questions."""

_MARK = codecs.BOM_UTF8
"""What editors and shells on Windows begin a text with. It is no part of it."""

LONGEST_LINE = 1 << 20
"""No question is longer, in bytes. Of a longer line one byte more than that is handed on, by which it is known."""


class Block(NamedTuple):
    """Lines that follow one another, and where they stand. `size` is what the progress counts: bytes of files."""

    lines: bytes
    place: str
    first_line: int
    size: int


def blocks(arguments: Sequence[str], files: Sequence[str]) -> Iterator[Block]:
    """What is asked in arguments and files, in that order, or on stdin where there are neither."""
    for number, argument in enumerate(arguments, 1):
        # A line break in an argument would make two questions of it; to the notation all white space is the same.
        line = " ".join(argument.splitlines()).encode(errors="replace")
        yield Block(line + b"\n", "arguments", number, 0)
    for file in files or ([] if arguments else ["-"]):
        with click.open_file(file, "rb") as opened:
            yield from _of_file(opened, file)


def _of_file(opened: IO[bytes], place: str) -> Iterator[Block]:
    rest, number, cut, size = b"", 1, False, 0
    while True:
        # What is there by now; a buffered file alone knows this way of reading.
        data: bytes = opened.read1(BLOCK_BYTES)  # type: ignore[attr-defined]
        size += len(data)
        if not data:
            break
        if cut:  # the end of a line that was too long
            _, newline, data = data.partition(b"\n")
            cut = not newline
        lines, newline, more = data.rpartition(b"\n")
        if newline:
            lines, rest = rest + lines + newline, more
        else:
            lines, rest = b"", rest + more
        if len(rest) > LONGEST_LINE:
            lines, rest, cut = lines + rest[: LONGEST_LINE + 1] + b"\n", b"", True
        if lines:
            yield Block(lines.removeprefix(_MARK) if number == 1 else lines, place, number, size)
            number += lines.count(b"\n")
            size = 0
    if rest:
        yield Block(rest.removeprefix(_MARK) if number == 1 else rest, place, number, 0)
