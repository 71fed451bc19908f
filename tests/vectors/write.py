"""`python -m tests.vectors.write` writes the vectors that nobody writes by hand, from the sources that say where they
come from.

They are committed, and need to be written again only when a source or the contract has changed; the tests tell when
what is committed is no longer what the service answers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.vectors.runner import FOLDER
from tests.vectors.sources import analysis, cluedo, second_engine
from tests.vectors.sources.scenarios import FOLDER as SCENARIOS
from tests.vectors.sources.scenarios import Recorder


def write(name: str, vectors: Iterable[Any]) -> None:
    """One file, a vector a line, so that changes can be read."""
    path = FOLDER / name
    path.parent.mkdir(exist_ok=True)
    lines = [json.dumps(vector, ensure_ascii=False) for vector in vectors]
    path.write_text('{"vectors": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")
    sys.stdout.write(f"{name}: {len(lines)}\n")


def _tells_scenes(path: Path) -> bool:
    return "scenario import" in path.read_text(encoding="utf-8")


def main() -> None:
    """Writes every file."""
    recorder = Recorder()
    with pytest.MonkeyPatch.context() as patch:
        recorder.listen(patch)
        files = [str(path) for path in Path(SCENARIOS).glob("test_*.py") if _tells_scenes(path)]
        status = pytest.main(["--quiet", "-p", "no:cacheprovider", *sorted(files)], plugins=[recorder])
    if status:
        sys.exit(status)
    write("scotland_yard/scenarios.json", recorder.vectors())
    write("scotland_yard/legal_moves.json", second_engine.vectors())
    write("scotland_yard/analysis.json", analysis.vectors())
    write("cluedo/reach.json", cluedo.walks())
    write("cluedo/solutions.json", cluedo.deals())


if __name__ == "__main__":
    main()
