"""A person at the keyboard: `whitehall play` as a process, spoken to line by line, and heard up to each prompt."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

PROMPT = re.compile(rb"(round \d+|placing)> $")


class Person:
    """Types into the pipes of a process. `heard` is everything that it has printed."""

    def __init__(self, program: Path, *arguments: str, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [program, "play", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            bufsize=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self.heard = ""
        self.prompted = False

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def listen(self) -> str:
        """What is printed from now on, up to the next prompt or the end."""
        text = b""
        while not (prompt := PROMPT.search(text)):
            piece = self._stdout.read(65536)
            if not piece:
                break
            text += piece
        self.prompted = prompt is not None
        heard = text.decode()
        self.heard += heard
        return heard

    def hear_something(self) -> None:
        """Waits until the first words are out."""
        self.heard += self._stdout.read(65536).decode()

    def say(self, line: str) -> str:
        """Types a line; what is printed then, without the line itself, which piped input repeats."""
        self._stdin.write(f"{line}\n".encode())
        return self.listen().removeprefix(f"{line}\n")

    def moves(self) -> dict[str, list[str]]:
        """By piece: the single moves that are listed, each as it may be typed after the piece."""
        listed: dict[str, list[str]] = {}
        for line in self.say("moves").splitlines():
            piece, _, words = line.strip().partition(" ")
            if re.fullmatch(r"mr_x|red|blue|green|yellow|purple|bobby[12]", piece):
                groups = [group.split() for group in words.split("|")]
                listed[piece] = [f"{ticket} {station}" for ticket, *stations in groups for station in stations]
                listed[piece] += ["pass"] * (groups == [["pass"]])
        return listed

    def hang_up(self) -> str:
        """Ends the input; what is printed then."""
        self._stdin.close()
        return self.listen()

    def wait(self) -> int:
        """The exit code."""
        return self._process.wait(30)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pipe in (self._stdin, self._stdout):
            pipe.close()
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait(30)
