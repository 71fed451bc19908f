"""What docs/releases.md tells about releases, as far as no package has to be built for it."""

from __future__ import annotations

import inspect
import re
import shlex
import subprocess
import sys

from tests.clients import test_previous_release
from tests.docs.page import ROOT, Page
from tools import distribution
from tools.contract import RELEASED
from whitehall import __version__

PAGE = Page(ROOT / "docs" / "releases.md")


def test_the_version_stands_where_the_page_says() -> None:
    assert "`__version__` in `service/whitehall/__init__.py`" in " ".join(PAGE.text.split())
    assert f'__version__ = "{__version__}"' in (ROOT / "service" / "whitehall" / "__init__.py").read_text()


def test_the_go_module_is_called_as_it_is_and_of_this_version() -> None:
    (block,) = [block for block in PAGE.indented if "go get" in block]
    (get,) = [line for line in block.splitlines() if line.startswith("go get")]
    assert shlex.split(get)[-1] == f"{distribution.MODULE}@v{__version__}"
    assert f"GONOSUMDB={distribution.MODULE}" in block


def test_the_files_that_it_names_are_those_that_are_used() -> None:
    assert RELEASED.relative_to(ROOT).as_posix() in PAGE.inline_code
    assert distribution.SUMS in PAGE.inline_code
    (block,) = [block for block in PAGE.indented if "PREVIOUS_RELEASE" in block]
    variable = block.partition("=")[0]
    assert f'"{variable}"' in inspect.getsource(test_previous_release)


def test_the_contract_is_checked_and_released_as_it_tells() -> None:
    told = {flag for line in PAGE.code.splitlines() for flag in re.findall(r"tools\.contract (--\w+)", line)}
    assert told == {"--check", "--release"}
    command = [sys.executable, "-m", "tools.contract", "--help"]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert all(flag in asked.stdout for flag in told)
