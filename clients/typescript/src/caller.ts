/** One call: it bears a token, has a deadline, is repeated where that is safe, and fails with a typed refusal. */

import { create } from "@bufbuild/protobuf";
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { DescMethodBiDiStreaming, DescMethodServerStreaming, DescMethodUnary, Message } from "@bufbuild/protobuf";

import { checkedMs, checkedToken } from "./faults.js";
import { read } from "./refusals.js";
import type { WhitehallError } from "./refusals.js";
import { attemptMs, identified, mayRepeat, pause } from "./repeating.js";
import type { Replicas } from "./replicas.js";

/** How a call may differ from others. */
export interface CallOptions {
  /** What the call bears; without one it bears the operator's key. */
  token?: string;
  /** How long the call may take, its repetitions included. */
  timeoutMs?: number;
  /** Ends the call when its caller no longer wants it. */
  signal?: AbortSignal;
}

/** How to follow a game. */
export interface WatchOptions {
  /** Where to go on; the present state first, if empty. */
  cursor?: string;
  /** For how long to go on looking for a service that is not there; a minute unless told. */
  patienceMs?: number;
  /** Ends the stream when its reader no longer wants it. */
  signal?: AbortSignal;
}

/** What streams of any game tell. */
type News = Message & {
  kind:
    | { case: "update"; value: { revision?: { cursor: string } } }
    | { case: "heartbeat" | "reconnect"; value: Message }
    | { case: undefined; value?: undefined };
};

/** A stream that has been silent for longer is dead: the service sends a heartbeat every 15 seconds. */
const SILENCE_MS = 45_000;
const PATIENCE_MS = 60_000;

/** Makes calls to the replicas. */
export class Caller {
  constructor(
    private readonly replicas: Replicas,
    private readonly operator: string,
    private readonly language: string,
    private readonly timeoutMs: number,
  ) {}

  /** The answer of a method. Throws `WhitehallError`. */
  async ask<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    { token, timeoutMs = this.timeoutMs, signal }: CallOptions = {},
  ): Promise<MessageShape<O>> {
    const headers = this.headers(token);
    const message = identified(method.input, request) as MessageInitShape<I> & MessageShape<I>;
    const deadline = performance.now() + checkedMs(timeoutMs);
    for (let attempt = 1; ; attempt++) {
      const transport = this.replicas.next();
      const remaining = Math.max(1, deadline - performance.now());
      const allowed = Math.ceil(Math.min(remaining, attemptMs(message, attempt)));
      let rest: number;
      try {
        return (await transport.unary(method, signal, allowed, headers, message)).message;
      } catch (thrown) {
        const failure = read(thrown, signal);
        rest = pause(attempt, failure);
        if (failure.isTemporary) this.replicas.leave(transport);
        const goesOn = failure.isTemporary && mayRepeat(method, message) && performance.now() + rest < deadline;
        if (!goesOn || signal?.aborted) throw failure;
      }
      await sleep(rest, signal);
    }
  }

  /**
   * The answers to a stream of questions, one for each in order. Nothing is repeated. Without a `timeoutMs` it may last
   * as long as there are questions.
   */
  async *converse<I extends DescMessage, O extends DescMessage>(
    method: DescMethodBiDiStreaming<I, O>,
    requests: AsyncIterable<MessageInitShape<I>>,
    { token, timeoutMs, signal }: CallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const headers = this.headers(token);
    const allowed = timeoutMs === undefined ? undefined : checkedMs(timeoutMs);
    const stream = cancellable(signal);
    try {
      const call = await this.replicas.next().stream(method, stream.signal, allowed, headers, requests);
      yield* call.message;
    } catch (thrown) {
      throw read(thrown, signal);
    } finally {
      stream.abort();
    }
  }

  /**
   * What a stream of a game tells, through any number of broken connections: `after` asks for what came after a cursor.
   * Ends when the game is over. Throws `WhitehallError` where nothing was to be had for `patienceMs`, and at once where
   * the service refuses.
   */
  async *follow<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    after: (cursor: string) => MessageInitShape<I>,
    token: string,
    { cursor = "", patienceMs = PATIENCE_MS, signal }: WatchOptions,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const headers = this.headers(token);
    const patience = checkedMs(patienceMs);
    let failures = 0;
    let failingSince = 0;
    while (true) {
      const transport = this.replicas.next();
      const stream = cancellable(signal);
      let failure: WhitehallError;
      try {
        let isOver = true;
        stream.expect(SILENCE_MS);
        const question = one(create(method.input, after(cursor)) as MessageInitShape<I>);
        const call = await transport.stream(method, stream.signal, undefined, headers, question);
        for await (const message of call.message) {
          failures = 0;
          stream.expect(SILENCE_MS);
          const { kind } = message as unknown as News;
          if (kind.case === "update") {
            cursor = kind.value.revision?.cursor ?? cursor;
            yield message;
          } else if (kind.case === "reconnect") {
            isOver = false;
            this.replicas.leave(transport); // it may be about to stop
            break;
          }
        }
        if (isOver) return;
        continue;
      } catch (thrown) {
        failure = read(thrown, signal);
        if (failures++ === 0) failingSince = performance.now();
        const isPatient = performance.now() - failingSince <= patience;
        if (!failure.isTemporary || !isPatient || signal?.aborted) throw failure;
        this.replicas.leave(transport);
      } finally {
        stream.abort();
      }
      await sleep(pause(failures, failure), signal);
    }
  }

  private headers(token = ""): Headers {
    const headers = new Headers();
    const borne = checkedToken(token || this.operator);
    if (borne) headers.set("authorization", `Bearer ${borne}`);
    if (this.language) headers.set("accept-language", this.language);
    return headers;
  }
}

/** A signal that ends with another one, when told, or when nothing has come for as long as was expected. */
function cancellable(outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const cancel = () => controller.abort(outer?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  outer?.addEventListener("abort", cancel);
  if (outer?.aborted) cancel();
  return {
    signal: controller.signal,
    expect(ms: number): void {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), ms);
    },
    abort(): void {
      clearTimeout(timer);
      outer?.removeEventListener("abort", cancel);
      controller.abort();
    },
  };
}

async function* one<T>(value: T): AsyncGenerator<T, void, undefined> {
  yield value;
}

/** Waits; less long where the caller no longer wants it. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(wake, ms);
    function wake(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    }
    signal?.addEventListener("abort", wake);
  });
}
