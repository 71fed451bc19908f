"""Questions, one on a line: from arguments, files and stdin to answers on stdout."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec
from rich.console import Console
from rich.progress import Progress

from whitehall.cli.blocks import LONGEST_LINE, Block, blocks
from whitehall.cli.boards import same_boards
from whitehall.cli.language import language
from whitehall.cli.mishap import FAILED, mishap
from whitehall.cli.utf8 import decoded
from whitehall.cli.workers import in_order
from whitehall.games.core.fault import BadInput, InvalidField
from whitehall.games.core.notation import NotationError
from whitehall.games.core.record_tag import RecordError
from whitehall.games.core.text import Text

Answer = Callable[[str], bytes]
"""What answers one question. Raises the `BadInput` of one that can't be read, or that speaks of what can't be: notation
a `NotationError`, JSON an `InvalidField`.
"""

WRONG = 1
"""The exit code where a question was wrong."""

LONG_SECONDS = 1.0
"""Work that takes longer gets a bar."""

_COMMENT = ord("#")

_TOO_LONG = Text(f"the line is longer than {LONGEST_LINE} bytes", f"la ligne compte plus de {LONGEST_LINE} octets")

_ZERO = Text("a zero byte: questions are text in UTF-8", "un octet nul : les questions sont du texte en UTF-8")
"""What shells on Windows may write is UTF-16, and full of them."""


class Answered(NamedTuple):
    """The answers of a block, each a line; the exit code that they ask for; and what the progress counts."""

    lines: bytes
    exit_code: int
    size: int


def answer_all(arguments: Sequence[str], files: Sequence[str], answer: Answer, jobs: int = 1) -> None:
    """Answers what is asked in arguments and files, in that order, or on stdin where there are neither.

    A wrong question gets a line that says so, as does one that we fail at; the others are answered all the same, and
    the exit code tells of the worst. With one job what has come is answered before more is waited for; more jobs share
    the work of long input.
    """
    out = sys.stdout.buffer
    exit_code = 0
    results = in_order(partial(answer_block, answer), blocks(arguments, files), jobs, same_boards())
    with closing(results), _Bar(files) as bar:
        for answered in results:
            if answered.lines:
                out.write(answered.lines)
                out.flush()
            exit_code = max(exit_code, answered.exit_code)
            bar.advance(answered.size)
    if exit_code:
        sys.exit(exit_code)


def answer_block(answer: Answer, block: Block) -> Answered:
    """Answers every question of a block."""
    answers: list[bytes] = []
    exit_code = 0
    for number, line in _asked(block):
        try:
            answers.append(answer(_text(line)))
        except BadInput as fault:
            exit_code = max(exit_code, WRONG)
            answers.append(_told(block.place, number, fault))
        except Exception as error:  # Whatever it is, the other questions are not to suffer from it.
            exit_code = FAILED
            answers.append(_told(block.place, number, mishap(error)))
    answers.append(b"")
    return Answered(b"\n".join(answers), exit_code, block.size)


def _told(place: str, number: int, fault: BadInput) -> bytes:
    spoken = language()
    told: dict[str, Any] = {"error": fault.placed.spoken_in(spoken), "in": place, "line": number}
    if isinstance(fault, NotationError):
        told |= {"error": fault.text.spoken_in(spoken), "column": fault.column}
    elif isinstance(fault, InvalidField):
        told["field"] = fault.field
    return msgspec.json.encode(told)


def _asked(block: Block) -> Iterator[tuple[int, bytes]]:
    """The questions of a block, each with the number of its line.

    Lines that are empty, or that begin with `#`, ask nothing.
    """
    for number, line in enumerate(block.lines.removesuffix(b"\n").split(b"\n"), block.first_line):
        if line and line[0] != _COMMENT and not line.isspace():
            yield number, line


def _text(line: bytes) -> str:
    # In bytes, as it is cut where it is longer: what is left of it may have fewer characters, and be a question itself.
    if len(line) > LONGEST_LINE:
        raise NotationError(_TOO_LONG, LONGEST_LINE + 1)
    if 0 in line:
        raise NotationError(_ZERO, len(line.partition(b"\0")[0].decode(errors="replace")) + 1)
    try:
        return decoded(line).rstrip()
    except RecordError as error:  # All of it is one line.
        raise NotationError(error.text, error.column) from error


class _Bar:
    """A bar on stderr for long work; nothing where nobody sees it, or where answers go to the same terminal."""

    def __init__(self, files: Sequence[str]) -> None:
        sizes = [Path(file).stat().st_size for file in files if file != "-"]
        self._seen = sys.stderr.isatty() and not sys.stdout.isatty()
        self._total = sum(sizes) if files and len(sizes) == len(files) else None
        self._done = 0
        self._began = time.monotonic()
        self._progress: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def advance(self, size: int) -> None:
        """So many bytes more have been answered."""
        self._done += size
        if self._progress is None and self._seen and time.monotonic() - self._began > LONG_SECONDS:
            self._progress = Progress(console=Console(stderr=True), transient=True)
            self._progress.start()
            self._progress.add_task("Answering", total=self._total)
        if self._progress is not None:
            self._progress.update(self._progress.task_ids[0], completed=self._done)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()
