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
from urllib.parse import parse_qsl

from google.protobuf import descriptor_pool
from google.protobuf.descriptor import ServiceDescriptor

from tools.comments import comments
from tools.errors_page import page
from tools.generate import GENERATED, ROOT, write_image
from tools.openapi import Example, document
from tools.requests_file import RequestsFile, filled
from whitehall.api.hosted import hosted_games
from whitehall.api.rest.pages import OPENAPI
from whitehall.api.rest.routes import bindings
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2

SAMPLES: Mapping[str, str] = {"ride": "taxi 86", "host": "", "game": "k" * 26, "case": "q" * 26}
"""What is shown in examples where the requests have their place, or what an earlier answer has said."""


def services() -> list[ServiceDescriptor]:
    """Every service that is called over REST."""
    pool = descriptor_pool.Default()
    names = [name for game in hosted_games().values() for name in (game.wire.service, game.wire.position_service)]
    catalog = catalog_pb2.DESCRIPTOR.services_by_name["CatalogService"]
    return [*(pool.FindServiceByName(name) for name in sorted(names, reverse=True)), catalog]


def examples() -> dict[str, list[Example]]:
    """The requests of `docs/requests.http`, by verb and path, as `POST /v1/...`."""
    found: dict[str, list[Example]] = {}
    methods = [method for service in services() for method in service.methods]
    for request in RequestsFile.read().requests:
        address = filled(request.url, _sample)
        path, _, query = address.partition("?")
        for method in methods:
            for verb, template, _ in bindings(method):
                shape = re.sub(r"\\\{([a-z_]+)\\\}", r"(?P<\1>[^/:]+?)", re.escape(template.text))
                if verb == request.method and (said := re.fullmatch(shape, path)):
                    asked = {name: _value(text) for name, text in parse_qsl(query)}
                    body = json.loads(filled(request.body, _sample)) if request.body else None
                    accept = [f"Accept: {kind}"] if (kind := request.headers.get("accept")) else []
                    source = "\n".join([f"{verb} {address}", *accept])
                    example = Example(request.title, source, said.groupdict() | asked, body)
                    found.setdefault(f"{verb} {template.text}", []).append(example)
    return found


def _sample(hole: str) -> str:
    return SAMPLES["game"] if hole.endswith(".info.gameId") else SAMPLES[hole]


def _value(text: str) -> Any:
    """What stands in a query, as the JSON that it would be elsewhere."""
    try:
        return json.loads(text)
    except ValueError:
        return text


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
