"""What hatch asks when a wheel is built: it puts compiled modules beside their sources, if there are any.

An editable installation gets none: nobody could tell there whether they still are what their sources say.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileHook(BuildHookInterface[Any]):
    """Compiles for the wheel, into a folder that lasts as long as the build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory(prefix="whitehall-wheel-")
        folder = Path(self._folder.name)
        tool = Path(self.root, "tools", "compile.py")
        done = subprocess.run([sys.executable, tool, folder / "all"], capture_output=True, text=True, check=True)
        if done.stderr:
            self.app.display_warning(done.stderr.rstrip())
        for module in (folder / "all").rglob("*.so"):
            build_data["force_include"][str(module)] = module.relative_to(folder / "all").as_posix()
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._folder.cleanup()
