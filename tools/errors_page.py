"""`docs/errors.md`: every reason of a refusal, from the comments of its enum and from the table that all doors use."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import Final

import grpc

from whitehall.api.errors import ERRORS
from whitehall.api.problems import http_statuses
from whitehall.sessions.refusal import Reason

_ENUM: Final = "whitehall.common.v1.ErrorReason"
_Code = grpc.StatusCode

_TO_DO: Final[Mapping[grpc.StatusCode, str]] = {
    _Code.INVALID_ARGUMENT: "mend the request",
    _Code.UNAUTHENTICATED: "bear another token",
    _Code.PERMISSION_DENIED: "leave it to those who may",
    _Code.NOT_FOUND: "look for another one",
    _Code.FAILED_PRECONDITION: "do something else first",
    _Code.ABORTED: "read the game again, and decide anew",
    _Code.RESOURCE_EXHAUSTED: "wait, as long as `RetryInfo` says, and repeat it",
    _Code.UNAVAILABLE: "wait, as long as `RetryInfo` says, and repeat it",
    _Code.DEADLINE_EXCEEDED: "repeat it with the same request id",
    _Code.INTERNAL: "tell whoever runs the service",
    _Code.UNIMPLEMENTED: "send it in another way",
}
_TO_DO_ELSE: Final[Mapping[Reason, str]] = {
    Reason.ILLEGAL_MOVE: "play another move",
    Reason.REQUEST_ID_REUSED: "take a new request id",
    Reason.TOO_MANY_ROTATIONS: "go on with the tokens there are",
    Reason.TOO_MUCH_WORK: "do without this answer",
    Reason.REQUEST_TOO_LARGE: "send less at a time",
}

_HEAD: Final = """\
# Refusals

Made by `make generate` from `proto/whitehall/common/v1/reason.proto` and the table of errors that all doors share.

Every refusal is a `google.rpc.Status`, whatever door it comes through, with these details:

| detail | where | what it says |
|---|---|---|
| `google.rpc.ErrorInfo` | always | `domain` is `whitehall`, `reason` one of those below, `metadata` the circumstances |
| `google.rpc.LocalizedMessage` | always | a sentence for people, in English, or in French for `accept-language: fr` |
| `google.rpc.BadRequest` | INVALID_FIELD | fields by their paths, headers by their names, and what is wrong |
| `google.rpc.PreconditionFailure` | FAILED_PRECONDITION, ABORTED | what the game would have to be like |
| `google.rpc.RetryInfo` | where waiting helps | how long; over HTTP `Retry-After` says it in whole seconds |

Match on the reason, never on the sentence. Over gRPC the status is in the trailer `grpc-status-details-bin`; over
Connect and gRPC-Web it is where these protocols have it; over REST it is the body, its details spelled out:

```json
{
  "code": 9,
  "message": "A move leads to a station of the board. (SY-MOVE-01)",
  "details": [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      "reason": "ILLEGAL_MOVE",
      "domain": "whitehall",
      "metadata": {"rule": "SY-MOVE-01", "piece": "mr_x", "station": "200"}
    }
  ]
}
```

A refused call has changed nothing, with one exception: after DEADLINE_EXCEEDED a move may have been made.

## All of them

"""


def page(said: Mapping[str, str]) -> str:
    """The page. `said` are the protos' comments by full name."""
    rows = ["| reason | gRPC | Connect | HTTP | what to do |", "|---|---|---|---|---|"]
    sections = []
    for reason, row in ERRORS.items():
        numbers = ", ".join(str(code.value) for code in http_statuses(reason))
        to_do = _TO_DO_ELSE.get(reason, _TO_DO[row.code])
        link = f"[{reason}](#{reason.lower()})"
        rows.append(f"| {link} | {row.code.name} | `{row.code.name.lower()}` | {numbers} | {to_do} |")
        sections.append(_section(reason, said[f"{_ENUM}.ERROR_REASON_{reason}"]))
    return _HEAD + "\n".join(rows) + "\n\n" + "\n".join(sections)


def _section(reason: Reason, comment: str) -> str:
    """What the comment says, without the code that it begins with and the table has."""
    prose, _, example = re.sub(r"^[A-Z_]+\. ", "", comment).partition("\n\n")
    row = ERRORS[reason]
    code = textwrap.dedent(example).strip()
    words = textwrap.fill(" ".join(prose.split()), 120, break_on_hyphens=False)
    return f"### {reason}\n\n{words}\n\n- {row.en}\n- {row.fr}\n\n```json\n{code}\n```\n"
