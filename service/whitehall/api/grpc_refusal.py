"""Refusals, as gRPC is told of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
from grpc_status import rpc_status

from whitehall.api.errors import DEFAULT_LOCALE, status
from whitehall.api.grpc_server import send_the_last
from whitehall.sessions.refusal import Refusal

Context = grpc.aio.ServicerContext[Any, Any]


async def refuse(context: Context, refusal: Refusal, language: str = DEFAULT_LOCALE) -> None:
    """Ends the call with the refusal's status and all its details. Always raises, as gRPC has it."""
    send_the_last()
    try:
        await context.abort_with_status(rpc_status.to_status(status(refusal, language)))
    except grpc.aio.InternalError as gone:
        # The caller has left just now. This is how gRPC is told so; it would call the rest a fault of ours.
        raise asyncio.CancelledError from gone


@asynccontextmanager
async def refusing(context: Context) -> AsyncIterator[None]:
    """Turns a refusal that is raised inside into the end of the call."""
    try:
        yield
    except Refusal as refusal:
        await refuse(context, refusal)
