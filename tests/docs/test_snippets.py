"""Every command and program that a page shows is run, and prints what the page says it prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.service import Service
from tests.docs.page import ROOT, Block, Page, pages

RUN = ("sh", "python")
"""The languages of blocks that are run."""

ANYTHING = "…"
"""Stands for whatever differs from run to run; on a line of its own for any number of lines."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service that the pages speak to, on other ports."""
    service = Service(tmp_path_factory.mktemp("service"), "--drain-seconds", "0")
    service.start()
    yield service
    service.stop()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder that looks like the repository, in which a page may leave files."""
    (tmp_path / "build").mkdir()
    (tmp_path / ".venv").symlink_to(sys.prefix)
    for name in ("clients", "deploy", "docs", "proto", "service", "tests", "tools", "Makefile"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def script(blocks: list[Block], folder: Path) -> str:
    """One shell program for a whole page, as variables and functions live on from block to block.

    What block n prints goes to the file `n.out`, its errors to `n.err`, its exit code to `n.code`.
    """
    steps = []
    for number, block in enumerate(blocks):
        if block.language == "sh":
            code = f"{{\n{block.text}}}"
        elif block.language == "python":
            (folder / f"{number}.py").write_text(block.text, encoding="utf-8")
            code = f".venv/bin/python {number}.py"
        else:
            continue
        steps.append(f"{code} > {number}.out 2> {number}.err\necho $? > {number}.code\n")
    return "".join(steps)


def _here(text: str, service: Service) -> str:
    """A block that speaks to this service instead of one at the usual addresses."""
    usual = {"localhost:50051": service.grpc, "localhost:8080": service.http, "localhost:9090": service.admin}
    for address, here in usual.items():
        text = text.replace(address, here)
    return text


def pattern(excerpt: str) -> re.Pattern[str]:
    """What an output has to hold to be shown by this excerpt: its lines, one after another."""
    lines = []
    for line in excerpt.splitlines():
        if line == ANYTHING:
            lines.append(r"(?:.*\n)*?")
        else:
            lines.append(".*".join(re.escape(part) for part in line.split(ANYTHING)) + r"\n")
    return re.compile("^" + "".join(lines), re.MULTILINE)


@pytest.mark.parametrize("page", [page for page in pages() if any(b.language in RUN for b in page.blocks)], ids=str)
def test_what_a_page_shows_is_what_happens(page: Page, service: Service, repository: Path) -> None:
    blocks = [Block(block.language, _here(block.text, service)) for block in page.blocks]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WHITEHALL_")}
    shell = subprocess.run(
        ["bash", "-c", script(blocks, repository)],
        cwd=repository,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (shell.stdout, shell.stderr) == ("", "")
    shown = None
    for number, block in enumerate(blocks):
        if block.language in RUN:
            shown = (repository / f"{number}.out").read_text(encoding="utf-8")
            complaints = (repository / f"{number}.err").read_text(encoding="utf-8")
            code = (repository / f"{number}.code").read_text().strip()
            assert code == "0", f"{block.text}{shown}{complaints}"
        elif not block.language and shown is not None:
            assert pattern(block.text).search(shown), f"the page shows\n{block.text}\nand what happens is\n{shown}"
            shown = None


def test_the_readme_plays_from_the_shell_and_from_python() -> None:
    """Nothing of the above is worth anything if no block is found."""
    readme = next(page for page in pages() if str(page) == "README.md")
    languages = [block.language for block in readme.blocks]
    assert languages.count("sh") >= 6
    assert languages.count("python") == 1
    assert languages.count("") >= 6


def test_an_excerpt_is_only_found_where_its_lines_stand_together() -> None:
    """The comparison itself has to be able to fail."""
    excerpt = pattern('"a": …,\n…\n"z"\n')
    assert excerpt.search('x\n"a": 1,\n"b"\n"c"\n"z"\n')
    assert excerpt.search('"a": 1,\n"z"\n')
    assert not excerpt.search('"a": 1\n"z"\n')
    assert not excerpt.search('"z"\n"a": 1,\n')
    assert not pattern("a\nb\n").search("a\nx\nb\n")
