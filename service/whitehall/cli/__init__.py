"""The command line: `whitehall serve`, `whitehall play`, `whitehall config`."""

from whitehall.cli.command import main

__all__ = ["main"]
