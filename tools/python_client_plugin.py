"""The plugin by which buf makes the Python client's generated code: messages, stubs and their types.

It calls the old compiler that tools/protoc_for_clients.txt names, so that the code runs on a wide range of protobuf,
and then points the code at two things of the client's own:

- its package: modules import each other from `whitehall_client.gen`, and no top-level name is taken;
- its descriptor pool: the process may hold the service itself, or somebody else's code from the same protos, and
  protobuf allows no second definition of a message in one pool.

    buf generate --template proto/buf.gen.yaml
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf import descriptor_pb2
from google.protobuf.compiler import plugin_pb2

from tools.generate import INIT_TEXT, rewrite_imports, with_services

PACKAGE = "whitehall_client.gen"
COMPILER = Path(sys.prefix, "protoc-for-clients")
"""Where `make setup` puts it."""

_DEFAULT_POOL = "from google.protobuf import descriptor_pool as _descriptor_pool"
_OWN_POOL = "from whitehall_client import pool as _descriptor_pool"


def generate(request: plugin_pb2.CodeGeneratorRequest, target: Path) -> None:
    """Writes the package into an empty folder."""
    descriptors = descriptor_pb2.FileDescriptorSet(file=request.proto_file)
    names = list(request.file_to_generate)
    _run_compiler(descriptors, names, f"--python_out={target}", f"--mypy_out=quiet:{target}")
    services = with_services(descriptors, names)
    _run_compiler(descriptors, services, f"--grpc_python_out={target}", f"--mypy_grpc_out=quiet:{target}")
    rewrite_imports(target, PACKAGE)
    for module in target.rglob("*_pb2.py"):
        code = module.read_text()
        if _DEFAULT_POOL not in code:
            sys.exit(f"{module.name} names its descriptor pool in another way than {__name__} knows.")
        module.write_text(code.replace(_DEFAULT_POOL, _OWN_POOL))
    for folder in (target, *(path for path in target.rglob("*") if path.is_dir())):
        (folder / "__init__.py").write_text(INIT_TEXT)


def _run_compiler(descriptors: descriptor_pb2.FileDescriptorSet, names: list[str], *outputs: str) -> None:
    programs = Path(sys.prefix, "bin")
    with tempfile.NamedTemporaryFile(suffix=".binpb") as image:
        image.write(descriptors.SerializeToString())
        image.flush()
        subprocess.run(
            [
                *(sys.executable, "-m", "grpc_tools.protoc", f"--descriptor_set_in={image.name}"),
                *(f"--plugin={name}={programs / name}" for name in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")),
                *outputs,
                *names,
            ],
            env={**os.environ, "PYTHONPATH": str(COMPILER)},
            check=True,
            # What a plugin prints is its answer.
            stdout=sys.stderr,
        )


def main() -> None:
    """Answers one request of buf's."""
    request = plugin_pb2.CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
    response = plugin_pb2.CodeGeneratorResponse(
        supported_features=plugin_pb2.CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL
    )
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch)
        generate(request, target)
        for path in sorted(path for path in target.rglob("*") if path.is_file()):
            response.file.add(name=path.relative_to(target).as_posix(), content=path.read_text())
    sys.stdout.buffer.write(response.SerializeToString())


if __name__ == "__main__":
    main()
