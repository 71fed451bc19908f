"""Makes a copy of the package in which the modules that every call goes through are compiled by mypyc.

`python tools/compile.py FOLDER` leaves `FOLDER/whitehall`, and does nothing where it is what the sources still say.
Nothing is ever compiled into `service/` itself, so that what is imported from there is what its sources say. Where
modules can't be compiled the copy is as good, if slower: that is said in one line, and no error.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "service"

_GAME = "whitehall/games/scotland_yard"
MODULES = (
    "whitehall/api/json_reading.py",
    "whitehall/games/core/decoding.py",
    "whitehall/games/core/encoding.py",
    "whitehall/games/core/kept.py",
    f"{_GAME}/deduction.py",
    f"{_GAME}/followed_log.py",
    f"{_GAME}/hunters.py",
    f"{_GAME}/log_faults.py",
    f"{_GAME}/mr_x.py",
    f"{_GAME}/notation.py",
    f"{_GAME}/position.py",
    f"{_GAME}/position_notation.py",
    f"{_GAME}/position_words.py",
    f"{_GAME}/public_log.py",
    f"{_GAME}/public_round.py",
    f"{_GAME}/riding.py",
    f"{_GAME}/rounds.py",
    f"{_GAME}/rules.py",
    f"{_GAME}/state.py",
    f"{_GAME}/station_sets.py",
    f"{_GAME}/timetable.py",
    f"{_GAME}/wire/moves.py",
    f"{_GAME}/wire/position_reading.py",
    f"{_GAME}/wire/positions.py",
)
"""What is worth it: all that a question about a position, in a line or in a message, a move in a game and a deduction
without the app run through, and what reads JSON.
Dataclasses that are frozen, copied or sent to other processes are left out: mypyc keeps fewer promises about them than
Python. Named tuples and enums are Python's own all the same. Cluedo's counting and walking is left out too: nearly all
of it is work on long integers, which is compiled already, and gains less than a tenth.
"""

# What the compiled modules share, as a module of the package and not beside it.
_SHARED = "whitehall.compiled"

_FLAGS = ("--config-file=", "--explicit-package-bases", "--ignore-missing-imports", "--no-warn-unused-ignores")


def compile_into(folder: Path) -> None:
    """Compiles the modules below `folder`, beside whatever is there. Raises `CalledProcessError` with what was said."""
    with tempfile.TemporaryDirectory(prefix="whitehall-compile-") as scratch:
        subprocess.run(
            [sys.executable, __file__, "--here", folder.resolve(), scratch],
            cwd=SOURCE,
            env={**os.environ, "MYPYPATH": str(SOURCE)},
            check=True,
            capture_output=True,
            text=True,
        )


def _compile_here(folder: Path, scratch: Path) -> None:
    """In a process of its own: mypyc goes by the current folder, and leaves the process when it finds a fault."""
    from mypyc.build import mypycify  # noqa: PLC0415 - whoever only copies does not need it
    from setuptools import Distribution  # noqa: PLC0415
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    flags = [*_FLAGS, f"--cache-dir={scratch / 'cache'}"]
    extensions = mypycify(
        [*flags, *MODULES], opt_level="3", debug_level="0", target_dir=str(scratch), group_name=_SHARED
    )
    command = build_ext(Distribution({"name": "whitehall", "ext_modules": extensions}))
    # Built aside: some of the modules without the others can't be imported, and they would hide their sources.
    built = scratch / "built"
    command.build_lib, command.build_temp = str(built), str(scratch / "objects")
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()
    shutil.copytree(built, folder, dirs_exist_ok=True)


def can_compile() -> bool:
    """Whether this machine has a C compiler and Python's headers."""
    compiler = str(sysconfig.get_config_var("CC")).split()[0]
    return shutil.which(compiler) is not None and Path(sysconfig.get_path("include"), "Python.h").exists()


def fingerprint() -> str:
    """What a copy depends on: the sources and this tool by their contents, as their times may say anything; Python;
    mypyc, and whether there is a compiler for it.
    """
    digest = hashlib.sha256(f"{sys.version} mypy {_mypy_version()} {can_compile()}".encode())
    files = [path for path in (SOURCE / "whitehall").rglob("*") if path.is_file() and path.suffix != ".pyc"]
    for path in (Path(__file__), *sorted(files)):
        digest.update(f"\0{path.relative_to(ROOT)}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _mypy_version() -> str:
    try:
        return metadata.version("mypy")
    except metadata.PackageNotFoundError:
        return "none"


def why_not(failure: Exception) -> str:
    """The line that tells of modules which could not be compiled."""
    said = (getattr(failure, "stderr", "") or str(failure)).strip().splitlines()
    return f"Whitehall stays pure Python, which is slower: {said[-1] if said else 'the compiler failed'}"


def main() -> None:
    """Copies, then compiles what can be compiled."""
    folder = Path(sys.argv[1])
    # Taken before the copy: what is edited from now on makes the next copy another one.
    now, made_of = fingerprint(), folder / "made-of"
    if made_of.exists() and made_of.read_text() == now:
        return
    print(f"Compiling the engine into {folder}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SOURCE / "whitehall", folder / "whitehall", ignore=shutil.ignore_patterns("__pycache__"))
    try:
        compile_into(folder)
    except (OSError, subprocess.CalledProcessError) as failure:
        print(why_not(failure), file=sys.stderr)
    made_of.write_text(now)


if __name__ == "__main__":
    if sys.argv[1] == "--here":
        _compile_here(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main()
