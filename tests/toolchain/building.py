"""Building the package as `make dist` does."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXT_SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))
"""How the name of an extension module ends for this Python."""


def build_wheel(target: Path, **environment: str) -> str:
    """Builds the wheel into a folder; what that printed."""
    return run(
        *(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", target, ROOT),
        cwd=target,
        **environment,
    )


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """What the command printed. Its failure is the test's failure, with everything that it said."""
    settings = clean_environment() | environment
    done = subprocess.run(command, cwd=cwd, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def clean_environment() -> dict[str, str]:
    """The environment without what would let the source tree or a developer's settings shine through."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "WHITEHALL_"))}
