"""The languages of clients/ that a machine may lack, and what has to be done before their tools run. A machine without
them makes, checks and tests everything else, and says what it leaves out.
"""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.generate import ROOT


@dataclass(frozen=True)
class Language:
    """A language, by the program that runs its tools."""

    name: str
    folder: Path
    program: str
    version: tuple[str, ...]
    """The arguments with which the program tells its version."""
    oldest: tuple[int, int]
    also: tuple[str, ...] = ()
    """Other programs that its tools are run by."""

    def lacking(self) -> str:
        """Why nothing can be done with it on this machine; empty where all is well."""
        needed = f"{self.name} is left out: {self.program} {'.'.join(map(str, self.oldest))} or newer is needed"
        program = shutil.which(self.program)
        if program is None:
            return f"{needed}, and there is none"
        said = subprocess.run([program, *self.version], capture_output=True, text=True, check=False).stdout
        found = re.search(r"(\d+)\.(\d+)", said)
        if found is None or (int(found[1]), int(found[2])) < self.oldest:
            return f"{needed}, and this is {said.strip() or 'broken'}"
        if absent := [name for name in self.also if shutil.which(name) is None]:
            return f"{self.name} is left out: there is no {', no '.join(absent)}"
        return ""


TYPESCRIPT = Language("TypeScript", ROOT / "clients" / "typescript", "node", ("--version",), (20, 0))
GO = Language("Go", ROOT / "clients" / "go", "go", ("env", "GOVERSION"), (1, 26))
JAVA = Language("Java", ROOT / "clients" / "java", "javac", ("-version",), (17, 0), ("mvn",))
LANGUAGES = (TYPESCRIPT, GO, JAVA)


def install_node_modules() -> None:
    """What the TypeScript client and its tools need, as the lock file says; nothing where it is there."""
    folder = TYPESCRIPT.folder
    with alone("node_modules"):
        installed = folder / "node_modules" / ".installed"
        if not is_newer(installed, [folder / "package-lock.json"]):
            # No package has to run a program of its own to be installed.
            _npm("ci", "--ignore-scripts", "--silent")
            installed.touch()


def build_typescript() -> None:
    """The TypeScript client as its package has it, with its tests and examples; nothing where it is there."""
    install_node_modules()
    folder = TYPESCRIPT.folder
    with alone("typescript"):
        built = folder / "build" / ".built"
        sources = [path for name in ("src", "test", "examples") for path in (folder / name).rglob("*.ts")]
        if not is_newer(built, [*sources, *folder.glob("*.json")]):
            _npm("run", "build", "--silent")
            built.touch()


def build_go() -> Path:
    """The folder of the programs that come with the Go client: its examples, and what drives it in tests."""
    programs = ROOT / "build" / "go"
    with alone("go"):
        # Go knows by itself what has changed since.
        run(GO.folder, "go", "build", "-o", f"{programs}/", "./examples/...", "./internal/driver")
    return programs


def pack_typescript(target: Path) -> Path:
    """The package as it is published."""
    build_typescript()
    said = _npm("pack", "--silent", "--pack-destination", str(target.resolve()))
    return target / said.strip().splitlines()[-1]


def _npm(*arguments: str) -> str:
    return run(TYPESCRIPT.folder, "npm", *arguments)


def run(folder: Path, *command: str) -> str:
    """What the command says; a `RuntimeError` with all of it where it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} has failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def is_newer(made: Path, sources: list[Path]) -> bool:
    """Whether something was made after everything that it was made of."""
    return made.exists() and all(source.stat().st_mtime <= made.stat().st_mtime for source in sources)


@contextmanager
def alone(name: str) -> Iterator[None]:
    """While nobody else does the same: tests run in several processes."""
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> None:
    """Reads the command line."""
    (target,) = map(Path, sys.argv[1:])
    for language in LANGUAGES:
        if reason := language.lacking():
            print(reason)
    if not TYPESCRIPT.lacking():
        pack_typescript(target)


if __name__ == "__main__":
    main()
