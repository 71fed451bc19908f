"""Questions about positions: no game is kept, and no store is asked."""

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from typing import Any

from google.protobuf.message import Message

from whitehall.api.answer import Encoded
from whitehall.api.call import Call
from whitehall.api.endpoint import (
    Duplex,
    DuplexHandler,
    Endpoint,
    ServerStream,
    Shortcut,
    StreamHandler,
    Unary,
    UnaryHandler,
)
from whitehall.api.field_rules import limits_of
from whitehall.api.pipeline import read
from whitehall.api.streams import Streams
from whitehall.api.tokens import Kind, Tokens
from whitehall.api.wire import Inquiry, Wire
from whitehall.api.workshop import Errand, Workshop
from whitehall.games.core.decoding import elements
from whitehall.games.core.encoding import embedded
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.text import Text
from whitehall.games.core.wanted import IsWanted

LARGEST_ANSWER = (4 << 20) - 1024
"""Bytes that an answer may have: clients take 4 MiB in all, unless they are told to take more."""

TURN_SECONDS = 0.001
"""How long a turn lasts."""

IDLE_SECONDS = 60.0
"""How long a stream may ask nothing until it loses its place."""

FAREWELL_SHARE = 0.1
"""Of a caller's time: how much of it an inquiry keeps for saying how far it has come."""


_TOO_MUCH_TO_TELL = Text(
    "makes the answer larger than the 4 MiB that clients take: ask for less at a time",
    "rend la réponse plus grande que les 4 Mio que les clients acceptent : demandez-en moins à la fois",
)


class PositionServicer:
    """The position methods of one game: a batch in, the answers in the same order out; for each its twin that streams
    batches; and inquiries, which take long and are answered bit by bit.
    """

    def __init__(self, wire: Wire, tokens: Tokens, streams: Streams, workshop: Workshop) -> None:
        self._wire = wire
        self._tokens = tokens
        self._streams = streams
        self._workshop = workshop

    def endpoints(self) -> list[Endpoint]:
        """Every method of the game's position service."""
        service = self._wire.position_service
        endpoints: list[Endpoint] = []
        for question in self._wire.questions:
            method = _Method(self._wire, question, question, self._workshop)
            twin = _Method(self._wire, question, f"Stream{question}", self._workshop)
            unary, shortcut = self._unary(method), self._shortcut(method)
            endpoints.append(
                Unary(
                    *(service, method.name, method.request, unary, self._tokens.operator, shortcut),
                    recurring=self._wire.recurring,
                )
            )
            endpoints.append(Duplex(service, twin.name, twin.request, self._duplex(twin)))
        for name, begin in self._wire.inquiries.items():
            request = getattr(self._wire.position_messages, f"{name}Request")
            endpoints.append(ServerStream(service, name, request, self._stream(begin), self._tokens.operator))
        return endpoints

    def _unary(self, method: "_Method") -> UnaryHandler:
        def answer(request: Any, call: Call) -> Awaitable[Encoded]:
            self._admit(call)
            return method.answer(request)

        return answer

    def _shortcut(self, method: "_Method") -> Shortcut | None:
        if not method.answers_plainly:
            return None

        async def answer(request: bytes, call: Call) -> bytes | None:
            self._admit(call)
            return await method.answer_plain(request, call.deadline)

        return answer

    def _duplex(self, method: "_Method") -> DuplexHandler:
        async def answers(requests: AsyncGenerator[Any], call: Call) -> AsyncGenerator[Encoded]:
            self._admit(call)
            with self._streams.conversation():
                async with aclosing(self._streams.until_drained(requests, IDLE_SECONDS)) as asked:
                    async for data in asked:
                        told = await method.answer_plain(data)
                        yield await method.answer(read(method.request, data)) if told is None else Encoded(told)
                self._streams.refuse_if_draining()

        return answers

    def _stream(self, begin: Callable[[Any, IsWanted], Inquiry]) -> StreamHandler:
        async def answers(request: Any, call: Call) -> AsyncGenerator[Message]:
            self._admit(call)
            ends = asyncio.get_running_loop().time() + (1 - FAREWELL_SHARE) * call.remaining
            with self._streams.conversation(), self._workshop.errand() as errand:
                inquiry = begin(request, errand.is_wanted)
                told: Message | None = None
                bits = self._streams.until_drained(_bits(inquiry, errand, ends))
                async with aclosing(bits) as stream:
                    async for told in stream:
                        yield told
                # Whatever is still worked out now comes too late.
                errand.give_up()
                if (farewell := inquiry.farewell(told)) is not None:
                    yield farewell

        return answers

    def _admit(self, call: Call) -> None:
        self._tokens.operator(call.token)
        call.token_kind = Kind.OPERATOR


