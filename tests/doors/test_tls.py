"""TLS on both public listeners: nothing else is spoken there, and with an authority of clients only these get in."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from tests.api.live import QUICK
from tests.api.table import Yard
from tests.doors.certificates import Authority
from whitehall.api.tls import Tls, TlsError
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.main import serving
from whitehall.sessions.redis_store import RedisStore
from whitehall.settings import Settings

REQUEST = b"POST /whitehall.catalog.v1.CatalogService/GetBuildInfo HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
REQUEST += b"content-type: application/json\r\ncontent-length: 2\r\n\r\n{}"


@pytest.fixture(autouse=True)
def _needed(external_program: Callable[[str], Path]) -> None:
    external_program("openssl")


def settings(certificate: Path, key: Path, client_ca: Path | None = None) -> Settings:
    files = {"tls_certificate": certificate, "tls_key": key, "tls_client_ca": client_ca}
    return Settings.load(QUICK | files, {}, None)


async def over_https(address: str, context: ssl.SSLContext) -> bytes:
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port), ssl=context)
    writer.write(REQUEST)
    told = await reader.read()
    writer.close()
    return told


async def _said_over_https(address: str, context: ssl.SSLContext) -> bytes:
    """The same; nothing where the handshake fails, of which a client may hear only when it reads."""
    try:
        return await over_https(address, context)
    except (ssl.SSLError, ConnectionError):
        return b""


async def over_grpcs(address: str, authority: Authority, pair: tuple[Path, Path] | None = None) -> str:
    certificate, key = (None, None) if pair is None else (path.read_bytes() for path in pair)
    credentials = grpc.ssl_channel_credentials(authority.certificate.read_bytes(), key, certificate)
    async with grpc.aio.secure_channel(address, credentials) as channel:
        info = await Yard(channel).catalog.GetBuildInfo(catalog_pb2.GetBuildInfoRequest(), timeout=20)
        return str(info.version)


def trusting(authority: Authority, pair: tuple[Path, Path] | None = None) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=str(authority.certificate))
    if pair is not None:
        context.load_cert_chain(*pair)
    return context


async def test_both_listeners_speak_tls_and_nothing_else(store: RedisStore, tmp_path: Path) -> None:
    authority = Authority(tmp_path, "authority")
    async with serving(settings(*authority.signed("service")), store) as addresses:
        assert (await over_https(addresses.http, trusting(authority))).startswith(b"HTTP/1.1 200")
        assert await over_grpcs(addresses.grpc, authority)
        with pytest.raises(ssl.SSLError):
            await over_https(addresses.http, ssl.create_default_context())
        for address in (addresses.http, addresses.grpc):
            assert b"200" not in await asyncio.to_thread(_in_the_clear, address)


async def test_with_an_authority_of_clients_only_these_get_in(store: RedisStore, tmp_path: Path) -> None:
    authority, clients, strangers = (Authority(tmp_path, name) for name in ("authority", "clients", "strangers"))
    good, bad = clients.signed("client"), strangers.signed("stranger")
    ours = settings(*authority.signed("service"), clients.certificate)
    async with serving(ours, store) as addresses:
        assert (await over_https(addresses.http, trusting(authority, good))).startswith(b"HTTP/1.1 200")
        assert await over_grpcs(addresses.grpc, authority, good)
        for pair in (None, bad):
            assert await _said_over_https(addresses.http, trusting(authority, pair)) == b""
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await over_grpcs(addresses.grpc, authority, pair)
            assert refused.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_a_certificate_is_renewed_while_the_service_runs(store: RedisStore, tmp_path: Path) -> None:
    """And a file that is none changes nothing."""
    first, second = (Authority(tmp_path, name) for name in ("first", "second"))
    certificate, key = tmp_path / "now.crt", tmp_path / "now.key"
    for source, target in zip(first.signed("old"), (certificate, key), strict=True):
        shutil.copy(source, target)
    tls = Tls(certificate, key)
    addresses = await _shown_by(tls, first)
    certificate.write_text("no certificate")
    tls.look()
    assert await _shown_by(tls, first) == addresses
    for source, target in zip(second.signed("new"), (certificate, key), strict=True):
        shutil.copy(source, target)
    tls.look()
    assert await _shown_by(tls, second) != addresses
    assert await asyncio.to_thread(tls._renewed) is not None, "gRPC is told at its next handshake"
    assert tls._renewed() is None, "and once"


async def _shown_by(tls: Tls, authority: Authority) -> bytes:
    """The certificate that a server with this context shows to who trusts the authority."""
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=tls.context)
    async with server:
        port = server.sockets[0].getsockname()[1]
        _, writer = await asyncio.open_connection("localhost", port, ssl=trusting(authority))
        shown = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        writer.close()
    assert isinstance(shown, bytes)
    return shown


def test_files_that_are_no_certificates_keep_the_service_from_starting(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "authority")
    certificate, key = authority.signed("one")
    other_certificate, _ = authority.signed("other")
    nothing = tmp_path / "nothing.pem"
    nothing.write_text("SECRET, but no PEM")
    missing = tmp_path / "missing.pem"
    for files in (
        (other_certificate, key),
        (nothing, key),
        (certificate, nothing),
        (missing, key),
        (certificate, missing),
        (certificate, key, nothing),
        (certificate, key, missing),
    ):
        with pytest.raises(TlsError) as error:
            Tls(*files)
        assert "SECRET" not in str(error.value)
        assert any(str(path) in str(error.value) for path in files)


def _in_the_clear(address: str) -> bytes:
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(REQUEST)
        try:
            return connection.recv(4096)
        except OSError:
            return b""
