"""Answers that are bytes already."""

from dataclasses import dataclass

from google.protobuf.message import Message


@dataclass(frozen=True, slots=True)
class Encoded:
    """An answer that its handler has joined from encoded parts, instead of building messages only to encode them."""

    proto: bytes


Answer = Message | Encoded


def proto_bytes(answer: Answer) -> bytes:
    """The answer in protobuf's binary form."""
    return answer.proto if isinstance(answer, Encoded) else answer.SerializeToString()
