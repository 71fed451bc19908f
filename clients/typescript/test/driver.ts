/**
 * The client, driven by tests that are written in another language: `node driver.js WAY URL[,URL...] WHAT`. A way is
 * `fetch` or `node` and a protocol, such as `fetch/grpc-web`.
 *
 *     execute             makes the calls that come by stdin, a line of JSON for each, and writes their outcomes
 *     watch GAME TOKEN    writes the number of each revision of a game of Cluedo that its watcher is told
 *     tables COUNT        plays games of Cluedo at so many tables until stdin ends, and writes a line for each move
 */

import { createInterface } from "node:readline";

import { fromJson, toJson } from "@bufbuild/protobuf";
import type { DescMethod, DescMethodUnary, JsonValue } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import * as overFetch from "@whitehall/client";
import { CatalogService } from "@whitehall/client/gen/whitehall/catalog/v1/catalog_pb";
import { CluedoPositionService } from "@whitehall/client/gen/whitehall/cluedo/v1/position_pb";
import { CluedoService } from "@whitehall/client/gen/whitehall/cluedo/v1/service_pb";
import { ScotlandYardPositionService } from "@whitehall/client/gen/whitehall/scotlandyard/v1/position_pb";
import { ScotlandYardService } from "@whitehall/client/gen/whitehall/scotlandyard/v1/service_pb";
import * as overNode from "@whitehall/client/node";

type Viewer = Pick<overFetch.CluedoSeat, "watch">;

const METHODS = new Map<string, DescMethod>(
  [CatalogService, ScotlandYardService, ScotlandYardPositionService, CluedoService, CluedoPositionService].flatMap(
    (service) => service.methods.map((method) => [`${service.typeName}/${method.name}`, method] as const),
  ),
);

/** Long enough on a busy machine too: no call is to fail, which is another thing than being quick. */
const TIMEOUT_MS = 30_000;

function connect(way: string, urls: string[]): overFetch.Service {
  const [means, protocol] = way.split("/");
  return means === "fetch"
    ? overFetch.connect(urls, { protocol: protocol as "connect", timeoutMs: TIMEOUT_MS })
    : overNode.connect(urls, { protocol: protocol as "grpc", timeoutMs: TIMEOUT_MS });
}

async function execute(service: overFetch.Service): Promise<void> {
  for await (const line of createInterface(process.stdin)) {
    const { call, token, request } = JSON.parse(line) as { call: string; token: string; request: JsonValue };
    const method = METHODS.get(call) as DescMethodUnary;
    let outcome: object;
    try {
      const answer = await service.ask(method, fromJson(method.input, request), { token });
      outcome = { answer: toJson(method.output, answer, { alwaysEmitImplicit: true }) };
    } catch (error) {
      if (!(error instanceof overFetch.WhitehallError)) throw error;
      const code = Code[error.code].replace(/(?<=.)(?=[A-Z])/g, "_").toUpperCase();
      outcome = { refusal: { code, reason: error.reason, metadata: error.metadata } };
    }
    console.log(JSON.stringify(outcome));
  }
}

async function watch(viewer: Viewer, told: (revision: number) => void): Promise<void> {
  for await (const { kind, reset } of viewer.watch()) {
    if (reset) throw new Error("the stream could not go on from its cursor");
    if (kind.case === "update") told(kind.value.revision!.revision);
  }
}

async function table({ cluedo }: overFetch.Service, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const made = await cluedo.createGame({ players: 3, allowSpectators: true });
    const seats = await Promise.all(made.invitations.map((invitation) => cluedo.claim(invitation)));
    const spectator = cluedo.spectator(made.gameId, made.spectatorToken);
    const told: number[] = [];
    const watching = watch(spectator, (revision) => told.push(revision));
    let { info } = await spectator.game();
    while (info!.toMove.length && !isOver()) {
      const seat = seats[info!.toMove[0]!]!;
      ({ info } = (await seat.play((await seat.moves()).at(-1)!)).update!.game!);
      console.log("moved");
    }
    await cluedo.host(made.gameId, made.hostToken).abandon();
    await watching;
    const hasGap = told.some((revision, index) => revision !== told[0]! + index);
    if (hasGap || told.at(-1) !== info!.revision + 1) throw new Error(`a watcher was told ${told.join(" ")}`);
  }
}

const [way = "", urls = "", what, ...rest] = process.argv.slice(2);
const service = connect(way, urls.split(","));
if (what === "execute") {
  await execute(service);
} else if (what === "watch") {
  await watch(service.cluedo.spectator(rest[0]!, rest[1]!), (revision) => console.log(revision));
} else {
  let isOver = false;
  process.stdin.on("end", () => (isOver = true)).resume();
  await Promise.all(Array.from({ length: Number(rest[0]) }, () => table(service, () => isOver)));
}
process.exit();
