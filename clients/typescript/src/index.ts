/**
 * The client of Whitehall, the referee for deduction board games, over `fetch`: for browsers, and for whatever else has
 * it.
 *
 *     const service = connect("http://localhost:8080");
 *     const game = await service.scotlandYard.createGame({ players: 3 });
 *     const mrX = await service.scotlandYard.claim(game.seats.mr_x);
 *     console.log(await mrX.moves());
 *
 * `@whitehall/client/node` is the same over Node's own connections, gRPC included. Messages are in
 * `@whitehall/client/gen/...`, by the paths of their protos.
 */

import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";

import { checkedUrl } from "./faults.js";
import { Service } from "./service.js";
import type { ServiceOptions } from "./service.js";

export * from "./public.js";

/** How to speak over `fetch`. */
export interface Options extends ServiceOptions {
  /**
   * `connect`, in protobuf's own form, unless told; `connect-json` is easier to read in a browser's tools, and
   * `grpc-web` is for proxies that know nothing else.
   */
  protocol?: "connect" | "connect-json" | "grpc-web";
  /** Does what `fetch` does, in its place. */
  fetch?: typeof globalThis.fetch;
}

/**
 * A connection to the service at a URL, the one at which it serves HTTP. Of several URLs, each of a replica, those that
 * do not answer are passed over. Throws `TypeError` where one is none.
 */
export function connect(urls: string | readonly string[], options: Options = {}): Service {
  const { protocol = "connect", fetch } = options;
  const open = protocol === "grpc-web" ? createGrpcWebTransport : createConnectTransport;
  const common = { useBinaryFormat: protocol !== "connect-json", ...(fetch && { fetch }) };
  return new Service(
    [urls].flat().map((url) => open({ ...common, baseUrl: checkedUrl(url) })),
    options,
  );
}
