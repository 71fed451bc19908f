"""Writes what tells people of the contract: its OpenAPI document, and the page of its refusals.

Both come from the protos and the service's own tables, so this runs after `tools/generate.py`.

    python -m tools.describe            write them
    python -m tools.describe --check    compare instead of writing; exit code 1 and a list when one differs
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pool
from google.protobuf.descriptor import ServiceDescriptor

from tools.comments import comments
from tools.errors_page import page
from tools.generate import GENERATED, ROOT, write_image
from tools.openapi import document
from tools.requests_file import RequestsFile, filled
from whitehall.api.hosted import hosted_games
from whitehall.api.rest.pages import OPENAPI
from whitehall.api.rest.routes import bindings
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2

SAMPLES: Mapping[str, str] = {"ride": "taxi 86"}
"""What is shown in examples where the requests have the answer of an earlier one."""


def services() -> list[ServiceDescriptor]:
    """Every service that is called over REST."""
    pool = descriptor_pool.Default()
    names = [name for game in hosted_games().values() for name in (game.wire.service, game.wire.position_service)]
    catalog = catalog_pb2.DESCRIPTOR.services_by_name["CatalogService"]
    return [*(pool.FindServiceByName(name) for name in sorted(names, reverse=True)), catalog]


def examples() -> dict[str, Any]:
    """By verb and path, as `POST /v1/...`: the bodies of `docs/requests.http`, each under its title's first words."""
    found: dict[str, dict[str, Any]] = {}
    methods = [method for service in services() for method in service.methods]
    for request in RequestsFile.read().requests:
        path = re.sub(r"\{\{host\}\}|\?.*", "", request.url)
        for method in methods:
            for verb, template, _ in bindings(method):
                shape = re.sub(r"\\\{[a-z_]+\\\}", r"[^/:]+?", re.escape(template.text))
                if request.body and verb == request.method and re.fullmatch(shape, re.sub(r"\{\{.*?\}\}", "x", path)):
                    body = json.loads(filled(request.body, SAMPLES.__getitem__))
                    held = found.setdefault(f"{verb} {template.text}", {})
                    held[f"example{len(held) + 1}"] = {"summary": request.title, "value": body}
    return found


def written() -> dict[Path, str]:
    """By file: its text."""
    with tempfile.TemporaryDirectory() as scratch:
        said = comments(write_image(Path(scratch, "image.binpb")))
    openapi = json.dumps(document(services(), said, examples()), indent=1, ensure_ascii=False)
    return {GENERATED / OPENAPI: openapi + "\n", ROOT / "docs" / "errors.md": page(said)}


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare the committed files with fresh ones")
    if not parser.parse_args().check:
        for file, text in written().items():
            file.write_text(text, encoding="utf-8")
        return
    stale = [file for file, text in written().items() if not file.exists() or file.read_text(encoding="utf-8") != text]
    if stale:
        names = [file.relative_to(ROOT).as_posix() for file in stale]
        print("These do not say what proto/ says (make generate):", *names, sep="\n  ", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
