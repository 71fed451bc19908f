"""TLS for the public listeners: one certificate for both, and which authority's certificates clients have to show.

The files are looked at again every few seconds, so that a certificate is renewed by putting another in its place.
"""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Any, Final

import grpc
import structlog

LOOK_SECONDS: Final = 10.0
"""How long a new certificate may lie there before it is used."""


class TlsError(OSError):
    """The certificate, its key or the clients' authority can't be used. The text holds nothing of what is in them."""


class Tls:
    """The files, in PEM. With `client_ca` only clients with a certificate of that authority get in."""

    def __init__(self, certificate: Path, key: Path, client_ca: Path | None = None) -> None:
        """Raises `TlsError`."""
        self._files = (certificate, key, *([] if client_ca is None else [client_ca]))
        self._certificate = certificate
        self._key = key
        self._client_ca = client_ca
        self._seen = self._stamp()
        self.context = self._made()
        """For HTTP: the same object from now on, whatever certificate is in it."""
        self._configuration = self._for_grpc()
        self._is_new = False

    def credentials(self) -> grpc.ServerCredentials:
        """For gRPC."""
        mutual = self._client_ca is not None
        return grpc.dynamic_ssl_server_credentials(self._configuration, self._renewed, mutual)

    async def watch(self) -> None:
        """Looks after the files until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.look()

    def look(self) -> None:
        """Takes over what has changed. What can't be used is told to the log, and the old goes on. Of the clients'
        authorities in the old file those that the new one lacks count over HTTP until the next start.
        """
        stamp = self._stamp()
        if stamp == self._seen:
            return
        self._seen = stamp
        try:
            self._made()
            self._load_into(self.context)
            self._configuration = self._for_grpc()
        except TlsError as error:
            structlog.get_logger().warning("no new certificate", why=str(error))
            return
        self._is_new = True
        structlog.get_logger().info("new certificate")

    def _renewed(self) -> Any:
        """Asked by gRPC at each handshake, in a thread of its own."""
        if not self._is_new:
            return None
        self._is_new = False
        return self._configuration

    def _made(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        if self._client_ca is not None:
            context.verify_mode = ssl.CERT_REQUIRED
        self._load_into(context)
        return context

    def _load_into(self, context: ssl.SSLContext) -> None:
        try:
            # Without a password at hand OpenSSL would ask for one at the keyboard.
            context.load_cert_chain(self._certificate, self._key, password=lambda: "")
        except (OSError, ValueError) as error:
            raise TlsError(
                f"{self._certificate} and {self._key} are no certificate with its key: {_why(error)}"
            ) from None
        if self._client_ca is not None:
            try:
                context.load_verify_locations(self._client_ca)
            except OSError as error:
                raise TlsError(f"{self._client_ca} holds no certificates: {_why(error)}") from None

    def _for_grpc(self) -> grpc.ServerCertificateConfiguration:
        try:
            pair = (self._key.read_bytes(), self._certificate.read_bytes())
            authority = None if self._client_ca is None else self._client_ca.read_bytes()
        except OSError as error:
            raise TlsError(f"{error.filename} can't be read: {_why(error)}") from None
        return grpc.ssl_server_certificate_configuration([pair], root_certificates=authority)

    def _stamp(self) -> list[tuple[int, int, int] | None]:
        """Something else whenever one of the files is another."""
        found: list[tuple[int, int, int] | None] = []
        for path in self._files:
            try:
                stat = path.stat()
            except OSError:
                found.append(None)
            else:
                found.append((stat.st_mtime_ns, stat.st_ino, stat.st_size))
        return found


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return error.reason or "no PEM"
    return error.strerror or "unreadable" if isinstance(error, OSError) else "unreadable"
