/**
 * What the host of a new game gets: the game, its tokens, and an invitation for each seat. Tokens are passwords: they can
 * be read by name, and stay out of what is printed or turned into JSON.
 */

import { toJson } from "@bufbuild/protobuf";
import type { DescMessage, Message } from "@bufbuild/protobuf";

import type { SeatInvitation } from "./gen/whitehall/common/v1/game_pb.js";

/** One seat's invitation. Hand it to the player, who claims the seat with it. */
export class Invitation {
  readonly #token: string;

  constructor(
    readonly gameId: string,
    readonly seat: number,
    readonly name: string,
    token: string,
  ) {
    this.#token = token;
  }

  /** The password. */
  get token(): string {
    return this.#token;
  }
}

/** A new game. */
export class NewGame<Game extends Message = Message> {
  /** In the order of the seats. */
  readonly invitations: readonly Invitation[];
  /** The invitations by the names of the seats. */
  readonly seats: Readonly<Record<string, Invitation>>;
  readonly #schema: DescMessage;
  readonly #hostToken: string;
  readonly #spectatorToken: string;

  constructor(
    readonly gameId: string,
    /** The game as everybody may see it. */
    readonly game: Game,
    made: { invitations: readonly SeatInvitation[]; hostToken: string; spectatorToken: string },
    schema: DescMessage,
  ) {
    this.#schema = schema;
    this.invitations = made.invitations.map(({ seat, name, token }) => new Invitation(gameId, seat, name, token));
    this.seats = Object.fromEntries(this.invitations.map((invitation) => [invitation.name, invitation]));
    this.#hostToken = made.hostToken;
    this.#spectatorToken = made.spectatorToken;
  }

  /** What is turned into JSON: the game in protobuf's own JSON form, in which whole numbers of 64 bits are text. */
  toJSON(): unknown {
    const { gameId, invitations } = this;
    return { gameId, game: toJson(this.#schema, this.game), invitations };
  }

  /** The host's password. */
  get hostToken(): string {
    return this.#hostToken;
  }

  /** The spectators' password; empty where no spectators are allowed. */
  get spectatorToken(): string {
    return this.#spectatorToken;
  }
}
