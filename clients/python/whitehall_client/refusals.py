"""Why a call failed, as one tree of exceptions:

    WhitehallError
    ├── Unanswered           no answer came in time, or nobody was there to give one
    │   └── Closed           the connection has been closed, by `close` or at the end of its block
    └── Refused              the service has said no; nothing was changed
        ├── IllegalMove      a rule of the game forbids the move: `rule`
        ├── StaleRevision    the game has moved on from the expected revision: `revision`
        ├── InvalidRequest   a field has a value that it may not have: `fields`
        ├── NotAllowed       no token, a wrong one, or one that is not meant for this
        ├── NotFound         no such game, or nothing in the catalog by that name
        └── Overloaded       too much is asked at the same time: `retry_after`

Match on the class, or on `reason` (the names of whitehall.common.v1.ErrorReason, without their prefix). The message
is for people, and comes in their language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

DetailT = TypeVar("DetailT", bound=Message)

_DETAILS = "grpc-status-details-bin"
_LOST = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED}
_BROKEN = {grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.DATA_LOSS}
"""What gRPC says, beside these, when a connection has broken on the way: the service itself always tells a reason."""
_OVERLOADED = {"TOO_MANY_CALLS", "TOO_MANY_STREAMS"}


class WhitehallError(Exception):
    """A call that failed."""

    def __init__(
        self,
        message: str,
        *,
        code: grpc.StatusCode,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
        fields: Mapping[str, str] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.reason = reason
        """Such as `ILLEGAL_MOVE`; empty where gRPC itself ended the call."""
        self.metadata = dict(metadata or {})
        """The circumstances, by name: see each reason's example in whitehall/common/v1/reason.proto."""
        self.fields = dict(fields or {})
        """What is wrong with the request, by the path of the field."""
        self.retry_after = retry_after
        """In how many seconds the call may be tried again; None where the service did not say."""

    @property
    def rule(self) -> str:
        """The id of the rule that speaks against it, such as `SY-MOVE-04`; empty where none does."""
        return self.metadata.get("rule", "")

    @property
    def is_temporary(self) -> bool:
        """Whether the very same call may succeed later, as soon as a process or a connection has come back."""
        return isinstance(self, Unanswered) or self.reason in _OVERLOADED

    def __str__(self) -> str:
        return f"{self.message} [{self.reason or self.code.name}]"


class Unanswered(WhitehallError):
    """No answer came in time, or nobody was there to give one. A change may have been made all the same: ask with the
    same request id, or read the game.
    """


class Closed(Unanswered):
    """The connection has been closed, by `close` or at the end of its block; the call may have been under way."""

    def __init__(self) -> None:
        super().__init__("The connection has been closed.", code=grpc.StatusCode.CANCELLED)

    @property
    def is_temporary(self) -> bool:
        """It is for good."""
        return False


class Refused(WhitehallError):
    """The service has said no. Nothing was changed."""


class IllegalMove(Refused):
    """A rule of the game forbids the move. `rule` is its id, the message its sentence; `metadata` has the circumstances
    that the mover may know.
    """


class StaleRevision(Refused):
    """The game has moved on from the expected revision. Read it again."""

    @property
    def revision(self) -> int:
        """The game's revision now."""
        return int(self.metadata["revision"])


class InvalidRequest(Refused):
    """A field has a value that it may not have: `fields`."""


class NotAllowed(Refused):
    """No token, a wrong or outdated one, or one that is not meant for this."""


class NotFound(Refused):
    """There is no such game, or nothing in the catalog by that name."""


class Overloaded(Refused):
    """Too much is asked at the same time, or too large a thing."""


_BY_CODE: Mapping[grpc.StatusCode, type[WhitehallError]] = {
    **dict.fromkeys(_LOST, Unanswered),
    grpc.StatusCode.ABORTED: StaleRevision,
    grpc.StatusCode.INVALID_ARGUMENT: InvalidRequest,
    grpc.StatusCode.UNAUTHENTICATED: NotAllowed,
    grpc.StatusCode.PERMISSION_DENIED: NotAllowed,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.RESOURCE_EXHAUSTED: Overloaded,
}
_BY_REASON: Mapping[str, type[WhitehallError]] = {"ILLEGAL_MOVE": IllegalMove}


def read(error: Any) -> WhitehallError:
    """The exception for the error of a gRPC call, blocking or asyncio."""
    # Pair by pair: what older grpcio gives here can't be made a dict.
    packed = (value for name, value in error.trailing_metadata() or () if name == _DETAILS)
    status = status_pb2.Status.FromString(next(packed, b""))
    info = _detail(status, error_details_pb2.ErrorInfo())
    retry = _detail(status, error_details_pb2.RetryInfo())
    bad = _detail(status, error_details_pb2.BadRequest())
    code: grpc.StatusCode = error.code()
    return _kind(code, info.reason)(
        error.details() or code.name,
        code=code,
        reason=info.reason,
        metadata=info.metadata,
        fields={violation.field: violation.description for violation in bad.field_violations},
        retry_after=retry.retry_delay.ToMilliseconds() / 1000 if retry.HasField("retry_delay") else None,
    )


def _kind(code: grpc.StatusCode, reason: str) -> type[WhitehallError]:
    if not reason and code in _BROKEN:
        return Unanswered
    return _BY_REASON.get(reason) or _BY_CODE.get(code, Refused)


def _detail(status: status_pb2.Status, detail: DetailT) -> DetailT:
    """The detail of this type; empty as it came where there is none."""
    any(packed.Unpack(detail) for packed in status.details)
    return detail
