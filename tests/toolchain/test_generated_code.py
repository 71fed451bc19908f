"""The committed code in `service/whitehall/gen` and in `clients` is what the protos give, and a difference would be
noticed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tools import clients
from tools.generate import GENERATED, differences, generate


def test_the_committed_code_is_what_the_protos_give(tmp_path: Path) -> None:
    generate(tmp_path)
    assert differences(GENERATED, tmp_path) == []


def test_every_kind_of_drift_is_named(tmp_path: Path) -> None:
    fresh, stale = tmp_path / "fresh", tmp_path / "stale"
    fresh.mkdir()
    generate(fresh)
    shutil.copytree(fresh, stale)
    (stale / "buf/validate/validate_pb2.py").write_text("# edited by hand\n")
    (stale / "buf/validate/validate_pb2.pyi").unlink()
    (stale / "forgotten_pb2.py").touch()
    assert differences(stale, fresh) == [
        "changed   buf/validate/validate_pb2.py",
        "left over forgotten_pb2.py",
        "missing   buf/validate/validate_pb2.pyi",
    ]


def test_the_rewritten_imports_lead_into_our_package(tmp_path: Path) -> None:
    """No generated line imports `buf` or a bare `whitehall.<package>`, which exist nowhere at the top level."""
    generate(tmp_path)
    stray = [
        f"{module.name}: {line}"
        for module in tmp_path.rglob("*.py*")
        for line in module.read_text().splitlines()
        if line.startswith(("import buf", "from buf", "import whitehall.", "from whitehall."))
        and "whitehall.gen." not in line
    ]
    assert stray == []


def test_what_is_made_for_the_clients_is_what_its_sources_give(tmp_path: Path) -> None:
    clients.generate(tmp_path)
    assert clients.stale(tmp_path) == []


def test_blocking_code_is_asynchronous_code_without_the_waiting() -> None:
    code = '"""Doc."""\nimport asyncio\nasync def f() -> AsyncGenerator[T, None]:\n    async for x in y: await g(x)\n'
    assert clients.blocking(code).splitlines()[1:] == [
        '"""Doc."""',
        "def f() -> Generator[T, None, None]:",
        "    for x in y: g(x)",
    ]
