"""The command line: `whitehall serve`, `whitehall play`, and questions that need no service."""

from whitehall.cli.command import main

__all__ = ["main"]
