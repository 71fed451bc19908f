"""The command `whitehall` and its subcommands."""

import sys
from typing import Any

import click

from whitehall import __version__
from whitehall.cli.ask import legal_moves, locate, possible_locations, possible_solutions, refuter, scan, validate
from whitehall.cli.config import config
from whitehall.cli.health import health
from whitehall.cli.load import load
from whitehall.cli.play import play
from whitehall.cli.serve import serve
from whitehall.cli.streams import complete, nothing
from whitehall.cli.verify import verify

BROKEN = 74
"""The exit code where something can't be read or written: a disk is full, say. Systems call it EX_IOERR."""


class _Commands(click.Group):
    """Tells in a line what went wrong with input and output, whatever the command."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        complete()
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            # What has not been written yet would fail once more at the very end.
            sys.stdout = nothing("w")
            click.echo(f"Error: {error.strerror or error}", err=True)
            sys.exit(BROKEN)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="whitehall")
def main() -> None:
    """One referee for deduction board games, called by any frontend.

    Exit code 74, for every command: something can't be read or written.
    """


QUESTIONS = (legal_moves, validate, possible_locations, locate, scan, possible_solutions, refuter, verify)

for command in (serve, play, *QUESTIONS, load, config, health):
    main.add_command(command)
