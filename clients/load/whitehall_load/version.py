"""Made by tools/clients.py."""

__version__ = "0.1.0"
