"""What each package is made of: its bill of materials, as CycloneDX. Each is made by a tool of its own language; what
would differ from run to run is taken out, so that the same sources give the same bill.

It names the versions that we test with. Who installs a package may get newer ones, within the ranges that it allows.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tools import java
from tools.generate import ROOT
from tools.languages import GO, JAVA, TYPESCRIPT, run
from whitehall import __version__

PYTHON_PACKAGES = {
    "whitehall": ROOT,
    "whitehall-client": ROOT / "clients/python",
    "whitehall-load": ROOT / "clients/load",
}
"""Where each is described."""
ALSO_OURS = {"whitehall-load": ("whitehall-client",)}
"""Which of them need which others."""
ENDING = ".cdx.json"

_GO_TOOL = "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0"
_JAVA_TOOL = "org.cyclonedx:cyclonedx-maven-plugin:2.9.3:makeBom"


def write_all(target: Path) -> None:
    """One for each package in the folder: the Python ones are made of wheels that are there already."""
    for name, folder in PYTHON_PACKAGES.items():
        _write(target, name, _of_python(name, folder, target))
    if not TYPESCRIPT.lacking():
        command = ("sbom", "--omit=dev", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=library")
        _write(target, "whitehall-client-npm", json.loads(run(TYPESCRIPT.folder, "npm", *command)))
    if not GO.lacking():
        _write(target, "whitehall-client-go", json.loads(run(GO.folder, "go", "run", _GO_TOOL, "mod", "-json")))
    if not JAVA.lacking():
        java.maven(_JAVA_TOOL, "-DoutputFormat=json", "-DincludeTestScope=false", "-DoutputName=bom")
        _write(target, "whitehall-client-java", json.loads((java.TARGET / "bom.json").read_text()))


def _of_python(name: str, folder: Path, wheels: Path) -> Any:
    """Of an environment that holds the package alone, and what it depends on."""
    programs = Path(sys.prefix, "bin")
    with tempfile.TemporaryDirectory() as scratch:
        python = Path(scratch, "bin", "python")
        run(folder, str(programs / "uv"), "venv", "--quiet", "--python", sys.executable, scratch)
        install = [str(programs / "uv"), "pip", "install", "--quiet", "--python", str(python)]
        # By their files: a registry might have something else by such a name.
        ours = [str(_wheel(other, wheels)) for other in (name, *ALSO_OURS.get(name, ()))]
        run(folder, *install, "--constraint", str(ROOT / "constraints.txt"), *ours)
        described = ["--pyproject", str(folder / "pyproject.toml"), "--mc-type", "application"]
        command = [str(programs / "cyclonedx-py"), "environment", "--output-reproducible", *described, str(python)]
        bill = json.loads(run(folder, *command))
    # Packages leave their version to the code, where this tool does not look.
    for component in bill["components"]:
        found = component.get("externalReferences", [])
        component["externalReferences"] = [one for one in found if not one["url"].startswith("file:")]
    bill["metadata"]["component"] |= {"version": __version__, "purl": f"pkg:pypi/{name}@{__version__}"}
    return bill


def _wheel(name: str, wheels: Path) -> Path:
    (found,) = wheels.glob(f"{name.replace('-', '_')}-{__version__}-*.whl")
    return found


def _write(target: Path, name: str, bill: Any) -> None:
    bill.pop("serialNumber", None)
    bill["metadata"].pop("timestamp", None)
    (target / f"{name}-{__version__}{ENDING}").write_text(json.dumps(bill, indent=2, sort_keys=True) + "\n")
