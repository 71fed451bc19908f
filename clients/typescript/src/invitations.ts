/**
 * What the host of a new game gets: the game, its tokens, and an invitation for each seat. Tokens are passwords: they can
 * be read by name, and stay out of what is printed or turned into JSON.
 */

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
export class NewGame<Game> {
  /** In the order of the seats. */
  readonly invitations: readonly Invitation[];
  /** The invitations by the names of the seats. */
  readonly seats: Readonly<Record<string, Invitation>>;
  readonly #hostToken: string;
  readonly #spectatorToken: string;

  constructor(
    readonly gameId: string,
    /** The game as everybody may see it. */
    readonly game: Game,
    made: { invitations: readonly SeatInvitation[]; hostToken: string; spectatorToken: string },
  ) {
    this.invitations = made.invitations.map(({ seat, name, token }) => new Invitation(gameId, seat, name, token));
    this.seats = Object.fromEntries(this.invitations.map((invitation) => [invitation.name, invitation]));
    this.#hostToken = made.hostToken;
    this.#spectatorToken = made.spectatorToken;
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
