/**
 * Cluedo: games, and what host, seats and spectators do in them. Every method is one call of
 * `CluedoService`, whose proto says what each field means.
 */

import type { MessageInitShape } from "@bufbuild/protobuf";

import type { Caller, WatchOptions } from "./caller.js";
import { GameSchema } from "./gen/whitehall/cluedo/v1/game_pb.js";
import type { Game } from "./gen/whitehall/cluedo/v1/game_pb.js";
import type { MoveSchema } from "./gen/whitehall/cluedo/v1/move_pb.js";
import { CluedoPositionService } from "./gen/whitehall/cluedo/v1/position_pb.js";
import { CluedoService } from "./gen/whitehall/cluedo/v1/service_pb.js";
import type {
  AbandonGameResponse,
  CreateGameRequestSchema,
  GetDeductionsRequestSchema,
  GetDeductionsResponse,
  GetRecordResponse,
  ListEventsRequestSchema,
  ListEventsResponse,
  ListLegalMovesResponse,
  PlayMoveResponse,
  StartGameResponse,
  ValidateMoveResponse,
  WatchGameResponse,
} from "./gen/whitehall/cluedo/v1/service_pb.js";
import { Invitation, NewGame } from "./invitations.js";
import { cluedoTexts } from "./listing.js";
import type { Fields } from "./requests.js";

const { method } = CluedoService;

/**
 * A move, typed or in notation: `roll`, `walk 7,4`, `enter L3`, `suggest S4 W2 L3`, `show W2`, `accuse S4 W2 L3`, `end`.
 */
export type Move = string | MessageInitShape<typeof MoveSchema>;

/** Makes games, and gives access to them. */
export class Cluedo {
  /** The methods about games on cardboard, for `Service.ask` and, by their twins that stream, `Service.converse`. */
  readonly positions = CluedoPositionService.method;
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Makes a game, of preset `james-bond` unless told. Needs an operator's key where the service has any. What the preset has is
   * changed by `overrides`. Keep the tokens of the answer: nothing tells them again.
   */
  async createGame(asked: Fields<typeof CreateGameRequestSchema> & { players: number }): Promise<NewGame<Game>> {
    const made = await this.#caller.ask(method.createGame, { preset: "james-bond", ...asked });
    return new NewGame(made.game!.info!.gameId, made.game!, made, GameSchema);
  }

  /**
   * Takes the seat: its invitation is exchanged for a token that nobody else has, `Seat.token`. A seed is mixed into the
   * chance of a game that waits for its start.
   */
  async claim(invitation: Invitation, clientSeed = ""): Promise<Seat> {
    const seat = this.seat(invitation.gameId, invitation.token);
    await seat.rotate({ clientSeed });
    return seat;
  }

