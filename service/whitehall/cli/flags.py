"""Settings as flags: one for each, under the setting's own name."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from whitehall.settings import Settings
from whitehall.settings.layers import SettingsError, SettingsUnreadable

F = TypeVar("F", bound=Callable[..., Any])


def setting_flags(command: F) -> F:
    """Gives a command `--config FILE` and a flag for each setting; `settings_from` reads them."""
    for name, field in reversed(Settings.model_fields.items()):
        flag = f"--{name.replace('_', '-')}"
        if field.annotation is bool:
            option = click.option(f"{flag}/--no-{flag[2:]}", name, default=None, help=field.description)
        else:
            option = click.option(flag, name, default=None, metavar="VALUE", help=field.description)
        command = option(command)
    path = click.Path(dir_okay=False, path_type=Path)
    return click.option("--config", "config_file", type=path, default=None, help="A TOML file of settings.")(command)


def settings_from(config_file: Path | None, **flags: object) -> Settings:
    """The settings in force: flags before environment before file before defaults.

    Raises OSError where their file can't be read, as with any other file, and `ClickException` for what is wrong in it.
    """
    try:
        return Settings.load(flags, os.environ, config_file)
    except SettingsUnreadable as error:
        raise OSError(str(error)) from error
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
