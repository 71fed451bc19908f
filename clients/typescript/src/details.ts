/**
 * What google.rpc says of errors, read field by field: three small messages, for which no one needs code of protos that
 * are not ours.
 */

import { BinaryReader } from "@bufbuild/protobuf/wire";
import type { ConnectError } from "@connectrpc/connect";

/** The details of a refusal; empty where it has none. */
export interface Details {
  reason: string;
  metadata: Record<string, string>;
  /** What is wrong with the request, by the path of the field. */
  fields: Record<string, string>;
  retryAfterMs: number | undefined;
}

/** The details of an error that came from the service, or from something before it. */
export function detailsOf(error: ConnectError): Details {
  const found: Details = { reason: "", metadata: {}, fields: {}, retryAfterMs: undefined };
  for (const detail of error.details) {
    if (!("type" in detail)) continue;
    READERS[detail.type]?.(detail.value, found);
  }
  return found;
}

const READERS: Record<string, (bytes: Uint8Array, into: Details) => void> = {
  "google.rpc.ErrorInfo": (bytes, into) => {
    eachField(bytes, {
      1: (reader) => (into.reason = reader.string()),
      3: (reader) => addPair(reader.bytes(), into.metadata),
    });
  },
  "google.rpc.BadRequest": (bytes, into) => {
    eachField(bytes, { 1: (reader) => addPair(reader.bytes(), into.fields) });
  },
  "google.rpc.RetryInfo": (bytes, into) => {
    eachField(bytes, { 1: (reader) => (into.retryAfterMs = milliseconds(reader.bytes())) });
  },
};

type Fields = Record<number, (reader: BinaryReader) => void>;

function eachField(bytes: Uint8Array, fields: Fields): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const read = fields[number];
    if (read) read(reader);
    else reader.skip(wireType, number);
  }
}

/** Adds an entry of a map, or a violation of a field: a name in field 1, words in field 2. */
function addPair(bytes: Uint8Array, into: Record<string, string>): void {
  let [name, words] = ["", ""];
  eachField(bytes, { 1: (reader) => (name = reader.string()), 2: (reader) => (words = reader.string()) });
  into[name] = words;
}

function milliseconds(duration: Uint8Array): number {
  let [seconds, nanos] = [0, 0];
  eachField(duration, { 1: (reader) => (seconds = Number(reader.int64())), 2: (reader) => (nanos = reader.int32()) });
  return seconds * 1_000 + nanos / 1_000_000;
}
