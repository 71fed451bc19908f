"""Answers that are bytes already."""

from dataclasses import dataclass

from google.protobuf.message import Message

from whitehall.games.core.encoding import embedded


@dataclass(slots=True)
class Encoded:
    """An answer that its handler has joined from encoded parts, instead of building messages only to encode them.

    Not frozen: every call makes one, and a frozen one takes three times as long to make.
    """

    proto: bytes


Answer = Message | Encoded


def joined(message: Message, field: str, encoded: bytes) -> Encoded:
    """The message with an encoded one in its `field`, which it leaves empty."""
    return Encoded(message.SerializeToString() + embedded(message.DESCRIPTOR.fields_by_name[field].number, encoded))


def proto_bytes(answer: Answer) -> bytes:
    """The answer in protobuf's binary form."""
    return answer.proto if isinstance(answer, Encoded) else answer.SerializeToString()
