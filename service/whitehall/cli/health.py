"""`whitehall health`: whether the service that runs on this machine takes calls. For containers, which have no curl."""

from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

import click

from whitehall.cli.flags import setting_flags, settings_from

PATIENCE_SECONDS: Final = 2.0
_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}


@click.command()
@setting_flags
@click.option("--live", is_flag=True, help="Ask only whether it is alive, whatever the store does.")
def health(config_file: Path | None, live: bool, **flags: object) -> None:
    """Ask the service with these settings, on this machine, whether it takes calls.

    Exit code 0 if so; 1, with the reason, if not.
    """
    host, _, port = settings_from(config_file, **flags).admin_address.rpartition(":")
    name = host.strip("[]")
    connection = HTTPConnection(_EVERYWHERE.get(name, name), int(port), timeout=PATIENCE_SECONDS)
    try:
        connection.request("GET", "/livez" if live else "/readyz")
        answer = connection.getresponse()
        text = answer.read().decode().strip()
    except (OSError, HTTPException) as error:
        raise click.ClickException(f"nobody answers at {host}:{port} ({type(error).__name__})") from error
    finally:
        connection.close()
    if answer.status != HTTPStatus.OK:
        raise click.ClickException(text)
    click.echo(text)
