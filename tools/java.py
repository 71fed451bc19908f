"""The Java client: its code is generated, its compilers and libraries fetched, and its package built, by Maven.

What is generated is too much to be committed, so it is made here before Maven compiles it with the rest.

    python -m tools.java           build clients/java/target
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

from tools.generate import PROTO, ROOT, write_image
from tools.languages import JAVA, alone, is_newer, run
from whitehall import __version__

TEMPLATE = PROTO / "buf.gen.java.yaml"
TARGET = JAVA.folder / "target"
LIBRARIES = TARGET / "test-libraries"
"""Everything that the client, its tests and its examples need."""


def build() -> Path:
    """The folder of everything built: the jar, what it needs, the tests' classes; nothing is done where it is there."""
    with alone("java"):
        _generate()
        built = TARGET / ".built"
        sources = [path for name in ("src", "examples") for path in (JAVA.folder / name).rglob("*.java")]
        if not is_newer(built, [*sources, JAVA.folder / "pom.xml", TARGET / ".generated"]):
            maven("package", "-DskipTests")
            built.touch()
    return TARGET


def classpath(*more: Path) -> str:
    """The client as it is published, with libraries, and more."""
    return ":".join(map(str, [jar(), f"{LIBRARIES}/*", *more]))


def jar() -> Path:
    """The package."""
    return TARGET / f"whitehall-client-{__version__}.jar"


def pack(target: Path) -> None:
    """The package as it is published: the jar, its sources, and the pom that says what it needs."""
    build()
    for path in (jar(), jar().with_stem(f"{jar().stem}-sources")):
        shutil.copy(path, target)
    shutil.copy(JAVA.folder / "pom.xml", target / f"{jar().stem}.pom")


def maven(*arguments: str) -> str:
    """What Maven says of a goal. It lives too briefly for the second compiler of its machine to pay."""
    os.environ.setdefault("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    return run(JAVA.folder, "mvn", "--batch-mode", "--quiet", "--no-transfer-progress", *arguments)


def _generate() -> None:
    """The code of the messages, where it isn't there; the caller is alone."""
    generated = TARGET / ".generated"
    sources = [*PROTO.rglob("*.proto"), TEMPLATE, JAVA.folder / "pom.xml"]
    if is_newer(generated, sources):
        return
    shutil.rmtree(TARGET, ignore_errors=True)
    maven("dependency:copy@compilers")
    for compiler in (TARGET / "compilers").iterdir():
        compiler.chmod(0o755)
    image = TARGET / "proto.binpb"
    write_image(image)
    template = yaml.safe_load(TEMPLATE.read_text())
    template["inputs"][0]["binary_image"] = str(image)
    buf = Path(sys.prefix, "bin", "buf")
    subprocess.run([buf, "generate", "--template", json.dumps(template)], cwd=ROOT, check=True)
    generated.touch()


if __name__ == "__main__":
    build()