async def _bits(inquiry: Inquiry, errand: Errand, ends: float) -> AsyncGenerator[Message]:
    """What an inquiry finds, bit by bit, until that is all or the loop's clock says that it `ends`."""
    with suppress(TimeoutError):
        while True:
            async with asyncio.timeout_at(ends):
                bit = await errand.run(inquiry.go_on)
            if bit is None:
                return
            yield bit


class _Method:
    """One position method, by the shape that all of them have: a list of questions in, a list of answers out."""

    def __init__(self, wire: Wire, question: str, name: str, workshop: Workshop) -> None:
        self.name = name
        self.request = getattr(wire.position_messages, f"{name}Request")
        self._answer_one = wire.questions[question]
        self._answer_plain_one = wire.plain_questions.get(question)
        self.answers_plainly = self._answer_plain_one is not None
        self._workshop = workshop
        questions = self.request.DESCRIPTOR.fields[0]
        self._questions = questions.name
        self._question_field = questions.number
        self._most_questions = limits_of(questions).repeated.max_items
        self._answer_field = getattr(wire.position_messages, f"{name}Response").DESCRIPTOR.fields[0].number

    async def answer(self, request: Any) -> Encoded:
        """Answers a valid request; raises `InvalidField` for a question that the rules can't make sense of."""
        parts: list[bytes] = []
        size = 0
        turn = _Turn()
        for index, question in enumerate(getattr(request, self._questions)):
            if turn.is_over():
                await turn.pass_on()
            try:
                part = self._answer_one(question)
                if not isinstance(part, bytes):
                    part = await self._workshop.work_out(part)
                parts.append(embedded(self._answer_field, part))
                size += len(parts[-1])
                if size > LARGEST_ANSWER:
                    raise InvalidField("", _TOO_MUCH_TO_TELL)
            except InvalidField as fault:
                raise fault.below(f"{self._questions}[{index}]") from fault
        return Encoded(b"".join(parts))

    async def answer_plain(self, request: bytes, deadline: float = math.inf) -> bytes | None:
        """Answers an encoded request that holds plain questions and nothing else; None for all others, right or wrong.

        To read questions as messages takes longer than to answer them. Raises TimeoutError where a turn ends behind the
        `deadline`, on the clock of `time.monotonic`.
        """
        if self._answer_plain_one is None:
            return None
        questions = elements(request, self._question_field)
        if not questions or len(questions) > self._most_questions:
            return None
        parts: list[bytes] = []
        turn = _Turn()
        for question in questions:
            if turn.is_over():
                await turn.pass_on()
                if time.monotonic() >= deadline:
                    raise TimeoutError
            part = self._answer_plain_one(question)
            if part is None:
                return None
            parts.append(embedded(self._answer_field, part))
        told = b"".join(parts)
        return told if len(told) <= LARGEST_ANSWER else None


class _Turn:
    """How long questions are answered until the other calls get their turn; the last one may take longer."""

    def __init__(self) -> None:
        self._ends = time.perf_counter() + TURN_SECONDS

    def is_over(self) -> bool:
        return time.perf_counter() > self._ends

    async def pass_on(self) -> None:
        await asyncio.sleep(0)
        self._ends = time.perf_counter() + TURN_SECONDS
