"""`whitehall serve`: runs the service."""

from pathlib import Path

import click
import uvloop

from whitehall import __version__
from whitehall.cli.flags import setting_flags, settings_from
from whitehall.main import Addresses
from whitehall.main import serve as run
from whitehall.sessions.embedded import EmbeddedError
from whitehall.sessions.redis_store import StoreUnsuitable
from whitehall.sessions.store import StoreUnavailable
from whitehall.telemetry import log

FIRST_CALL = """buf curl --protocol grpc --http2-prior-knowledge -d '{{"preset": "new", "players": 2}}' \\
    http://{grpc}/whitehall.scotlandyard.v1.ScotlandYardService/CreateGame"""


@click.command()
@setting_flags
def serve(config_file: Path | None, **flags: object) -> None:
    """Run the service until it is told to stop (SIGTERM, or Ctrl-C)."""
    settings = settings_from(config_file, **flags)
    log.configure(settings.log_format, settings.log_level)
    try:
        uvloop.run(run(settings, _announce))
    except (EmbeddedError, StoreUnsuitable, StoreUnavailable, OSError) as error:
        raise click.ClickException(str(error)) from error


def _announce(addresses: Addresses) -> None:
    click.echo(f"Whitehall {__version__}")
    click.echo(f"  gRPC      {addresses.grpc}")
    click.echo(f"  metrics   http://{addresses.admin}/metrics")
    click.echo(f"  health    http://{addresses.admin}/readyz")
    click.echo("  a first call:")
    click.echo(f"    {FIRST_CALL.format(grpc=addresses.grpc)}")
