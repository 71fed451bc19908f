"""A page of the documentation: its code blocks, its links, and the names that it mentions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]
LEFT_OUT = {".git", ".venv", "build", "dist", "node_modules", ".pytest_cache"}

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?:^    .*\n?)+", re.MULTILINE)
_INLINE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block. Its language is empty where it shows the output of the block before it, or a drawing."""

    language: str
    text: str


@dataclass(frozen=True)
class Page:
    """One Markdown file."""

    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def blocks(self) -> list[Block]:
        return [Block(*found) for found in _BLOCK.findall(self.text)]

    @cached_property
    def prose(self) -> str:
        """Everything but the fenced blocks."""
        return _BLOCK.sub("", self.text)

    @cached_property
    def inline_code(self) -> list[str]:
        return [" ".join(code.split()) for code in _INLINE.findall(_INDENTED.sub("", self.prose))]

    @cached_property
    def code(self) -> str:
        """All code, in blocks, indented and inline."""
        blocks = [block.text for block in self.blocks]
        return "\n".join([*blocks, *_INDENTED.findall(self.prose), *self.inline_code])

    @cached_property
    def indented(self) -> list[str]:
        """The indented blocks: what is to be typed and is not run by these tests. As they would be typed."""
        return [dedent(block) for block in _INDENTED.findall(self.prose)]

    def section(self, heading: str) -> str:
        """What stands below a heading of the second level, up to the next."""
        return self.text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]

    @cached_property
    def links(self) -> list[str]:
        return _LINK.findall(self.prose)

    @cached_property
    def anchors(self) -> set[str]:
        """What the headings can be linked by, as GitHub makes it of their words."""
        words = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(self.prose)]
        return {word.replace(" ", "-") for word in words}

    def __str__(self) -> str:
        return self.path.relative_to(ROOT).as_posix()


def pages() -> list[Page]:
    """Every page of this repository."""
    found = sorted(ROOT.rglob("*.md"))
    return [Page(path) for path in found if LEFT_OUT.isdisjoint(path.relative_to(ROOT).parts)]
