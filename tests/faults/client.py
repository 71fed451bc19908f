"""Clients: bearers of a token who take a lost answer for no answer, and ask again with the same request id.

They know what the contract offers and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, TypeAlias, TypeVar
from uuid import UUID

import grpc

from tests.api.refusals import Refused
from tests.faults.games import Played
from tests.faults.history import Answer, Refusal, Request
from tests.faults.tally import Count, Tally

LOST = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED)
"""What a call may end with whether it was carried out or not."""
REFUSED = (grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION)
"""What a call may end with because others were faster. Anything else is a fault, and ends the test."""

IMPATIENT = 0.1
"""How often a client is in haste, and gives up almost at once."""
HASTE_SECONDS, FIRST_SECONDS, LATER_SECONDS = (0.0005, 0.01), (0.3, 1.0), (1.0, 3.0)
"""How long a client waits for the answer to a change: in haste, the first time, and each later time."""
READING_SECONDS = 1.0
IN_PARALLEL = 0.15
"""How often a request is sent twice at the same time."""
STUBBORN = 0.5
"""How often a refused request is sent once more; it is to be refused again."""

_CHANNEL_OPTIONS = (
    # Connections of a client's own, that come back soon.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 1000),
    ("grpc.max_reconnect_backoff_ms", 200),
)

Response = TypeVar("Response")
Stub: TypeAlias = Any
"""That of the game's service."""
Method = Callable[[Stub], Callable[..., Awaitable[Response]]]
"""Picks a method of a stub."""


class Connections:
    """A client's own connections, one to each replica; each call takes any of them."""

    def __init__(self, addresses: Sequence[str], random: Random, played: Played) -> None:
        self.played = played
        self._random = random
        self._channels = [grpc.aio.insecure_channel(address, _CHANNEL_OPTIONS) for address in addresses]
        self._stubs = [played.stub(channel) for channel in self._channels]

    @property
    def any(self) -> Stub:
        """The stub of some replica."""
        return self._random.choice(self._stubs)

    async def close(self) -> None:
        """Close them all."""
        for channel in self._channels:
            await channel.close()


@dataclass(frozen=True)
class Errand(Generic[Response]):
    """A change that is to be asked for: how, and where it is written down."""

    method: Method[Response]
    message: object
    request: Request
    answer: Callable[[Response], Answer]
    """What to write down of a response."""


class Client:
    """A bearer of one token."""

    def __init__(self, connections: Connections, random: Random, tally: Tally, token: str = "") -> None:
        self.connections = connections
        self.random = random
        self.tally = tally
        self.token = token

    @property
    def requests(self) -> Any:
        """The module that holds the requests of the game's service."""
        return self.connections.played.wire.requests

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What each call bears."""
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()

    def new_id(self) -> str:
        """A request id."""
        return str(UUID(int=self.random.getrandbits(128), version=4))

    async def ask(self, method: Method[Response], message: object) -> Response:
        """Read something, again and again until it is answered."""
        while True:
            try:
                return await self._send(method, message, READING_SECONDS)
            except grpc.aio.AioRpcError as error:
                if error.code() not in LOST:
                    raise
            self.tally.count(Count.LOST)
            await self.pause()

    async def change(self, errand: Errand[Response]) -> Response | None:
        """Ask for a change until it is answered; None where it is refused. The request is told of every delivery."""
        request = errand.request
        seconds = HASTE_SECONDS if self.random.random() < IMPATIENT else FIRST_SECONDS
        while True:
            copies = 2 if self.random.random() < IN_PARALLEL else 1
            request.in_parallel |= copies > 1
            lost, refused = request.lost, len(request.refusals)
            delivered = await asyncio.gather(*(self._deliver(errand, seconds) for _ in range(copies)))
            responses = [response for answered in delivered for response in answered]
            if responses:
                if not request.answers:
                    self.tally.count(Count.ACKNOWLEDGED)
                    if lost and getattr(responses[0], "replayed", False):
                        self.tally.count(Count.RECOGNISED)
                request.answers += map(errand.answer, responses)
                return responses[0]
            # Where no revision is named, the move may be legal again by the next time.
            satisfied = request.expected_revision is None or self.random.random() > STUBBORN
            if len(request.refusals) > refused and request.lost == lost and satisfied:
                self.tally.count(Count.REFUSED)
                return None
            seconds = LATER_SECONDS
            await self.pause()

    async def pause(self) -> None:
        """Before the next try."""
        await asyncio.sleep(self.random.uniform(0, 0.3))

    async def _deliver(self, errand: Errand[Response], seconds: tuple[float, float]) -> Sequence[Response]:
        """Send it once. What comes back is the response, or nothing where it was lost or refused."""
        try:
            return [await self._send(errand.method, errand.message, self.random.uniform(*seconds))]
        except grpc.aio.AioRpcError as error:
            if error.code() in LOST:
                errand.request.lost += 1
                self.tally.count(Count.LOST)
            elif error.code() in REFUSED:
                refused = Refused(error)
                revision = refused.metadata.get("revision")
                errand.request.refusals.append(Refusal(refused.reason, None if revision is None else int(revision)))
            else:
                raise
            return []

    async def _send(self, method: Method[Response], message: object, timeout: float) -> Response:
        return await method(self.connections.any)(message, metadata=self.metadata, timeout=timeout)
