"""The log of a service, read back."""

from __future__ import annotations

import json
from pathlib import Path


def faults(log: Path) -> list[str]:
    """The log's lines that tell of a fault, and those that are no log lines at all."""
    lines = log.read_text().splitlines()
    return [line for line in lines if not line.startswith("{") or json.loads(line)["level"] in ("error", "critical")]
