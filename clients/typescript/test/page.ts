/**
 * A page that plays, as a frontend would: made one file with the client, loaded from an origin of its own. What came of
 * it, or what went wrong, is told to that origin.
 */

import { connect, IllegalMove } from "@whitehall/client";

const url = new URLSearchParams(location.search).get("service")!;

async function play(protocol: "connect" | "connect-json" | "grpc-web"): Promise<object> {
  const yard = connect(url, { protocol }).scotlandYard;
  const made = await yard.createGame({ players: 3 });
  const mrX = await yard.claim(made.seats["mr_x"]!);
  const red = await yard.claim(made.seats["red"]!);
  const told: number[] = [];
  let listed = 0;
  let seesMrX = false;
  for await (const { kind } of red.watch()) {
    if (kind.case !== "update") continue;
    told.push(kind.value.revision!.revision);
    seesMrX ||= kind.value.game!.view!.mrX!.station !== undefined;
    if (told.length === 2) break;
    const moves = await mrX.moves();
    listed = moves.length;
    await mrX.play(moves[0]!);
  }
  const { info } = await mrX.game();
  const refusal = await red.play("red taxi 200").catch((error: unknown) => error);
  await yard.host(made.gameId, made.hostToken).abandon();
  const rule = refusal instanceof IllegalMove ? refusal.rule : String(refusal);
  return { told, revision: info!.revision, listed, seesMrX, rule };
}

async function playByAll(): Promise<object> {
  const found: Record<string, object> = {};
  for (const protocol of ["connect", "connect-json", "grpc-web"] as const) found[protocol] = await play(protocol);
  return found;
}

const outcome = await playByAll().catch((error: unknown) => ({ error: String(error) }));
await fetch("/told", { method: "POST", body: JSON.stringify(outcome) });
