"""The contract as it was last released, against which every later one is held: whoever speaks it is still understood,
on the wire, in JSON and by REST. It is an image, committed, of all that clients see.

    python -m tools.contract --check      exit code 1 and a list when today's protos break it
    python -m tools.contract --release    from now on, today's protos are the contract that was last released
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from google.api import annotations_pb2, http_pb2
from google.protobuf import descriptor_pb2

from tools.generate import PROTO, write_image

RELEASED = PROTO / "released" / "contract.binpb"
PRIVATE = ("whitehall/store", "whitehall/cluedo/store", "whitehall/scotlandyard/store")
"""What only the service itself reads."""
BUF = Path(sys.prefix, "bin", "buf")


def release(image: Path, target: Path = RELEASED) -> None:
    """Makes the image the contract that was last released: without comments, and without what is private."""
    private = [word for path in PRIVATE for word in ("--exclude-path", path)]
    target.parent.mkdir(parents=True, exist_ok=True)
    command: list[str | Path] = [
        BUF,
        "build",
        image,
        "--exclude-source-info",
        "--path",
        "whitehall",
        *private,
        "--output",
        target,
    ]
    subprocess.run(command, check=True)


def faults(image: Path) -> list[str]:
    """What in the image would break callers of the contract that was last released, one line each."""
    against, config = f"--against={RELEASED}", f"--config={PROTO / 'buf.yaml'}"
    command: list[str | Path] = [BUF, "breaking", image, against, config, "--path=whitehall"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    found = (said.stdout + said.stderr).splitlines()
    if said.returncode and not found:
        found = [f"buf has ended with {said.returncode}"]
    return found + _lost_paths(image)


def _lost_paths(image: Path) -> list[str]:
    gone = _paths(RELEASED).items() - _paths(image).items()
    return sorted(f"{method} can no longer be called by {path}" for (method, path), _ in gone)


def _paths(image: Path) -> dict[tuple[str, str], str]:
    """How each method is called by REST: the verb with the path, and which field is the body."""
    files = descriptor_pb2.FileDescriptorSet.FromString(image.read_bytes()).file
    return {
        (f"{file.package}.{service.name}/{method.name}", _spelled(rule)): rule.body
        for file in files
        for service in file.service
        for method in service.method
        if (rule := method.options.Extensions[annotations_pb2.http]).WhichOneof("pattern")
    }


def _spelled(rule: http_pb2.HttpRule) -> str:
    verb = rule.WhichOneof("pattern") or ""
    return f"{verb.upper()} {getattr(rule, verb)}"


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wanted = parser.add_mutually_exclusive_group(required=True)
    wanted.add_argument("--check", action="store_true", help="hold today's protos against the last release")
    wanted.add_argument("--release", action="store_true", help="make today's protos those of the last release")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        image = Path(scratch, "image.binpb")
        write_image(image)
        if arguments.release:
            release(image)
        elif found := faults(image):
            print("This breaks callers of the last release (docs/releases.md):", *found, sep="\n  ", file=sys.stderr)
            sys.exit(1)


if __name__ == "__main__":
    main()