  /** A seat that was claimed before, by the token kept then. */
  seat(gameId: string, token: string): Seat {
    return new Seat(this.#caller, gameId, token);
  }

  /** What the bearer of the spectators' token may do. */
  spectator(gameId: string, token: string): Viewer {
    return new Viewer(this.#caller, gameId, token);
  }

  /** What the bearer of the host's token may do. */
  host(gameId: string, token: string): Host {
    return new Host(this.#caller, gameId, token);
  }
}

/** What every bearer of a token of a game may do. */
export class Reader {
  readonly #caller: Caller;
  #token: string;

  constructor(
    caller: Caller,
    readonly gameId: string,
    token: string,
  ) {
    this.#caller = caller;
    this.#token = token;
  }

  /** The password: that of the last rotation. */
  get token(): string {
    return this.#token;
  }

  protected get caller(): Caller {
    return this.#caller;
  }

  /** The game as the bearer may see it. */
  async game(): Promise<Game> {
    return (await this.caller.ask(method.getGame, { gameId: this.gameId }, this)).game!;
  }

  /**
   * What can lie in the envelope and who can hold what, for all that the bearer knows, with reasons for what is to be
   * explained. Early in a game of six that can take a second.
   */
  deductions(
    asked: Fields<typeof GetDeductionsRequestSchema> & { timeoutMs?: number } = {},
  ): Promise<GetDeductionsResponse> {
    const { timeoutMs, ...fields } = asked;
    const options = timeoutMs === undefined ? {} : { timeoutMs };
    return this.caller.ask(method.getDeductions, { ...fields, gameId: this.gameId }, { token: this.token, ...options });
  }

  /** A page of what has happened, as the bearer may know it: from the beginning, or after a cursor. */
  events(asked: Fields<typeof ListEventsRequestSchema> = {}): Promise<ListEventsResponse> {
    return this.caller.ask(method.listEvents, { ...asked, gameId: this.gameId }, this);
  }

  /** The whole record with all seeds, once the game has ended. */
  record(): Promise<GetRecordResponse> {
    return this.caller.ask(method.getRecord, { gameId: this.gameId }, this);
  }

  protected async exchange(asked: { clientSeed?: string; requestId?: string }): Promise<string> {
    const issued = await this.caller.ask(method.rotateToken, { ...asked, gameId: this.gameId }, this);
    return (this.#token = issued.token);
  }
}

/** A seat or a spectator. */
export class Viewer extends Reader {
  /**
   * Follows the game: the present state first, or what came after `cursor`; then each revision once and in order, through
   * restarts and broken connections. Draw `update.game`, which is whole, where it is there: revisions that are caught up
   * with come without. `reset` says that the game is another one than the cursor knew, after a failover.
   *
   * Ends when the game is over. Throws `WhitehallError` when the token has been replaced or the game deleted, and when
   * the service could not be reached for `patienceMs`.
   */
  watch(options: WatchOptions = {}): AsyncGenerator<WatchGameResponse, void, undefined> {
    const after = (cursor: string) => ({ gameId: this.gameId, cursor });
    return this.caller.follow(method.watchGame, after, this.token, options);
  }
}

/** Somebody who plays. */
export class Seat extends Viewer {
  /** The moves that the seat may make now, typed. */
  legalMoves(): Promise<ListLegalMovesResponse> {
    return this.caller.ask(method.listLegalMoves, { gameId: this.gameId }, this);
  }

  /**
   * The same as text, but for suggestions, accusations and rolls of the table's own dice, which the player puts together.
   */
  async moves(): Promise<string[]> {
    return cluedoTexts((await this.legalMoves()).moves!);
  }

  /** A dry run: every rule that forbids a move, judged on what the seat may know. */
  validate(move: Move): Promise<ValidateMoveResponse> {
    return this.caller.ask(method.validateMove, { gameId: this.gameId, move: typed(move) }, this);
  }

  /**
   * Plays a move: made once, however often the answer is lost. Throws
   * `IllegalMove`, and `StaleRevision` where a revision is expected.
   */
  play(move: Move, asked: { expectedRevision?: number; requestId?: string } = {}): Promise<PlayMoveResponse> {
    return this.caller.ask(method.playMove, { ...asked, gameId: this.gameId, move: typed(move) }, this);
  }

  /** Exchanges the token for a new one, kept as `token` and given back. The first time it is the claim. */
  rotate(asked: { clientSeed?: string; requestId?: string } = {}): Promise<string> {
    return this.exchange(asked);
  }
}

/** Who made the game. Sees what everybody may see. */
export class Host extends Reader {
  /** Starts a game that was made waiting. */
  start(asked: { requestId?: string } = {}): Promise<StartGameResponse> {
    return this.caller.ask(method.startGame, { ...asked, gameId: this.gameId }, this);
  }

  /** Takes a seat back: its holder is out, and everybody is told. The answer is a new invitation. */
  async reissue(seat: number, asked: { requestId?: string } = {}): Promise<Invitation> {
    const target = { case: "seat", value: seat } as const;
    const issued = await this.caller.ask(method.rotateToken, { ...asked, gameId: this.gameId, target }, this);
    const { info } = await this.game();
    return new Invitation(this.gameId, seat, info!.seats.find((one) => one.seat === seat)!.name, issued.token);
  }

  /** Exchanges the spectators' token. */
  async reissueSpectators(asked: { requestId?: string } = {}): Promise<string> {
    const target = { case: "spectators", value: true } as const;
    return (await this.caller.ask(method.rotateToken, { ...asked, gameId: this.gameId, target }, this)).token;
  }

  /** Exchanges the host's own token for a new one, which is kept as `token` and given back. */
  rotate(asked: { requestId?: string } = {}): Promise<string> {
    return this.exchange(asked);
  }

  /** Ends the game for all; nobody wins. */
  abandon(asked: { requestId?: string } = {}): Promise<AbandonGameResponse> {
    return this.caller.ask(method.abandonGame, { ...asked, gameId: this.gameId }, this);
  }

  /** Deletes the game with everything kept of it. Deleting it again is no error. */
  async delete(): Promise<void> {
    await this.caller.ask(method.deleteGame, { gameId: this.gameId }, this);
  }
}

function typed(move: Move): Exclude<Move, string> {
  return typeof move === "string" ? { kind: { case: "text", value: move } } : move;
}
