"""`whitehall config`: what is in force, and why."""

import json
from pathlib import Path

import click

from whitehall.cli.flags import setting_flags, settings_from


@click.command()
@setting_flags
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a table.")
def config(config_file: Path | None, as_json: bool, **flags: object) -> None:
    """Print each setting with its value and where it came from. Secrets are masked."""
    sources = settings_from(config_file, **flags).sources()
    if as_json:
        click.echo(json.dumps({name: {"value": value, "from": origin} for name, value, origin, _ in sources}, indent=2))
        return
    names = max(len(source.name) for source in sources)
    values = max(len(source.value) for source in sources)
    for source in sources:
        click.echo(f"{source.name:<{names}}  {source.value:<{values}}  {source.origin}")
