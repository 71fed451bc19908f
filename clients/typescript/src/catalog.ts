/** What the service knows apart from games in play. Needs no token. */

import type { Caller } from "./caller.js";
import { CatalogService } from "./gen/whitehall/catalog/v1/catalog_pb.js";
import type { Board, BoardInfo, GetBuildInfoResponse, Preset } from "./gen/whitehall/catalog/v1/catalog_pb.js";
import type { Rule } from "./gen/whitehall/common/v1/rule_pb.js";

const { method } = CatalogService;

/** Presets, boards, rules, and what is running. */
export class Catalog {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The presets of a game (`scotland-yard`, `cluedo`), or of all, with every parameter; the default first. */
  async presets(game = ""): Promise<Preset[]> {
    return (await this.#caller.ask(method.listPresets, { game })).presets;
  }

  /** The boards of a game, or of all, without their places. */
  async boards(game = ""): Promise<BoardInfo[]> {
    return (await this.#caller.ask(method.listBoards, { game })).boards;
  }

  /** A board as a drawing needs it. Throws `NotFound`. */
  async board(name: string): Promise<Board> {
    return (await this.#caller.ask(method.getBoard, { name })).board!;
  }

  /** Every rule that a refusal can cite. */
  async rules(game = ""): Promise<Rule[]> {
    return (await this.#caller.ask(method.listRules, { game })).rules;
  }

  /** What is running. */
  buildInfo(): Promise<GetBuildInfoResponse> {
    return this.#caller.ask(method.getBuildInfo, {});
  }
}
