"""The Python client of the previous release.

What the previous release was is told by the newest tag `v*` of this repository. Before there is one, and where there is
no history, it is today's client on the contract that was last released.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

from tests.toolchain.building import ROOT
from tools.clients import PYTHON, python_code
from tools.contract import RELEASED

CLIENT = PYTHON.parent


def newest_tag(repository: Path = ROOT) -> str:
    """The newest release in this history; empty where there is none."""
    command = ["git", "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD"]
    try:
        return subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def client_of(tag: str, target: Path, repository: Path = ROOT) -> Path:
    """A folder with the Python client and its examples as they were at a tag; for none, as said above."""
    if tag:
        command = ["git", "archive", tag, str(CLIENT)]
        archive = subprocess.run(command, cwd=repository, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=BytesIO(archive)) as files:
            files.extractall(target, filter="data")
    else:
        shutil.copytree(repository / CLIENT, target / CLIENT, ignore=shutil.ignore_patterns("__pycache__", "gen"))
        python_code(RELEASED, target)
    return target / CLIENT
