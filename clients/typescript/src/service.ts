/** The way in: a service gives its games and its catalog. */

import type {
  DescMessage,
  DescMethodBiDiStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";

import { Caller } from "./caller.js";
import type { CallOptions } from "./caller.js";
import { Catalog } from "./catalog.js";
import { Cluedo } from "./cluedo.js";
import { checkedKey, checkedMs } from "./faults.js";
import { Replicas } from "./replicas.js";
import { ScotlandYard } from "./scotland-yard.js";

/** What every way of connecting may be told. */
export interface ServiceOptions {
  /** `id:secret`, where the service asks for an operator's key. Never in a browser. */
  operatorKey?: string;
  /** The language of refusals; English unless told. */
  language?: "en" | "fr";
  /** How long a call may take, its repetitions included; ten seconds unless told. */
  timeoutMs?: number;
}

/** A connection to the service. It is made when it is first needed, and again whenever it is lost. */
export class Service {
  readonly scotlandYard: ScotlandYard;
  readonly cluedo: Cluedo;
  readonly catalog: Catalog;
  readonly #caller: Caller;

  /**
   * For `connect`, and for transports of one's own: one for each replica. Throws `TypeError` where the key is none,
   * or a time no number.
   */
  constructor(transports: readonly Transport[], { operatorKey, language, timeoutMs = 10_000 }: ServiceOptions = {}) {
    const operator = operatorToken(operatorKey);
    this.#caller = new Caller(new Replicas(transports), operator, language ?? "", checkedMs(timeoutMs));
    this.scotlandYard = new ScotlandYard(this.#caller);
    this.cluedo = new Cluedo(this.#caller);
    this.catalog = new Catalog(this.#caller);
  }

  /**
   * Calls any method of the contract with all that calls get here: `service.scotlandYard.positions.locateStations`, say.
   * Throws `WhitehallError`.
   */
  ask<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    return this.#caller.ask(method, request, options);
  }

  /**
   * The answers to a stream of questions, one for each in order: millions of positions in one call. Nothing is repeated.
   * Without a `timeoutMs` it lasts as long as there are questions. Works over gRPC alone, and so not in browsers. Throws
   * `WhitehallError`.
   */
  converse<I extends DescMessage, O extends DescMessage>(
    method: DescMethodBiDiStreaming<I, O>,
    questions: AsyncIterable<MessageInitShape<I>>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    return this.#caller.converse(method, questions, options);
  }
}

/** An operator's `id:secret` as the token that calls bear; empty for none. Throws `TypeError` where it is no key. */
function operatorToken(key: string | undefined): string {
  return key === undefined ? "" : `wh_operator_${checkedKey(key).replace(":", "_")}`;
}
