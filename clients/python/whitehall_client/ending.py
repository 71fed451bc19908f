"""The end of a connection, as calls on it meet it: gRPC tells it in several ways, and we in one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import grpc

from whitehall_client.refusals import Closed


class Ending:
    """Whether a connection has been closed, by whatever thread or task."""

    def __init__(self) -> None:
        self.has_come = False

    @contextmanager
    def told(self) -> Iterator[None]:
        """Around what gRPC does. Raises `Closed` where the end has come, or comes meanwhile and is why gRPC fails.

        It cancels the calls that are under way, and in asyncio as if the caller's own task had been cancelled; later
        ones it calls an error of the program.
        """
        if self.has_come:
            raise Closed
        try:
            yield
        except (grpc.RpcError, ValueError, grpc.aio.UsageError) as error:
            if self.has_come:
                raise Closed from error
            raise
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if self.has_come and task is not None and not task.cancelling():
                raise Closed from error
            raise
