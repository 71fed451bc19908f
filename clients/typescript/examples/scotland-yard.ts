/**
 * A whole game of Scotland Yard between simple players: `node scotland-yard.js [URL] [PRESET]`.
 *
 * Mr X keeps away from where hunters can come next; detectives head for where he can be.
 */

import { connect } from "@whitehall/client/node";
import type { ScotlandYardSeat } from "@whitehall/client/node";
import { GameStatus } from "@whitehall/client/gen/whitehall/common/v1/game_pb";

const [url = "http://localhost:50051", preset = "new"] = process.argv.slice(2);

/** A move: any of those that lead where the seat wants to be, else any. */
async function choose(seat: ScotlandYardSeat, isMrX: boolean): Promise<string> {
  const moves = await seat.moves();
  const { deductions } = await seat.deductions();
  const wanted = new Set(deductions!.strong.map(({ station }) => station));
  // A move's last word is the station where it ends.
  const good = moves.filter((move) => {
    const station = Number(move.split(" ").at(-1));
    return station > 0 && wanted.has(station) !== isMrX && !move.includes("double");
  });
  return anyOf(good.length ? good : moves);
}

function anyOf<T>(choices: T[]): T {
  return choices[Math.floor(Math.random() * choices.length)]!;
}

const service = connect(url);
const yard = service.scotlandYard;
const made = await yard.createGame({ preset, players: 4 });
const seats = await Promise.all(made.invitations.map((invitation) => yard.claim(invitation)));
let game = await seats[0]!.game();
while (game.info!.status === GameStatus.ACTIVE) {
  const toMove = game.info!.toMove[0]!;
  const { update } = await seats[toMove]!.play(await choose(seats[toMove]!, toMove === 0));
  const told = update!.revision!.events.flatMap((event) => event.text || []);
  game = update!.game!;
  console.log(`round ${game.view!.round}:`, ...told);
}
const rules = new Map((await service.catalog.rules("scotland-yard")).map((rule) => [rule.id, rule.sentenceEn]));
const { winners, rule } = game.view!.outcome!;
console.log("won by", winners.map((seat) => game.info!.seats[seat]!.name).join(", "), "|", rules.get(rule));
await yard.host(made.gameId, made.hostToken).delete();
