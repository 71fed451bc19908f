/** A service that answers what a test tells it to, without a network. */

import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import type { ServiceImpl, Transport } from "@connectrpc/connect";
import { CluedoService } from "@whitehall/client/gen/whitehall/cluedo/v1/service_pb";

/** A way to a service of Cluedo that answers like this. */
export function fake(answers: Partial<ServiceImpl<typeof CluedoService>>): Transport {
  return createRouterTransport(({ service }) => service(CluedoService, answers));
}

/** What the service says when it refuses, with the details that its contract promises. */
export function refusal(code: Code, reason: string, metadata: Record<string, string> = {}): ConnectError {
  const info = new BinaryWriter().tag(1, 2).string(reason).tag(2, 2).string("whitehall");
  for (const [name, value] of Object.entries(metadata)) {
    info.tag(3, 2).fork().tag(1, 2).string(name).tag(2, 2).string(value).join();
  }
  return detailed(code, "google.rpc.ErrorInfo", info);
}

/** An error with a detail of this type. */
export function detailed(code: Code, type: string, detail: BinaryWriter): ConnectError {
  const error = new ConnectError("a sentence", code);
  error.details.push({ type, value: detail.finish() });
  return error;
}

/** An update of a stream: this revision, and where it stands. */
export function update(revision: number) {
  return {
    kind: { case: "update", value: { revision: { revision, cursor: `after ${revision}` } } },
  } as const;
}
