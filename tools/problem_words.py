"""What refusals' bodies are, in our words: the protos of these messages are Google's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PROBLEM_WORDS: Final[Mapping[str, str]] = {
    "google.rpc.Status": "Why a call was refused. A refused call has changed nothing.",
    "google.rpc.Status.code": "The code of gRPC, such as 9 for FAILED_PRECONDITION.",
    "google.rpc.Status.message": "A sentence for people, in the language asked for. Programs match on the reason.",
    "google.rpc.Status.details": "What programs match on, each told by its `@type`. ErrorInfo is always there.",
    "google.rpc.ErrorInfo": "The reason.",
    "google.rpc.ErrorInfo.reason": "Why, from a closed list; `docs/errors.md` explains each.",
    "google.rpc.ErrorInfo.domain": "Always `whitehall`.",
    "google.rpc.ErrorInfo.metadata": "The circumstances by name, such as the id of the rule that forbids a move.",
    "google.rpc.BadRequest": "Which fields of the request are at fault.",
    "google.rpc.BadRequest.field_violations": "The fields: the first one, or up to 16 of a small request.",
    "google.rpc.BadRequest.FieldViolation": "A field that is at fault.",
    "google.rpc.BadRequest.FieldViolation.field": "Its path, such as `moves[0].travel.station`.",
    "google.rpc.BadRequest.FieldViolation.description": "What is wrong with it, in the language asked for.",
    "google.rpc.BadRequest.FieldViolation.reason": "Not used.",
    "google.rpc.BadRequest.FieldViolation.localized_message": "Not used.",
    "google.rpc.PreconditionFailure": "What the game would have to be like.",
    "google.rpc.PreconditionFailure.violations": "What it is not.",
    "google.rpc.PreconditionFailure.Violation": "One thing that it is not.",
    "google.rpc.PreconditionFailure.Violation.type": "The reason again.",
    "google.rpc.PreconditionFailure.Violation.subject": "The id of the rule that forbids the move; else `game`.",
    "google.rpc.PreconditionFailure.Violation.description": "A sentence for people, in the language asked for.",
    "google.rpc.RetryInfo": "That waiting helps.",
    "google.rpc.RetryInfo.retry_delay": "How long to wait before the call is repeated.",
    "google.rpc.LocalizedMessage": "The sentence for people.",
    "google.rpc.LocalizedMessage.locale": "Its language: `en` or `fr`.",
    "google.rpc.LocalizedMessage.message": "The sentence.",
}
"""By full name."""
