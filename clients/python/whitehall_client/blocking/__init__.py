# Made by tools/clients.py from the module of this name in aio/. Never edited by hand.
"""The client for asyncio: `with whitehall_client.blocking.connect() as service`."""

from whitehall_client.blocking.cluedo import Cluedo
from whitehall_client.blocking.scotland_yard import ScotlandYard
from whitehall_client.blocking.service import Service, connect

__all__ = ["Cluedo", "ScotlandYard", "Service", "connect"]
