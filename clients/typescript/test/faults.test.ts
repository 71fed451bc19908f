/** What no call could mend is refused at once, and no secret is told with it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { connect, Service } from "@whitehall/client";
import { connect as connectFromNode } from "@whitehall/client/node";

import { fake } from "./fake.js";

/** Whether this is such a refusal, at once and without the secret. */
function isPlain(error: unknown): boolean {
  assert(error instanceof TypeError);
  assert.doesNotMatch(`${error.stack} ${String(error.cause)}`, /secret/);
  return true;
}

test("what is no URL is refused before anything is called", () => {
  for (const url of ["nonsense", "localhost:8771", "", "ftp://localhost"]) {
    assert.throws(() => connect(url), TypeError);
    assert.throws(() => connectFromNode(["http://localhost:1", url]), TypeError);
  }
});

test("a token that no header can bear is refused at once, by calls and by streams", async () => {
  let calls = 0;
  const getGame = () => {
    calls += 1;
    return {};
  };
  const { cluedo } = new Service([fake({ getGame })], { timeoutMs: 3_600_000 });
  for (const token of ["secret\nsecret", "secret secret", "secret\u20ac"]) {
    await assert.rejects(cluedo.seat("g", token).game(), isPlain);
    await assert.rejects(cluedo.seat("g", token).play("roll"), isPlain);
    await assert.rejects(cluedo.seat("g", token).watch().next(), isPlain);
  }
  assert.equal(calls, 0);
});

test("an operator's key that is none, or that no header can bear, is refused at once", () => {
  const noKeys = ["", ":", "me", "me:", ":secret", "me:secret\n", "me:secret secret", "me:secret\u20ac"];
  for (const operatorKey of noKeys) assert.throws(() => new Service([fake({})], { operatorKey }), isPlain);
  new Service([fake({})], { operatorKey: "me:so:fit" });
});

test(
  "a time without end is waited for, and one that is no number is refused at once",
  { timeout: 60_000 },
  async () => {
    const getGame = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50)); // longer than a timer waits that is told too long a time
      return { game: {} };
    };
    for (const timeoutMs of [2 ** 31, 1e300, Infinity]) {
      const { cluedo } = new Service([fake({ getGame })], { timeoutMs });
      assert(await cluedo.seat("g", "token").game());
    }
    assert.throws(() => new Service([fake({})], { timeoutMs: NaN }), TypeError);
    const seat = new Service([fake({})]).cluedo.seat("g", "token");
    await assert.rejects(seat.deductions({ timeoutMs: NaN }), TypeError);
    await assert.rejects(seat.watch({ patienceMs: NaN }).next(), TypeError);
  },
);

test("a new game can be turned into JSON, without its tokens", async () => {
  const invitations = [{ seat: 0, name: "S1", token: "secret" }];
  const info = { gameId: "g", createTime: { seconds: 5n } };
  const createGame = () => ({ game: { info }, hostToken: "secret", invitations });
  const made = await new Service([fake({ createGame })]).cluedo.createGame({ players: 3 });
  const said = JSON.stringify(made);
  assert.doesNotMatch(said, /secret/);
  assert.deepEqual(JSON.parse(said).game.info, { gameId: "g", createTime: "1970-01-01T00:00:05Z" });
});
