/**
 * The client of Whitehall, the referee for deduction board games, over Node's own connections.
 *
 *     const service = connect("http://localhost:50051");
 *
 * Everything else is as in `@whitehall/client`.
 */

import type * as http from "node:http";
import type * as http2 from "node:http2";

import type { Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";

import { checkedUrl } from "./faults.js";
import { Service } from "./service.js";
import type { ServiceOptions } from "./service.js";

export * from "./public.js";

/** How to speak from Node. */
export interface Options extends ServiceOptions {
  /**
   * `grpc` unless told, at the port of gRPC. The others are for the port of HTTP: `connect` in protobuf's own form,
   * `connect-json`, and `grpc-web`.
   */
  protocol?: "grpc" | "connect" | "connect-json" | "grpc-web";
  /** gRPC needs `2`. The others take `1.1` unless told: the service's HTTP speaks that, a proxy before it may speak both. */
  httpVersion?: "1.1" | "2";
  /** Certificates, agents, and whatever else Node's `http` and `http2` may be told. */
  nodeOptions?: http.RequestOptions & http2.SecureClientSessionOptions;
}

/** Silence is looked into every 30 seconds, calls or none: streams are silent for long. */
const PINGS = { pingIntervalMs: 30_000, pingTimeoutMs: 10_000, pingIdleConnection: true };

/**
 * A connection to the service at a URL. Of several URLs, each of a replica, those that do not answer are passed over.
 * Throws `TypeError` where one is none.
 */
export function connect(urls: string | readonly string[], options: Options = {}): Service {
  return new Service(
    [urls].flat().map((url) => transport(checkedUrl(url), options)),
    options,
  );
}

function transport(baseUrl: string, { protocol = "grpc", httpVersion = "1.1", nodeOptions = {} }: Options): Transport {
  if (protocol === "grpc") return createGrpcTransport({ baseUrl, nodeOptions, ...PINGS });
  const open = protocol === "grpc-web" ? createGrpcWebTransport : createConnectTransport;
  const common = { baseUrl, nodeOptions, useBinaryFormat: protocol !== "connect-json" };
  return httpVersion === "2" ? open({ ...common, httpVersion, ...PINGS }) : open({ ...common, httpVersion });
}
