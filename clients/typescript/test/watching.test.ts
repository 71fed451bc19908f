/** A watcher goes on where it was, and knows an end from a break. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { Code, ConnectError } from "@connectrpc/connect";
import { NotAllowed, Service, Unanswered } from "@whitehall/client";

import { detailed, fake, refusal, update } from "./fake.js";

type Part = ReturnType<typeof update> | "heartbeat" | "reconnect" | Error;

/** What a watcher is told of streams that tell these parts, one stream after another; and the cursors that it asked with. */
async function watched(...streams: Part[][]) {
  const cursors: string[] = [];
  const told: number[] = [];
  const transport = fake({
    async *watchGame({ cursor }) {
      cursors.push(cursor);
      for (const part of streams.shift()!) {
        if (part instanceof Error) throw part;
        yield typeof part === "string" ? { kind: { case: part, value: {} } } : part;
      }
    },
  });
  const seat = new Service([transport]).cluedo.seat("g", "");
  const reading = (async () => {
    for await (const { kind } of seat.watch()) if (kind.case === "update") told.push(kind.value.revision!.revision);
  })();
  const failure: unknown = await reading.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { told, cursors, failure };
}

test("heartbeats are not told, and the end of the game is the end", async () => {
  assert.deepEqual(await watched([update(1), "heartbeat", update(2)]), {
    told: [1, 2],
    cursors: [""],
    failure: undefined,
  });
});

test("it goes on from its cursor where the stream asks it to, and where the stream breaks", async () => {
  const broken = new ConnectError("gone", Code.Unavailable);
  const { told, cursors, failure } = await watched(
    [update(1), "reconnect"],
    [update(2), broken],
    [broken],
    [update(3)],
  );
  assert.deepEqual([told, failure], [[1, 2, 3], undefined]);
  assert.deepEqual(cursors, ["", "after 1", "after 2", "after 2"]);
});

test("a refusal ends it at once", async () => {
  const { told, cursors, failure } = await watched([update(1), refusal(Code.Unauthenticated, "TOKEN_REPLACED")]);
  assert.deepEqual([told, cursors.length], [[1], 1]);
  assert(failure instanceof NotAllowed);
});

test("it gives up where nobody is there", async () => {
  async function* watchGame(): AsyncGenerator<never> {
    throw new ConnectError("nobody", Code.Unavailable);
  }
  const seat = new Service([fake({ watchGame })]).cluedo.seat("g", "");
  await assert.rejects(seat.watch({ patienceMs: 100 }).next(), Unanswered);
});

test("a reader who leaves ends the stream", async () => {
  let ended = () => {};
  const isOver = new Promise<void>((resolve) => (ended = resolve));
  async function* watchGame(_: unknown, { signal }: { signal: AbortSignal }) {
    signal.addEventListener("abort", ended);
    yield update(1);
    await isOver;
  }
  for await (const { kind } of new Service([fake({ watchGame })]).cluedo.seat("g", "").watch()) {
    assert.equal(kind.case, "update");
    break;
  }
  await isOver;
});

test("an aborted signal ends a watch that looks for the service, and is told", { timeout: 60_000 }, async () => {
  for (const isPausing of [true, false]) {
    const controller = new AbortController();
    const abort = () => controller.abort();
    async function* watchGame(): AsyncGenerator<never> {
      // During the pause, whose end is not waited for, and before it.
      if (isPausing) setTimeout(abort, 200);
      else abort();
      throw detailed(Code.Unavailable, "google.rpc.RetryInfo", anHour());
    }
    const seat = new Service([fake({ watchGame })]).cluedo.seat("g", "");
    await assert.rejects(seat.watch({ signal: controller.signal }).next(), (failure) => {
      assert(failure instanceof Unanswered);
      assert.equal(failure.code, Code.Canceled);
      return true;
    });
  }
});

/** RetryInfo with a delay of an hour. */
function anHour() {
  return new BinaryWriter().tag(1, 2).fork().tag(1, 0).int64(3600).join();
}
