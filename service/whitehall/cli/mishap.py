"""A mishap: Whitehall itself fails at one of many things that it was asked. The others are answered all the same."""

import sys
import traceback

from whitehall.games.core.fault import BadInput
from whitehall.games.core.text import Text

FAILED = 70
"""The exit code where Whitehall itself has failed. Systems call it EX_SOFTWARE."""


def mishap(error: Exception) -> BadInput:
    """What is told of an error of ours in place of an answer; where it comes from goes to stderr, for a report."""
    traceback.print_exception(error, file=sys.stderr)
    kind = type(error).__name__
    return BadInput(
        Text(
            f"Whitehall itself has failed at this, please report it: {kind}",
            f"Whitehall lui-même a échoué ici, merci de le signaler : {kind}",
        )
    )
