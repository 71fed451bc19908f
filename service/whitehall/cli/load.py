"""`whitehall load`: many games at once. The load generator is a package of its own, made of the client that everybody
uses.
"""

import click


@click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []}, add_help_option=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def load(arguments: tuple[str, ...]) -> None:
    """Play many games at once at a running service, and tell how long it took."""
    try:
        from whitehall_load.command import load as command  # noqa: PLC0415 - it may not be installed
    except ModuleNotFoundError:
        raise click.ClickException("the load generator is not installed: pip install 'whitehall[load]'") from None
    command.main(list(arguments), prog_name="whitehall load")
