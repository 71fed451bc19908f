"""`whitehall serve`: runs the service."""

from pathlib import Path

import click

from whitehall.cli.flags import setting_flags, settings_from


@click.command()
@setting_flags
def serve(config_file: Path | None, **flags: object) -> None:
    """Run the service until it is told to stop (SIGTERM, or Ctrl-C)."""
    # The whole service takes longer to load than `whitehall --help` and `whitehall config` take to answer without it.
    from whitehall.cli.service import run_service  # noqa: PLC0415 - see above

    run_service(settings_from(config_file, **flags))
