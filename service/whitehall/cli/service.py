"""The service as commands run it: until it is told to stop, or for the length of one game."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from tempfile import TemporaryDirectory

import click
import structlog
import uvloop

from whitehall import __version__
from whitehall.api.rest.pages import DOCS, is_installed
from whitehall.cli.buf import buf_curl
from whitehall.cli.streams import nothing
from whitehall.main import CANNOT_START, Addresses, running, serve, until_stopped
from whitehall.settings import Settings
from whitehall.telemetry import log
from whitehall.workers.supervisor import WorkersFailed, supervising

_TOLD = (*CANNOT_START, WorkersFailed)
"""What has a text for the operator."""

FIRST_CALL = """{buf_curl}{operator} -d '{{"preset": "new", "players": 2}}' \\
      {scheme}://{grpc}/whitehall.scotlandyard.v1.ScotlandYardService/CreateGame"""


def run_service(settings: Settings) -> None:
    """Runs the service until SIGTERM or Ctrl-C, and prints where it listens. Raises `ClickException`."""
    log.configure(settings.log_format, settings.log_level)
    try:
        uvloop.run(_serve(settings))
    except Exception as error:
        raise _fault(error) from error


async def _serve(settings: Settings) -> None:
    def started(addresses: Addresses) -> None:
        try:
            announce(settings, addresses)
        except OSError:  # That nobody can read it is no reason not to serve.
            sys.stdout = nothing("w")

    if settings.workers == 1:
        await serve(settings, started)
    else:
        await until_stopped(supervising(settings), started, asyncio.Event())


def _fault(error: Exception) -> click.ClickException:
    """One line for the operator. Of what nobody has foreseen the log tells the place, and nothing its text."""
    if isinstance(error, _TOLD):
        return click.ClickException(str(error))
    structlog.get_logger().error("fault", exc_info=error)
    return click.ClickException(f"the service has ended by a fault of its own ({type(error).__name__}); see its log")


def announce(settings: Settings, addresses: Addresses) -> None:
    """Prints where the service listens, and how it is called."""
    bearer = " -H 'authorization: Bearer wh_operator_{id}_<secret>'"
    operator = bearer.format(id=settings.operator_keys[0].id) if settings.operator_keys else ""
    scheme = "http" if settings.tls_certificate is None else "https"
    click.echo(f"Whitehall {__version__}")
    click.echo(f"  gRPC      {addresses.grpc}")
    click.echo(f"  HTTP      {scheme}://{addresses.http}")
    if is_installed():
        click.echo(f"  docs      {scheme}://{addresses.http}/{DOCS}")
    click.echo(f"  metrics   http://{addresses.admin}/metrics")
    click.echo(f"  health    http://{addresses.admin}/readyz")
    click.echo("  a first call:")
    call = FIRST_CALL.format(buf_curl=buf_curl(), operator=operator, scheme=scheme, grpc=addresses.grpc)
    click.echo(f"    {call}")


@contextmanager
def throwaway_service() -> Iterator[str]:
    """The gRPC address of a service that lives until the context is left, and then leaves nothing behind.

    It runs in a thread, so that the caller may wait for a person at the keyboard. Only its faults are logged. Raises
    `ClickException` where it does not start.
    """
    log.configure("auto", "error")
    address: Future[str] = Future()
    leave: Future[None] = Future()
    with TemporaryDirectory(prefix="whitehall-") as folder:
        any_port = "127.0.0.1:0"
        settings = Settings.load(
            {
                "data_dir": folder,
                "grpc_address": any_port,
                "http_address": any_port,
                "admin_address": any_port,
                "drain_seconds": 0,
            },
            {},
        )
        thread = threading.Thread(target=lambda: uvloop.run(_live(settings, address, leave)), name="whitehall")
        thread.start()
        try:
            yield _started(address)
        finally:
            leave.set_result(None)
            thread.join()


def _started(address: Future[str]) -> str:
    try:
        return address.result()
    except Exception as error:
        raise _fault(error) from error


async def _live(settings: Settings, address: Future[str], leave: Future[None]) -> None:
    """The service from its start, which tells the address or what went wrong, to the wish to leave."""
    try:
        async with running(settings) as addresses:
            address.set_result(addresses.grpc)
            await asyncio.wrap_future(leave)
    except Exception as error:
        if address.done():
            raise
        address.set_exception(error)
