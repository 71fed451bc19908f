"""`--jobs`: how many processes share the work of a command."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

MOST_JOBS = 256


def jobs_flag(command: F) -> F:
    """Gives a command `--jobs N`, as its parameter `jobs`."""
    return click.option(
        "--jobs",
        type=click.IntRange(1, MOST_JOBS),
        metavar="N",
        default=1,
        show_default=True,
        help="Share the work among so many processes, for long input: each takes half a second to start. The answers "
        "and their order stay the same; with more than one, an answer may wait for more questions to come.",
    )(command)
