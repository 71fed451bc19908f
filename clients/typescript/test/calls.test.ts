/** Calls are repeated where that is safe, within their time, and fail in types. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { inspect } from "node:util";

import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  connect,
  IllegalMove,
  InvalidRequest,
  Overloaded,
  Service,
  StaleRevision,
  Unanswered,
} from "@whitehall/client";

import { detailed, fake, refusal } from "./fake.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("a change whose answer was lost is sent again as it was, with the id that was made for it", async () => {
  const ids: string[] = [];
  const service = new Service([
    fake({
      playMove({ requestId }) {
        ids.push(requestId);
        if (ids.length < 3) throw new ConnectError("lost", Code.Unavailable);
        return { replayed: true };
      },
    }),
  ]);
  const played = await service.cluedo.seat("game", "token").play("roll");
  assert.equal(played.replayed, true);
  assert.equal(ids.length, 3);
  assert.match(ids[0]!, UUID);
  assert.equal(new Set(ids).size, 1);
});

test("an id of the caller's own is kept, and each change has another", async () => {
  const ids: string[] = [];
  const seat = new Service([fake({ playMove: ({ requestId }) => ({ replayed: !ids.push(requestId) }) })]).cluedo.seat(
    "g",
    "",
  );
  await seat.play("roll", { requestId: "mine" });
  await seat.play("roll");
  await seat.play("roll");
  assert.equal(ids[0], "mine");
  assert.equal(new Set(ids).size, 3);
});

test("a service that takes its time is given more at each attempt", async () => {
  // A machine with too much to do may need seconds. Were each attempt as short as the first, none would be answered.
  const allowed: number[] = [];
  const service = new Service(
    [
      fake({
        playMove(_, { timeoutMs }) {
          if (allowed.push(timeoutMs()!) < 3) throw new ConnectError("lost", Code.Unavailable);
          return {};
        },
      }),
    ],
    { timeoutMs: 60_000 },
  );
  await service.cluedo.seat("game", "token").play("roll");
  assert.equal(allowed.length, 3);
  assert(allowed[0]! <= 3_000 && allowed[2]! > 3_000 && allowed[2]! <= 12_000, allowed.join(" "));
});

test("a refusal is typed, and not asked for twice", async () => {
  let calls = 0;
  const playMove = () => {
    calls += 1;
    throw refusal(Code.FailedPrecondition, "ILLEGAL_MOVE", { rule: "CL-MOVE-01", place: "7,4" });
  };
  await assert.rejects(new Service([fake({ playMove })]).cluedo.seat("g", "").play("walk 7,4"), (error) => {
    assert(error instanceof IllegalMove);
    assert.deepEqual([error.reason, error.rule, error.message], ["ILLEGAL_MOVE", "CL-MOVE-01", "a sentence"]);
    assert.deepEqual(error.metadata, { rule: "CL-MOVE-01", place: "7,4" });
    assert.equal(error.isTemporary, false);
    return true;
  });
  assert.equal(calls, 1);
});

test("an outdated revision, a wrong field and a wish to wait are told", async () => {
  const stale = refusal(Code.Aborted, "STALE_REVISION", { revision: "12" });
  const violation = new BinaryWriter().tag(1, 2).string("moves[0]").tag(2, 2).string("is no move");
  const wrong = detailed(
    Code.InvalidArgument,
    "google.rpc.BadRequest",
    new BinaryWriter().tag(1, 2).fork().raw(violation.finish()).join(),
  );
  wrong.details.push(...refusal(Code.InvalidArgument, "INVALID_FIELD").details);
  const delay = new BinaryWriter().tag(1, 2).fork().tag(1, 0).int64(3).tag(2, 0).int32(500_000_000).join();
  const crowded = detailed(Code.ResourceExhausted, "google.rpc.RetryInfo", delay);
  for (const [thrown, kind, told] of [
    [stale, StaleRevision, { revision: 12 }],
    [wrong, InvalidRequest, { fields: { "moves[0]": "is no move" } }],
    [crowded, Overloaded, { retryAfterMs: 3500 }],
  ] as const) {
    const getGame = () => {
      throw thrown;
    };
    await assert.rejects(new Service([fake({ getGame })]).cluedo.seat("g", "").game(), (error) => {
      assert(error instanceof kind);
      for (const [name, value] of Object.entries(told)) assert.deepEqual(Reflect.get(error, name), value);
      return true;
    });
  }
});

test("where no connection is made, the error tells why", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  const { catalog } = connect(`http://127.0.0.1:${port}`, { timeoutMs: 50 });
  await assert.rejects(
    catalog.buildInfo(),
    (error) => error instanceof Unanswered && /ECONNREFUSED/.test(error.message),
  );
});

test("where nobody answers, the call takes as long as it may", async () => {
  const getGame = () => {
    throw new ConnectError("nobody", Code.Unavailable);
  };
  const began = performance.now();
  const service = new Service([fake({ getGame })], { timeoutMs: 300 });
  await assert.rejects(service.cluedo.seat("g", "").game(), Unanswered);
  assert(performance.now() - began < 10_000);
});

test("an answer that never comes is not waited for", async () => {
  const getGame = () => new Promise<never>(() => undefined);
  const service = new Service([fake({ getGame })], { timeoutMs: 100 });
  await assert.rejects(service.cluedo.seat("g", "").game(), Unanswered);
});

test("a caller who leaves is not kept", async () => {
  const leaving = new AbortController();
  const getGame = () => {
    leaving.abort();
    throw new ConnectError("nobody", Code.Unavailable);
  };
  const service = new Service([fake({ getGame })], { timeoutMs: 60_000 });
  const { method } = (await import("@whitehall/client/gen/whitehall/cluedo/v1/service_pb")).CluedoService;
  await assert.rejects(service.ask(method.getGame, { gameId: "g" }, { signal: leaving.signal }), Unanswered);
});

test("a call that fails at one replica is made at another", async () => {
  let calls = 0;
  const broken = fake({
    getGame() {
      calls += 1;
      throw new ConnectError("it stops", Code.Unavailable);
    },
  });
  const sound = fake({ getGame: () => ({ game: { info: { revision: 7 } } }) });
  const seat = new Service([broken, sound]).cluedo.seat("g", "");
  for (let call = 0; call < 5; call++) assert.equal((await seat.game()).info!.revision, 7);
  assert.equal(calls, 1);
});

test("calls bear the token of the seat, else the operator's, and the language of refusals", async () => {
  const borne: (string | null)[][] = [];
  const note = (headers: Headers) => borne.push([headers.get("authorization"), headers.get("accept-language")]);
  const transport = fake({
    getGame: (_, { requestHeader }) => ({ game: { info: { revision: note(requestHeader) } } }),
    createGame: (_, { requestHeader }) => ({ game: { info: { gameId: "g", revision: note(requestHeader) } } }),
  });
  const { cluedo } = new Service([transport], { operatorKey: "me:so:secret", language: "fr" });
  await cluedo.createGame({ players: 3 });
  await cluedo.seat("g", "wh_seat_0_x").game();
  assert.deepEqual(borne, [
    ["Bearer wh_operator_me_so:secret", "fr"],
    ["Bearer wh_seat_0_x", "fr"],
  ]);
});

test("passwords are in nothing that is printed", async () => {
  const invitations = [{ seat: 0, name: "S1", token: "password1" }];
  const info = { gameId: "g" };
  const createGame = () => ({ game: { info }, hostToken: "password2", spectatorToken: "password3", invitations });
  const service = new Service([fake({ createGame })], { operatorKey: "me:password4" });
  const made = await service.cluedo.createGame({ players: 3 });
  const seat = service.cluedo.seat("g", "password5");
  assert.deepEqual([made.seats["S1"]!.token, made.hostToken, seat.token], ["password1", "password2", "password5"]);
  for (const thing of [made, made.seats, seat, service, service.cluedo]) {
    assert.doesNotMatch(inspect(thing, { depth: 9 }), /password/);
  }
  assert.doesNotMatch(JSON.stringify([made, made.seats, seat]), /password/);
});
