"""Makes everything in clients/ that nobody writes by hand. `make generate` calls it after tools/generate.py.

- The generated code of every language that this machine has, by `buf generate` with proto/buf.gen*.yaml; but for that
  of Java, which is made when its client is built (see tools/java.py).
- The Python client's `blocking`, which is its `aio` without the waiting: it is written once, for asyncio.
- The versions and the licences of the packages, which are the service's.

    python -m tools.clients            write
    python -m tools.clients --check    compare instead of writing; exit code 1 and a list when something differs
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tools.generate import ROOT, differences, write_image
from tools.languages import LANGUAGES, TYPESCRIPT, install_node_modules
from whitehall import __version__

PYTHON = Path("clients/python/whitehall_client")
NODE = Path("clients/typescript")
JAVA = Path("clients/java")
PACKAGES = (PYTHON, Path("clients/load/whitehall_load"))
STAMPED = {
    package / "version.py": f'"""Made by tools/clients.py."""\n\n__version__ = "{__version__}"\n'
    for package in PACKAGES
} | {NODE / "src" / "version.ts": f'/** Made by tools/clients.py. */\nexport const VERSION = "{__version__}";\n'}
"""Files that say the version and nothing else."""
VERSIONED = {
    NODE / "package.json": ('"version": "', '"', 1),
    NODE / "package-lock.json": ('"version": "', '"', 2),
    JAVA / "pom.xml": ("  <version>", "<", 1),
    JAVA / "README.md": ("  <version>", "<", 1),
}
"""Files that say it among other things: between which words, first of all so many times."""
ARCHIVES = (*(package.parent for package in PACKAGES), NODE, Path("clients/go"), JAVA)
LICENCES = {folder / name: (ROOT / name).read_text() for folder in ARCHIVES for name in ("LICENSE", "NOTICE")}
"""What each archive carries of what stands in one place."""
TEMPLATES = (ROOT / "proto" / "buf.gen.yaml", ROOT / "proto" / "buf.gen.go.yaml")
"""What is generated to be committed."""

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


def left_out() -> dict[Path, str]:
    """The folders of the clients whose languages this machine lacks, and why."""
    lacking = {language.folder.relative_to(ROOT): language.lacking() for language in LANGUAGES}
    return {folder: reason for folder, reason in lacking.items() if reason}


def made() -> list[Path]:
    """The folders that are made as a whole on this machine."""
    generated = (Path(plugin["out"]) for template in _templates() for plugin in template["plugins"])
    return [PYTHON / "blocking", *dict.fromkeys(generated)]


def _templates() -> Iterator[Any]:
    """What buf is to do, without the plugins that this machine can't run."""
    absent = left_out().keys()
    for path in TEMPLATES:
        template = yaml.safe_load(path.read_text())
        plugins = [plugin for plugin in template["plugins"] if absent.isdisjoint(Path(plugin["out"]).parents)]
        if plugins:
            yield template | {"plugins": plugins}


def generate(root: Path) -> None:
    """Writes everything below `root`, which is this repository or an empty folder."""
    write_image(ROOT / "build" / "proto.binpb")
    if not TYPESCRIPT.lacking():
        install_node_modules()
    buf = Path(sys.prefix, "bin", "buf")
    for template in map(json.dumps, _templates()):
        subprocess.run([buf, "generate", "--template", template, "--output", root], cwd=ROOT, check=True)
    (root / PYTHON / "blocking").mkdir(parents=True)
    for module in sorted((ROOT / PYTHON / "aio").glob("*.py")):
        (root / PYTHON / "blocking" / module.name).write_text(blocking(module.read_text()))
    for command in (("check", "--select=I", "--fix"), ("format",)):
        ruff = [Path(sys.prefix, "bin", "ruff"), *command, "--quiet", f"--config={ROOT / 'pyproject.toml'}"]
        subprocess.run([*ruff, root / PYTHON / "blocking"], check=True)
    for name, text in texts().items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def texts() -> dict[Path, str]:
    """The single files, as they have to be."""
    versioned = {name: _with_version((ROOT / name).read_text(), *place) for name, place in VERSIONED.items()}
    return STAMPED | LICENCES | versioned


def _with_version(text: str, before: str, after: str, times: int) -> str:
    pattern = f"(?<={re.escape(before)})[^{re.escape(after)}]*"
    return re.sub(pattern, __version__, text, count=times)


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
        found = [line for folder in made() for line in differences(ROOT / folder, fresh / folder, "*")]
        found += [f"changed   {name}" for name, text in texts().items() if (ROOT / name).read_text() != text]
    if found:
        print("What is in clients/ does not match its sources (make generate):", *found, sep="\n  ", file=sys.stderr)
        sys.exit(1)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare what is committed with a fresh one")
    for reason in left_out().values():
        print(reason)
    if parser.parse_args().check:
        check()
    else:
        for folder in made():
            shutil.rmtree(ROOT / folder, ignore_errors=True)
        generate(ROOT)


if __name__ == "__main__":
    main()
