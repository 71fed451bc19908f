"""The client for asyncio: `async with whitehall_client.aio.connect() as service`."""

from whitehall_client.aio.cluedo import Cluedo
from whitehall_client.aio.scotland_yard import ScotlandYard
from whitehall_client.aio.service import Service, connect

__all__ = ["Cluedo", "ScotlandYard", "Service", "connect"]
