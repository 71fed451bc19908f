/** Legal moves as text: each is ready to be played as it is. */

import type { LegalMoves as CluedoMoves } from "./gen/whitehall/cluedo/v1/move_pb.js";
import type { LegalMoves as YardMoves, PieceMoves } from "./gen/whitehall/scotlandyard/v1/move_pb.js";

/** Every move, piece by piece: rides, flights, doubles, passes, placements; then special actions. */
export function scotlandYardTexts(moves: YardMoves): string[] {
  return [...moves.pieces.flatMap(pieceTexts), ...moves.actions.map((action) => action.text)];
}

function pieceTexts(moves: PieceMoves): string[] {
  const doubles = moves.doubles.flatMap(({ first, seconds, flights }) => [
    ...seconds.map((second) => `${first!.text} ${second.text}`),
    ...flights.map((station) => `${first!.text} helicopter ${station}`),
  ]);
  return [
    ...moves.rides.map((ride) => ride.text),
    ...moves.flights.map((station) => `helicopter ${station}`),
    ...doubles,
    ...(moves.mayPass ? [moves.passText] : []),
    ...moves.starts.map((station) => `${moves.startText} ${station}`),
  ];
}

/**
 * Every move but those that are put together from cards or dice: suggestions in `suggestIn`, accusations where
 * `mayAccuse`, and rolls where the table has dice of its own.
 */
export function cluedoTexts(moves: CluedoMoves): string[] {
  const { roll, destinations, passages, shows, end } = moves;
  return [
    ...(roll && !roll.physical ? [roll.text] : []),
    ...[...destinations, ...passages, ...shows].map((move) => move.text),
    ...(end ? [end.text] : []),
  ];
}
