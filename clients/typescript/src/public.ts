/** What both ways in give beside `connect`. */

export type { CallOptions, WatchOptions } from "./caller.js";
export type { Move as CluedoMove, Seat as CluedoSeat } from "./cluedo.js";
export type { Move as ScotlandYardMove, Seat as ScotlandYardSeat } from "./scotland-yard.js";
export { Invitation, NewGame } from "./invitations.js";
export {
  IllegalMove,
  InvalidRequest,
  NotAllowed,
  NotFound,
  Overloaded,
  Refused,
  StaleRevision,
  Unanswered,
  WhitehallError,
} from "./refusals.js";
export { Service } from "./service.js";
export type { ServiceOptions } from "./service.js";
export { VERSION } from "./version.js";
