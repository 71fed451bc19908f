"""What is published: every package of this repository in one folder, as its language's tools take it from there, with
bills of materials and checksums. `make dist` calls it.

    dist/*.whl, *.tar.gz     the service, the Python client, the load generator
    dist/*.tgz               the npm package
    dist/go/                 the Go module, as a module proxy serves it
    dist/maven/              the Java artifact, as a repository of Maven's has it
    dist/*.cdx.json          what each is made of
    dist/SHA256SUMS          the checksums of all

    python -m tools.distribution FOLDER
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tools import java, sbom
from tools.languages import GO, JAVA, LANGUAGES, TYPESCRIPT, pack_typescript
from whitehall import __version__

MODULE = "whitehall.example/client"
ARTIFACT = Path("example/whitehall/whitehall-client")
SUMS = "SHA256SUMS"
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of files in the module, so that it is the same whenever it is made."""


def build(target: Path) -> None:
    """Builds everything that this machine has the languages for, into an empty folder."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for folder in sbom.PYTHON_PACKAGES.values():
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(folder)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    if not TYPESCRIPT.lacking():
        pack_typescript(target)
    if not GO.lacking():
        pack_go(target / "go")
    if not JAVA.lacking():
        pack_java(target / "maven")
    sbom.write_all(target)
    files = sorted(path for path in target.rglob("*") if path.is_file())
    sums = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(target)}\n" for path in files)
    (target / SUMS).write_text("".join(sums))


def pack_go(proxy: Path) -> None:
    """The module as a proxy serves it: its versions, and of each the go.mod and a zip."""
    folder, version = proxy / MODULE / "@v", f"v{__version__}"
    folder.mkdir(parents=True)
    (folder / "list").write_text(f"{version}\n")
    (folder / f"{version}.info").write_text(json.dumps({"Version": version}) + "\n")
    shutil.copy(GO.folder / "go.mod", folder / f"{version}.mod")
    with zipfile.ZipFile(folder / f"{version}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in GO.folder.rglob("*") if path.is_file()):
            name = f"{MODULE}@{version}/{path.relative_to(GO.folder).as_posix()}"
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), path.read_bytes(), zipfile.ZIP_DEFLATED)


def pack_java(repository: Path) -> None:
    """The artifact as a repository has it: the jar, its sources, and the pom that says what it needs."""
    java.build()
    folder = repository / ARTIFACT / __version__
    folder.mkdir(parents=True)
    for name in (java.jar(), java.jar().with_stem(f"{java.jar().stem}-sources")):
        shutil.copy(name, folder)
    shutil.copy(JAVA.folder / "pom.xml", folder / f"{java.jar().stem}.pom")


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Builds all packages, with their bills of materials and checksums.")
    parser.add_argument("folder", type=Path, help="where they go; what was there is no more")
    target: Path = parser.parse_args().folder.resolve()
    if target.exists() and any(target.iterdir()) and not (target / SUMS).exists():
        parser.error(f"{target} holds something else, and would be emptied")
    for language in LANGUAGES:
        if reason := language.lacking():
            print(reason)
    build(target)
    for line in (target / SUMS).read_text().splitlines():
        print(line.split()[1])


if __name__ == "__main__":
    main()
