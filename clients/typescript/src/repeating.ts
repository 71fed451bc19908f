/** Which calls may be repeated, and when: never one that could be carried out twice. */

import { clone, create } from "@bufbuild/protobuf";
import type { DescMessage, DescMethod, Message, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";

import type { WhitehallError } from "./refusals.js";

/** How long the first attempt at a change may take before it is made again: it is known to be safe, and seldom takes long. */
const FIRST_ATTEMPT_MS = 3_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** An id by which the service knows a repeated request: a UUID. */
export function newRequestId(): string {
  // Not `crypto.randomUUID`, which browsers lack on pages that came by plain HTTP.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The request as a message, with an id of its own where it may bear one and bears none. */
export function identified<I extends DescMessage>(schema: I, request: MessageInitShape<I>): MessageShape<I> {
  const message = create(schema, request);
  if (!("requestId" in schema.field) || requestId(message)) return message;
  return Object.assign(clone(schema, message), { requestId: newRequestId() });
}

/** The id by which the service knows the request; empty where there is none. */
export function requestId(message: Message): string {
  return (message as Message & { requestId?: string }).requestId ?? "";
}

/** Whether sending this once more can't carry it out twice: the contract says so of each method. */
export function mayRepeat(method: DescMethod, message: Message): boolean {
  return requestId(message) !== "" || method.idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN;
}

/**
 * How many milliseconds attempt number `attempt`, counted from 1, may take: each at a change twice as long as the one
 * before, so that a service which takes its time for once comes to answer.
 */
export function attemptMs(message: Message, attempt: number): number {
  return requestId(message) ? FIRST_ATTEMPT_MS * 2 ** Math.min(attempt - 1, 10) : Infinity;
}

/**
 * Milliseconds before attempt number `attempt`, the first repetition being 1: what the service asks for, else at random
 * below a bound that doubles, so that many clients don't come back all at once.
 */
export function pause(attempt: number, failure: WhitehallError): number {
  const grown = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10));
  return Math.max(failure.retryAfterMs ?? 0, grown * (0.5 + Math.random() / 2));
}
