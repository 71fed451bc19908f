/**
 * A whole game of Cluedo James Bond, each player watching for itself: `node cluedo.js [URL]`. It speaks by `fetch`, as a
 * page in a browser would.
 *
 * Players suggest what may be the solution, and accuse as soon as the service's deductions leave a single one.
 */

import { connect, IllegalMove, StaleRevision } from "@whitehall/client";
import type { CluedoSeat } from "@whitehall/client";

const [url = "http://localhost:8080"] = process.argv.slice(2);

/** A move that may be made now. */
async function choose(seat: CluedoSeat): Promise<string> {
  const legal = (await seat.legalMoves()).moves!;
  if (legal.mayAccuse || legal.suggestIn) {
    const { solutions } = (await seat.deductions()).deductions!;
    const { suspect, weapon, location } = anyOf(solutions).envelope!;
    if (legal.mayAccuse && solutions.length === 1) return `accuse ${suspect} ${weapon} ${location}`;
    if (legal.suggestIn) return `suggest ${suspect} ${weapon} ${legal.suggestIn}`;
  }
  const moves = await seat.moves();
  const rooms = moves.filter((move) => move.includes(" enter "));
  return anyOf(rooms.length ? rooms : moves);
}

/** Moves whenever it is the seat's turn, until the game is over. */
async function play(seat: CluedoSeat, number: number): Promise<void> {
  for await (const { kind } of seat.watch()) {
    if (kind.case !== "update") continue;
    const info = kind.value.game?.info;
    if (!info?.toMove.includes(number)) continue;
    try {
      await seat.play(await choose(seat), { expectedRevision: info.revision });
    } catch (error) {
      // Where this news is old by now, newer is on its way.
      if (!(error instanceof IllegalMove || error instanceof StaleRevision)) throw error;
    }
  }
}

function anyOf<T>(choices: T[]): T {
  return choices[Math.floor(Math.random() * choices.length)]!;
}

const { cluedo } = connect(url);
const made = await cluedo.createGame({ players: 3 });
const seats = await Promise.all(made.invitations.map((invitation) => cluedo.claim(invitation)));
await Promise.all(seats.map(play));
const { info, view } = await seats[0]!.game();
const { suspect, weapon, location } = view!.envelope!;
const names = new Map(view!.cards.map(({ card, name }) => [card, name]));
console.log("it was", names.get(suspect), "with", names.get(weapon), "at", names.get(location));
console.log("won by", view!.outcome!.winners.map((seat) => info!.seats[seat]!.name).join(", ") || "nobody");
await cluedo.host(made.gameId, made.hostToken).delete();
