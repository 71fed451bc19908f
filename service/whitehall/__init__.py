"""Whitehall: one referee for deduction board games, called by any frontend."""

__version__ = "0.1.0"
