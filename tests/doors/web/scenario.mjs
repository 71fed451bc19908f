// A game as a browser's libraries play it, in one of their three modes. Runs in Node and in a page alike, and returns what
// it was told.

import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, cors, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";

const YARD = "whitehall.scotlandyard.v1.ScotlandYardService";

const TRANSPORTS = {
  "connect-json": (baseUrl) => createConnectTransport({ baseUrl, useHttpGet: true }),
  "connect-binary": (baseUrl) => createConnectTransport({ baseUrl, useBinaryFormat: true }),
  "grpc-web": (baseUrl) => createGrpcWebTransport({ baseUrl }),
};

// What these libraries send, and want to read, across origins.
export const needed = { allowed: cors.allowedHeaders, exposed: cors.exposedHeaders };

// `image` is the contract as a FileDescriptorSet.
export async function play(baseUrl, mode, image) {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
  const yard = createClient(registry.getService(YARD), TRANSPORTS[mode](baseUrl));
  const made = await yard.createGame({ preset: "new", players: 3 });
  const { gameId } = made.game.info;
  const headers = (seat) => ({ headers: { authorization: `Bearer ${made.invitations[seat].token}` } });

  const legal = await yard.listLegalMoves({ gameId }, headers(0));
  const revisions = [];
  const leave = new AbortController();
  for await (const answer of yard.watchGame({ gameId }, { ...headers(1), signal: leave.signal })) {
    revisions.push(answer.kind.value.revision.revision);
    if (revisions.length === 2) break;
    await yard.playMove({ gameId, moves: [{ kind: { case: "text", value: legal.moves.pieces[0].rides[0].text } }] }, headers(0));
  }
  leave.abort();
  const seen = await yard.getGame({ gameId }, headers(0));
  return { gameId, token: made.invitations[0].token, revisions, revision: seen.game.info.revision, refusal: await refusal(registry, yard, gameId, headers(1)) };
}

async function refusal(registry, yard, gameId, options) {
  try {
    await yard.playMove({ gameId, moves: [{ kind: { case: "text", value: "red taxi 199" } }] }, options);
  } catch (error) {
    const [info] = ConnectError.from(error).findDetails(registry.getMessage("google.rpc.ErrorInfo"));
    return { code: Code[error.code], reason: info.reason, rule: info.metadata.rule };
  }
  return null;
}

// The first event of a game over REST, read by fetch, since an EventSource can't bear a token.
export async function firstEvent(baseUrl, { gameId, token }) {
  const leave = new AbortController();
  const answer = await fetch(`${baseUrl}/v1/scotland-yard/games/${gameId}/events`, {
    headers: { accept: "text/event-stream", authorization: `Bearer ${token}` },
    signal: leave.signal,
  });
  const { value } = await answer.body.getReader().read();
  leave.abort();
  return { status: answer.status, text: new TextDecoder().decode(value).slice(0, 200) };
}
