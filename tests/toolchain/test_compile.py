"""The copy that `make run` serves from: never another than the sources, and never half compiled."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.toolchain.building import ROOT, clean_environment
from tools import compile as tool


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small package of its own, which nothing can compile."""
    module = tmp_path / "service" / "whitehall" / "module.py"
    module.parent.mkdir(parents=True)
    module.write_text("A = 1\n")
    own = tmp_path / "tools" / "compile.py"
    own.parent.mkdir()
    shutil.copy(tool.__file__, own)
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    monkeypatch.setattr(tool, "SOURCE", tmp_path / "service")
    monkeypatch.setattr(tool, "__file__", str(own))
    monkeypatch.setattr(tool, "compile_into", fails)
    monkeypatch.setattr(sys, "argv", ["compile.py", str(tmp_path / "fast")])
    return tmp_path


def fails(_: Path) -> None:
    raise subprocess.CalledProcessError(1, "cc", stderr="no compiler today")


def copied(tree: Path) -> str:
    return (tree / "fast" / "whitehall" / "module.py").read_text()


def test_a_copy_is_made_again_when_a_source_says_something_else_and_only_then(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever its times say: files are put back with their old ones, too."""
    module = tree / "service" / "whitehall" / "module.py"
    tool.main()
    assert "no compiler today" in capsys.readouterr().err
    os.utime(module, (2_000_000_000, 2_000_000_000))
    tool.main()
    assert capsys.readouterr() == ("", "")
    module.write_text("A = 2\n")
    os.utime(module, (1_000_000_000, 1_000_000_000))
    tool.main()
    assert copied(tree) == "A = 2\n"
    (module.parent / "another.py").write_text("")
    tool.main()
    assert (tree / "fast" / "whitehall" / "another.py").exists()


def test_an_edit_while_the_copy_is_compiled_is_in_the_next_one(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tree / "service" / "whitehall" / "module.py"
    monkeypatch.setattr(tool, "compile_into", lambda _: module.write_text("A = 3\n"))
    tool.main()
    assert copied(tree) == "A = 1\n"
    tool.main()
    assert copied(tree) == "A = 3\n"


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("compiler")
def test_a_compiler_that_fails_in_the_middle_leaves_sources_alone(tmp_path: Path) -> None:
    """The module that all compiled ones share is not linked; those that are would be in the way of their sources."""
    compiler = tmp_path / "cc"
    compiler.write_text('#!/bin/sh\ncase "$*" in *-shared*compiled__mypyc*) exit 1;; esac\nexec cc "$@"\n')
    compiler.chmod(0o755)
    environment = clean_environment() | {"CC": str(compiler), "LDSHARED": f"{compiler} -shared"}
    command = [sys.executable, str(ROOT / "tools" / "compile.py"), str(tmp_path / "fast")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "stays pure Python" in done.stderr
    assert not list((tmp_path / "fast").rglob("*.so"))
