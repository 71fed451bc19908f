"""Pages for people: the contract as OpenAPI at `/openapi.json`, and to read and try at `/docs`, where `/` leads.

The page is Swagger UI, whose script and style come from the package `swagger-ui-py` (`pip install 'whitehall[docs]'`)
and are served from here: nothing is loaded from anywhere else. Without the package the page says how to get it.
"""

from __future__ import annotations

import asyncio
import hashlib
import zlib
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from whitehall import gen
from whitehall.api.compression import GZIP, reads_gzip
from whitehall.api.http_message import Message, Receive, Send, headers_of
from whitehall.api.http_refusal import refuse
from whitehall.api.problems import METHOD, PATH, unsupported

OPENAPI: Final = "openapi.json"
DOCS: Final = "docs"
ASSETS: Final = "swagger-ui-py"

_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Whitehall: the API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
_WITHOUT: Final = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Whitehall: the API</title></head>
<body>
<h1>The API of Whitehall</h1>
<p>It is described in <a href="/openapi.json">openapi.json</a>, which any viewer of OpenAPI 3.1 shows.</p>
<p>To read it and try it on this very page: <code>pip install 'whitehall[docs]'</code>, and start the service again.</p>
</body>
</html>
"""
# No validator, which is a site of somebody else's; tokens live in the page's memory and go when it is left.
_START: Final = """SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
});
"""
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Nothing but what this address serves; Swagger UI sets styles on its elements itself."""


class _Page(NamedTuple):
    kind: str
    data: bytes
    zipped: bytes
    etag: str


class PagesApp:
    """The pages, as one of the HTTP door's apps."""

    segments = frozenset({OPENAPI, DOCS, ""})

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["path"] == "/" and scope["method"] in ("GET", "HEAD"):
            await _redirect(send)
            return
        page = (await asyncio.to_thread(_pages)).get(scope["path"])
        if page is None:
            await refuse(scope, send, unsupported(PATH))
        elif scope["method"] not in ("GET", "HEAD"):
            await refuse(scope, send, unsupported(METHOD, "GET", "HEAD"))
        else:
            await _send(page, headers_of(scope), send)


async def _send(page: _Page, asked: Mapping[str, str], send: Send) -> None:
    """The page, or that the client has it already."""
    headers = [
        (b"content-type", f"{page.kind}; charset=utf-8".encode()),
        (b"etag", page.etag.encode()),
        (b"cache-control", b"public, max-age=300"),
        (b"vary", b"accept-encoding"),
        (b"content-security-policy", _POLICY.encode()),
    ]
    status, data = HTTPStatus.OK, page.data
    if asked.get("if-none-match") == page.etag:
        status, data = HTTPStatus.NOT_MODIFIED, b""
    elif reads_gzip(asked.get("accept-encoding")):
        data = page.zipped
        headers.append((b"content-encoding", GZIP.encode()))
    if status is not HTTPStatus.NOT_MODIFIED:
        headers.append((b"content-length", str(len(data)).encode()))
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": data})


async def _redirect(send: Send) -> None:
    """Sends whoever opens the bare address to the page."""
    headers = [(b"location", b"/docs"), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": HTTPStatus.TEMPORARY_REDIRECT.value, "headers": headers})
    await send({"type": "http.response.body"})


def is_installed() -> bool:
    """Whether the page can be read and tried here."""
    return _assets() is not None


def openapi_text() -> bytes:
    """The contract as OpenAPI 3.1, as `make generate` has written it."""
    return files(gen).joinpath(OPENAPI).read_bytes()


@cache
def _pages() -> dict[str, _Page]:
    """By path: everything that is served."""
    assets = _assets()
    pages = {f"/{OPENAPI}": ("application/json", openapi_text())}
    if assets is None:
        pages["/docs"] = ("text/html", _WITHOUT.encode())
    else:
        pages["/docs"] = ("text/html", _PAGE.encode())
        pages["/docs/start.js"] = ("text/javascript", _START.encode())
        pages["/docs/swagger-ui-bundle.js"] = ("text/javascript", (assets / "swagger-ui-bundle.js").read_bytes())
        pages["/docs/swagger-ui.css"] = ("text/css", (assets / "swagger-ui.css").read_bytes())
    return {path: _page(kind, data) for path, (kind, data) in pages.items()}


def _page(kind: str, data: bytes) -> _Page:
    compressor = zlib.compressobj(6, wbits=31)
    zipped = compressor.compress(data) + compressor.flush()
    return _Page(kind, data, zipped, f'"{hashlib.sha256(data).hexdigest()[:16]}"')


def _assets() -> Path | None:
    """Where Swagger UI's files are; None where they are not installed. The package's own code is not run."""
    try:
        found = distribution(ASSETS).locate_file("swagger_ui/static")
    except PackageNotFoundError:
        return None
    return Path(str(found))
