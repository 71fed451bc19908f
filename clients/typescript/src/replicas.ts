/** The addresses at which the service is found: calls go round them, past those that have just failed. */

import type { Transport } from "@connectrpc/connect";

/** For how long nobody goes where a call has failed, as long as there is another way. */
const REST_MS = 1_000;

/** The ways to the replicas of one service. */
export class Replicas {
  private readonly ways: { transport: Transport; failedAt: number }[];
  private turn: number;

  /** Begins anywhere, so that many clients spread over all replicas. */
  constructor(
    transports: readonly Transport[],
    private readonly now: () => number = () => performance.now(),
  ) {
    if (transports.length === 0) throw new RangeError("The service has no address.");
    this.ways = transports.map((transport) => ({ transport, failedAt: -Infinity }));
    this.turn = Math.floor(Math.random() * transports.length);
  }

  /** The way of the next call: where all have just failed, the one whose failure is the longest ago. */
  next(): Transport {
    this.turn = (this.turn + 1) % this.ways.length;
    const inTurn = [...this.ways.slice(this.turn), ...this.ways.slice(0, this.turn)];
    const rested = inTurn.find((way) => this.now() - way.failedAt >= REST_MS);
    return (rested ?? inTurn.reduce((best, way) => (way.failedAt < best.failedAt ? way : best))).transport;
  }

  /** Says that a call has failed there. */
  leave(transport: Transport): void {
    for (const way of this.ways) if (way.transport === transport) way.failedAt = this.now();
  }
}
