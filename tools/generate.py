"""Makes `service/whitehall/gen` from `proto/`, and the image that buf lints.

Everything is made offline from installed Python packages; no proto of anyone else is copied into this repository:

- `google/api/*.proto` and `google/rpc/*.proto` lie inside `googleapis-common-protos`;
- `google/protobuf/*.proto` lie inside `grpcio-tools`, whose compiler we call;
- `buf/validate/validate.proto` comes with `protovalidate` only as a descriptor, which the compiler takes just as well.

The generated modules live below `whitehall.gen`, so that an installation adds no top-level `buf` or `google`, and no
second `whitehall`. The compiler knows no such prefix, so the import lines are rewritten after it ran.

    python tools/generate.py                  write service/whitehall/gen
    python tools/generate.py --check          compare instead of writing; exit code 1 and a list when something differs
    python tools/generate.py --image FILE     write only the image: every file with its imports and comments
"""

from __future__ import annotations

import argparse
import filecmp
import re
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from google.protobuf import descriptor_pb2
from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
GENERATED = ROOT / "service" / "whitehall" / "gen"
GENERATED_PACKAGE = "whitehall.gen"
VALIDATE = "buf/validate/validate.proto"

# Where protovalidate keeps the descriptor is its own business and may change with any release, so another version has
# to be looked at first.
PROTOVALIDATE_VERSION = "2.1.0"

INIT_TEXT = '"""Made by tools/generate.py from proto/. Never edited by hand."""\n'


def write_validate_descriptors(target: Path) -> None:
    """Writes validate.proto and its imports as a FileDescriptorSet, imports first as the compiler demands."""
    installed = version("protovalidate")
    if installed != PROTOVALIDATE_VERSION:
        sys.exit(
            f"protovalidate {installed} is installed, but the place of its descriptor is known for "
            f"{PROTOVALIDATE_VERSION}: look at write_validate_descriptors in tools/generate.py."
        )
    from protovalidate._gen.buf.validate import validate_pb  # noqa: PLC0415 - only safe to import after the check above

    validate = descriptor_pb2.FileDescriptorProto.FromString(validate_pb.desc().proto.to_binary())
    if validate.name != VALIDATE:
        sys.exit(f"protovalidate's descriptor is named {validate.name}, not {VALIDATE}.")
    descriptors = descriptor_pb2.FileDescriptorSet()
    for name in validate.dependency:
        module = import_module(name.removesuffix(".proto").replace("/", ".") + "_pb2")
        module.DESCRIPTOR.CopyToProto(descriptors.file.add())
    descriptors.file.append(validate)
    target.write_bytes(descriptors.SerializeToString(deterministic=True))


def our_protos() -> list[str]:
    """Names of our own proto files as the compiler spells them; sorted, lest the output depend on the disk."""
    names = sorted(path.relative_to(PROTO).as_posix() for path in PROTO.rglob("*.proto"))
    if not names:
        sys.exit(f"No .proto file below {PROTO}.")
    return names


def run_protoc(descriptors: Path, *arguments: str) -> None:
    """Runs the compiler over our protos and every import; its own messages say what is wrong with a file."""
    status = protoc.main(
        [
            "protoc",
            f"--proto_path={PROTO}",
            f"--proto_path={sysconfig.get_path('purelib')}",
            f"--proto_path={files('grpc_tools') / '_proto'}",
            f"--descriptor_set_in={descriptors}",
            f"--plugin=protoc-gen-mypy={Path(sys.executable).parent / 'protoc-gen-mypy'}",
            f"--plugin=protoc-gen-mypy_grpc={Path(sys.executable).parent / 'protoc-gen-mypy_grpc'}",
            *arguments,
        ]
    )
    if status:
        sys.exit(status)


def write_image(target: Path) -> descriptor_pb2.FileDescriptorSet:
    """Writes our protos with their imports and comments as one FileDescriptorSet, which buf calls an image."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        descriptors = Path(scratch, "validate.binpb")
        write_validate_descriptors(descriptors)
        run_protoc(
            descriptors, "--include_imports", "--include_source_info", f"--descriptor_set_out={target}", *our_protos()
        )
    return descriptor_pb2.FileDescriptorSet.FromString(target.read_bytes())


def with_services(image: descriptor_pb2.FileDescriptorSet, names: Iterable[str]) -> list[str]:
    """Those of the named files that define a service; for others the gRPC plugins would write empty modules."""
    defining = {file.name for file in image.file if file.service}
    return [name for name in names if name in defining]


def generate(target: Path) -> None:
    """Writes the whole generated package into an empty folder `target`."""
    protos = our_protos()
    with tempfile.TemporaryDirectory() as scratch:
        image = write_image(Path(scratch, "image.binpb"))
        descriptors = Path(scratch, "validate.binpb")
        write_validate_descriptors(descriptors)
        run_protoc(descriptors, f"--python_out={target}", f"--mypy_out=quiet:{target}", *protos, VALIDATE)
        if services := with_services(image, protos):
            run_protoc(descriptors, f"--grpc_python_out={target}", f"--mypy_grpc_out=quiet:{target}", *services)
    rewrite_imports(target, GENERATED_PACKAGE)
    for folder in (target, *(path for path in target.rglob("*") if path.is_dir())):
        (folder / "__init__.py").write_text(INIT_TEXT)


def rewrite_imports(target: Path, package: str) -> None:
    """Points the imports between generated modules at the package where they live, `buf` at `whitehall.gen.buf`."""
    top_level = "|".join(sorted(path.name for path in target.iterdir()))
    imports = re.compile(rf"^(\s*(?:from|import) )({top_level})(?=[. ])", re.MULTILINE)
    for module in (*target.rglob("*.py"), *target.rglob("*.pyi")):
        module.write_text(imports.sub(rf"\g<1>{package}.\g<2>", module.read_text()))


def differences(committed: Path, fresh: Path, pattern: str = "*.py*") -> list[str]:
    """Generated files of these names that are missing, left over or different in `committed`, one line each."""

    def names(folder: Path) -> set[str]:
        found = (path for path in folder.rglob(pattern) if path.is_file() and path.suffix != ".pyc")
        return {path.relative_to(folder).as_posix() for path in found}

    have, want = names(committed), names(fresh)
    _, changed, unreadable = filecmp.cmpfiles(committed, fresh, sorted(have & want), shallow=False)
    return sorted(
        [f"missing   {name}" for name in want - have]
        + [f"left over {name}" for name in have - want]
        + [f"changed   {name}" for name in changed + unreadable]
    )


def check() -> None:
    """Ends with exit code 1 and the list of differences unless the committed code is what the protos give."""
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch)
        generate(fresh)
        found = differences(GENERATED, fresh)
    if found:
        print("Generated code does not match proto/ (make generate):", *found, sep="\n  ", file=sys.stderr)
        sys.exit(1)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wanted = parser.add_mutually_exclusive_group()
    wanted.add_argument("--check", action="store_true", help="compare the committed code with a fresh one")
    wanted.add_argument("--image", type=Path, metavar="FILE", help="write only the image of all protos")
    arguments = parser.parse_args()
    if arguments.check:
        check()
    elif arguments.image:
        write_image(arguments.image)
    else:
        shutil.rmtree(GENERATED, ignore_errors=True)
        GENERATED.mkdir()
        generate(GENERATED)


if __name__ == "__main__":
    main()
