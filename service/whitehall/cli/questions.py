"""Questions, one on a line: from arguments, files and stdin to answers on stdout."""

import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple, Self

import click
from rich.console import Console
from rich.progress import Progress

from whitehall.cli.answers import Answer, Wrong

WRONG = 1
"""The exit code where a question was wrong."""

LONG_SECONDS = 1.0
"""Work that takes longer gets a bar."""

MANY = 256
"""Lines that are answered before the answers are written."""


class Question(NamedTuple):
    """A line that asks something, and where it stands. `size` is what the progress counts: bytes."""

    text: str
    place: str
    line: int
    size: int


def answer_all(arguments: Sequence[str], files: Sequence[str], answer: Answer) -> None:
    """Answers what is asked in arguments and files, in that order, or on stdin where there are neither.

    A wrong question gets a line that says so; the others are answered all the same, and the exit code tells.
    """
    out = sys.stdout.buffer
    any_wrong = False
    with _Bar(files) as bar:
        answers: list[bytes] = []
        size = 0
        for question in _questions(arguments, files):
            try:
                answers.append(answer(question.text))
            except Wrong as wrong:
                any_wrong = True
                answers.append(_told(question, wrong))
            size += question.size
            if len(answers) == MANY:
                _write(out, answers)
                bar.advance(size)
                size = 0
        _write(out, answers)
    if any_wrong:
        sys.exit(WRONG)


def _write(out: BinaryIO, answers: list[bytes]) -> None:
    out.write(b"".join([answer + b"\n" for answer in answers]))
    out.flush()
    answers.clear()


def _told(question: Question, wrong: Wrong) -> bytes:
    told: dict[str, Any] = {"error": wrong.reason, "in": question.place, "line": question.line}
    if wrong.column:
        told["column"] = wrong.column
    return json.dumps(told, ensure_ascii=False).encode()


def _questions(arguments: Sequence[str], files: Sequence[str]) -> Iterator[Question]:
    for number, argument in enumerate(arguments, 1):
        yield Question(argument, "arguments", number, 0)
    for file in files or ([] if arguments else ["-"]):
        with click.open_file(file, "rb") as lines:
            yield from _asked(lines, file)


def _asked(lines: Iterable[bytes], file: str) -> Iterator[Question]:
    """Lines that are empty, or that begin with `#`, ask nothing."""
    for number, line in enumerate(lines, 1):
        text = line.decode(errors="replace").rstrip()
        if text and text[0] != "#":
            yield Question(text, file, number, len(line))


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
