"""`--boards-dir` for commands without a service: questions and records on an operator's own boards."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

_FOLDER = f"{__name__}.folder"
"""Under this name the context of a command knows the folder."""


class WrongBoards(click.ClickException):
    """The folder is none, or holds a file that is no board; nothing has been answered."""

    exit_code = 2  # wrong usage: 1 is for questions and records that are wrong


def boards_flag(command: F) -> F:
    """Gives a command `--boards-dir DIR`, named as the service has it; the boards are there when it runs."""
    return click.option(
        "--boards-dir",
        envvar="WHITEHALL_BOARDS_DIR",
        type=click.Path(path_type=Path),
        metavar="DIR",
        expose_value=False,
        callback=_add,
        help="Folder with boards of your own, as `whitehall serve` reads it (docs/boards.md). "
        "Also WHITEHALL_BOARDS_DIR.",
    )(command)


def same_boards() -> Callable[[], None]:
    """What gives another process the boards of the command that runs here, and tells nothing of them a second time."""
    return partial(_load, click.get_current_context().meta.get(_FOLDER), _be_quiet)


def _add(context: click.Context, _option: click.Parameter, folder: Path | None) -> None:
    context.meta[_FOLDER] = folder
    _load(folder, lambda words: click.echo(f"Warning: {words}", err=True))


def _be_quiet(_words: str) -> None:
    """Says nothing."""


def _load(folder: Path | None, warn: Callable[[str], None]) -> None:
    if folder is None:
        return
    # Loaded only where somebody has boards: it takes longer than `--help` does without.
    from whitehall.api.board_files import BoardFileError, add_boards  # noqa: PLC0415 - see above
    from whitehall.api.hosted import hosted_games  # noqa: PLC0415 - see above

    try:
        add_boards(folder.expanduser(), hosted_games(), warn)
    except BoardFileError as error:
        raise WrongBoards(str(error)) from error
