"""The language in which people are answered on the command line: what their environment asks for."""

import os

IN_FRENCH = "in French where LC_ALL, LC_MESSAGES or LANG says so."
"""What the commands say of it in their help."""


def language() -> str:
    """`fr` where the environment asks for French, else `en`."""
    named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return "fr" if named.startswith("fr") else "en"
