/**
 * Why a call failed, as one tree of errors:
 *
 *     WhitehallError
 *     ├── Unanswered           no answer came in time, or nobody was there to give one
 *     └── Refused              the service has said no; nothing was changed
 *         ├── IllegalMove      a rule of the game forbids the move: `rule`
 *         ├── StaleRevision    the game has moved on from the expected revision: `revision`
 *         ├── InvalidRequest   a field has a value that it may not have: `fields`
 *         ├── NotAllowed       no token, a wrong one, or one that is not meant for this
 *         ├── NotFound         no such game, or nothing in the catalog by that name
 *         └── Overloaded       too much is asked at the same time: `retryAfterMs`
 *
 * Match on the class, or on `reason` (the names of whitehall.common.v1.ErrorReason, without their prefix). The message
 * is for people, and comes in their language.
 */

import { Code, ConnectError } from "@connectrpc/connect";

import { detailsOf } from "./details.js";
import type { Details } from "./details.js";

/** A call that failed. */
export class WhitehallError extends Error {
  /** Such as `ILLEGAL_MOVE`; empty where something before the service ended the call. */
  readonly reason: string;
  /** The circumstances, by name: see each reason's example in whitehall/common/v1/reason.proto. */
  readonly metadata: Readonly<Record<string, string>>;
  /** What is wrong with the request, by the path of the field. */
  readonly fields: Readonly<Record<string, string>>;
  /** After how long the call may be tried again; undefined where the service did not say. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    readonly code: Code,
    details: Details,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = new.target.name;
    ({ reason: this.reason, metadata: this.metadata, fields: this.fields, retryAfterMs: this.retryAfterMs } = details);
  }

  /** The id of the rule that speaks against it, such as `SY-MOVE-04`; empty where none does. */
  get rule(): string {
    return this.metadata["rule"] ?? "";
  }

  /** Whether the very same call may succeed later, as soon as a process or a connection has come back. */
  get isTemporary(): boolean {
    return this instanceof Unanswered || CROWDED.has(this.reason);
  }
}

/**
 * No answer came in time, or nobody was there to give one. A change may have been made all the same: ask with the same
 * request id, or read the game.
 */
export class Unanswered extends WhitehallError {}

/** The service has said no. Nothing was changed. */
export class Refused extends WhitehallError {}

/**
 * A rule of the game forbids the move. `rule` is its id, the message its sentence; `metadata` has the circumstances that
 * the mover may know.
 */
export class IllegalMove extends Refused {}

/** The game has moved on from the expected revision. Read it again. */
export class StaleRevision extends Refused {
  /** The game's revision now. */
  get revision(): number {
    return Number(this.metadata["revision"]);
  }
}

/** A field has a value that it may not have: `fields`. */
export class InvalidRequest extends Refused {}

/** No token, a wrong or outdated one, or one that is not meant for this. */
export class NotAllowed extends Refused {}

/** There is no such game, or nothing in the catalog by that name. */
export class NotFound extends Refused {}

/** Too much is asked at the same time, or too large a thing. */
export class Overloaded extends Refused {}

const CROWDED = new Set(["TOO_MANY_CALLS", "TOO_MANY_STREAMS"]);

/** What the service says when no answer is to be had now. */
const UNANSWERED = new Set([Code.Unavailable, Code.Canceled, Code.DeadlineExceeded]);

/**
 * What transports say, beside these, when a connection has broken: the service itself always tells a reason. Each
 * transport has codes of its own for that, down to InvalidArgument for a stream without its end.
 */
const BROKEN = new Set([Code.Unknown, Code.Internal, Code.Aborted, Code.DataLoss, Code.InvalidArgument]);

const BY_CODE: Partial<Record<Code, typeof WhitehallError>> = {
  [Code.Aborted]: StaleRevision,
  [Code.InvalidArgument]: InvalidRequest,
  [Code.Unauthenticated]: NotAllowed,
  [Code.PermissionDenied]: NotAllowed,
  [Code.NotFound]: NotFound,
  [Code.ResourceExhausted]: Overloaded,
};

/** The error for whatever a transport has thrown; where the caller has no longer wanted it, that rather than a break. */
export function read(thrown: unknown, signal?: AbortSignal): WhitehallError {
  const error = ConnectError.from(thrown);
  const details = detailsOf(error);
  const kind = kindOf(error.code, details.reason);
  const failure = new kind(sentence(error), error.code, details, thrown);
  return signal?.aborted && failure.isTemporary ? read(ConnectError.from(signal.reason, Code.Canceled)) : failure;
}

/** What was said; where it is `fetch failed` alone, its cause tells better. */
function sentence(error: ConnectError): string {
  const said = error.rawMessage || Code[error.code];
  const cause = error.cause instanceof Error ? error.cause.cause : undefined;
  return cause instanceof Error && cause.message ? `${said}: ${cause.message}` : said;
}

function kindOf(code: Code, reason: string): typeof WhitehallError {
  if (reason === "ILLEGAL_MOVE") return IllegalMove;
  if (UNANSWERED.has(code) || (!reason && BROKEN.has(code))) return Unanswered;
  return BY_CODE[code] ?? Refused;
}
