"""Makes the dashboards.

- `python -m tools.dashboards` writes them;
- `python -m tools.dashboards --check` compares instead, and ends with exit code 1 and a list when one differs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.dashboards.games import GAMES
from tools.dashboards.grafana import written
from tools.dashboards.methods import METHODS
from tools.dashboards.overview import OVERVIEW
from tools.dashboards.runtime import RUNTIME
from tools.dashboards.store import STORE

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "grafana" / "dashboards"

DASHBOARDS = (OVERVIEW, METHODS, STORE, GAMES, RUNTIME)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare the dashboards with fresh ones")
    check = parser.parse_args().check
    stale = []
    for dashboard in DASHBOARDS:
        file, text = FOLDER / f"{dashboard.name}.json", written(dashboard)
        if check and (not file.exists() or file.read_text() != text):
            stale.append(file.name)
        elif not check:
            file.write_text(text)
    if stale:
        sys.exit(f"Dashboards do not match tools/dashboards (make generate): {', '.join(stale)}")


if __name__ == "__main__":
    main()
