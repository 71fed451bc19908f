/** What callers may say of a request: all of its fields but those that the client fills in. */

import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";

/** The fields of a request of a game, each of them optional. */
export type Fields<I extends DescMessage> = Omit<
  Exclude<MessageInitShape<I>, Message>,
  "gameId" | "$typeName" | "$unknown"
>;
