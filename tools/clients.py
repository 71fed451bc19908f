"""Makes everything in clients/ that nobody writes by hand. `make generate` calls it after tools/generate.py.

- The generated code of every language, by `buf generate` with proto/buf.gen.yaml.
- The Python client's `blocking`, which is its `aio` without the waiting: it is written once, for asyncio.
- The versions of the packages, which are the service's.

    python -m tools.clients            write
    python -m tools.clients --check    compare instead of writing; exit code 1 and a list when something differs
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.generate import ROOT, differences, write_image
from whitehall import __version__

PYTHON = Path("clients/python/whitehall_client")
MADE = (PYTHON / "gen", PYTHON / "blocking")
"""Folders that are made as a whole."""
STAMPED = {PYTHON / "version.py": f'"""Made by tools/clients.py."""\n\n__version__ = "{__version__}"\n'}
"""Files that say the version."""

_BLOCKING = (
    (r"whitehall_client\.aio", "whitehall_client.blocking"),
    (r"\bgrpc\.aio\.", "grpc."),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"^import asyncio\n", ""),
    (r"\basync (def|for|with) ", r"\1 "),
    (r"\bawait ", ""),
    (r"\bAsyncGenerator\[([^\[\]]+), None\]", r"Generator[\1, None, None]"),
    (r"\bAsyncGenerator\b", "Generator"),
    (r"\b__aenter__\b", "__enter__"),
    (r"\b__aexit__\b", "__exit__"),
    (r"for asyncio: `async with whitehall_client\.blocking", "that waits: `with whitehall_client"),
)
"""What becomes of the words of asyncio, one after another."""


def generate(root: Path) -> None:
    """Writes everything below `root`, which is this repository or an empty folder."""
    write_image(ROOT / "build" / "proto.binpb")
    buf = Path(sys.prefix, "bin", "buf")
    subprocess.run([buf, "generate", "--template", "proto/buf.gen.yaml", "--output", root], cwd=ROOT, check=True)
    (root / PYTHON / "blocking").mkdir(parents=True)
    for module in sorted((ROOT / PYTHON / "aio").glob("*.py")):
        (root / PYTHON / "blocking" / module.name).write_text(blocking(module.read_text()))
    for command in (("check", "--select=I", "--fix"), ("format",)):
        ruff = [Path(sys.prefix, "bin", "ruff"), *command, "--quiet", f"--config={ROOT / 'pyproject.toml'}"]
        subprocess.run([*ruff, root / PYTHON / "blocking"], check=True)
    for name, text in STAMPED.items():
        (root / name).write_text(text)


def blocking(code: str) -> str:
    """Code for asyncio as code that blocks its thread."""
    for words, instead in _BLOCKING:
        code = re.sub(words, instead, code, flags=re.MULTILINE)
    first, rest = code.split("\n", 1)
    return f"# Made by tools/clients.py from the module of this name in aio/. Never edited by hand.\n{first}\n{rest}"


def check() -> None:
    """Ends with exit code 1 and the list of differences unless what is committed is what would be made."""
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch)
        generate(fresh)
        found = [line for made in MADE for line in differences(ROOT / made, fresh / made)]
        found += [f"changed   {name}" for name, text in STAMPED.items() if (ROOT / name).read_text() != text]
    if found:
        print("What is in clients/ does not match its sources (make generate):", *found, sep="\n  ", file=sys.stderr)
        sys.exit(1)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare what is committed with a fresh one")
    if parser.parse_args().check:
        check()
    else:
        for made in MADE:
            shutil.rmtree(ROOT / made, ignore_errors=True)
        generate(ROOT)


if __name__ == "__main__":
    main()
