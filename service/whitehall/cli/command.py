"""The command `whitehall` and its subcommands."""

import click

from whitehall import __version__
from whitehall.cli.ask import legal_moves, locate, possible_locations, possible_solutions, scan, validate
from whitehall.cli.config import config
from whitehall.cli.play import play
from whitehall.cli.serve import serve
from whitehall.cli.verify import verify


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="whitehall")
def main() -> None:
    """One referee for deduction board games, called by any frontend."""


QUESTIONS = (legal_moves, validate, possible_locations, locate, scan, possible_solutions, verify)

for command in (serve, play, *QUESTIONS, config):
    main.add_command(command)
