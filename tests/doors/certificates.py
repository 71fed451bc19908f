"""Certificates for a test: an authority, and what it has signed, made by openssl."""

from __future__ import annotations

import subprocess
from pathlib import Path


class Authority:
    """An authority of the test's own, with its files in `folder`."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self.certificate = folder / f"{name}.pem"
        self._key = folder / f"{name}.key"
        _openssl(
            *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"),
            *("-subj", f"/CN={name}", "-keyout", self._key, "-out", self.certificate),
        )

    def signed(self, name: str) -> tuple[Path, Path]:
        """A certificate for localhost and its key."""
        key, request, certificate = (self._folder / f"{name}.{kind}" for kind in ("key", "csr", "crt"))
        _openssl(
            *("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}"),
            *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", request),
        )
        _openssl(
            *("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self._key, "-days", "2"),
            *("-copy_extensions", "copyall", "-out", certificate),
        )
        return certificate, key


def _openssl(*arguments: object) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)
