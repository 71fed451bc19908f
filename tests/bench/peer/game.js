// A game like Scotland Yard for boardgame.io, as small as it can be while its state has the fields that ours has: where
// the pieces stand, tickets, the log, and what lay open in each round. A move is judged by the lines of the board, free
// stations and tickets. There are no double moves, no black tickets to choose, and no end but capture and last round.

const { ActivePlayers, INVALID_MOVE } = require("boardgame.io/core");

const board = require(process.env.BOARD);

const DETECTIVES = ["red", "blue", "green", "yellow", "purple"];
const ROUNDS = 22;
const SURFACING = [3, 8, 13, 18, 24];
const TICKETS = ["taxi", "bus", "underground"];

// lines[station][ticket]: where one ride leads.
const lines = {};
for (const [name, { taxi = [], bus = [], underground = [] }] of Object.entries(board.stations)) {
  for (const [ticket, ends] of Object.entries({ taxi, bus, underground })) {
    for (const end of ends) {
      for (const [one, other] of [[Number(name), end], [end, Number(name)]]) {
        lines[one] ??= { taxi: [], bus: [], underground: [] };
        lines[one][ticket].push(other);
      }
    }
  }
}

function setup({ random }) {
  const stations = random.Shuffle(Object.keys(lines).map(Number));
  const hunters = DETECTIVES.map((piece, number) => ({
    piece,
    station: stations[number],
    tickets: { taxi: 11, bus: 8, underground: 4 },
    hasMoved: false,
  }));
  const start = stations[DETECTIVES.length];
  const supply = { taxi: 2, bus: 5, underground: 3 };
  return {
    preset: "new",
    board: board.name,
    rounds: ROUNDS,
    surfacing: SURFACING,
    logFields: ROUNDS + 2,
    round: 1,
    phase: "mr_x",
    mrX: { station: start, start, blackTickets: 5, doubleTickets: 2 },
    hunters,
    supply,
    log: [],
    roundStarts: [{ hunters: hunters.map((hunter) => hunter.station), supply: { ...supply } }],
    outcome: null,
  };
}

// Whose move it is: -1 for Mr X, else the number of a hunter.
function mover(G) {
  return G.phase === "mr_x" ? -1 : G.hunters.findIndex((hunter) => !hunter.hasMoved);
}

function stationOf(G, number) {
  return number < 0 ? G.mrX.station : G.hunters[number].station;
}

function held(G, number) {
  return number < 0 ? G.supply : G.hunters[number].tickets;
}

function legalRides(G) {
  const number = mover(G);
  const occupied = G.hunters.map((hunter) => hunter.station);
  const tickets = held(G, number);
  return TICKETS.flatMap((ticket) =>
    tickets[ticket] < 1
      ? []
      : lines[stationOf(G, number)][ticket].filter((end) => !occupied.includes(end)).map((station) => ({ ticket, station })),
  );
}

function beginRound(G) {
  G.round += 1;
  G.phase = "mr_x";
  for (const hunter of G.hunters) hunter.hasMoved = false;
  G.roundStarts.push({ hunters: G.hunters.map((hunter) => hunter.station), supply: { ...G.supply } });
}

// Hunters that cannot ride are passed over.
function goOn(G) {
  while (G.phase === "hunters" && mover(G) >= 0 && legalRides(G).length === 0) G.hunters[mover(G)].hasMoved = true;
  if (G.phase === "hunters" && mover(G) < 0) {
    if (G.round === ROUNDS) G.outcome = { winner: "mr_x" };
    else beginRound(G);
  }
  if (G.phase === "mr_x" && legalRides(G).length === 0) G.outcome = { winner: "detectives" };
}

function ride({ G }, ticket, station) {
  const number = mover(G);
  const here = stationOf(G, number);
  const tickets = held(G, number);
  if (!TICKETS.includes(ticket) || tickets[ticket] < 1) return INVALID_MOVE;
  if (!lines[here][ticket].includes(station)) return INVALID_MOVE;
  if (G.hunters.some((hunter) => hunter.station === station)) return INVALID_MOVE;
  tickets[ticket] -= 1;
  if (number < 0) {
    G.mrX.station = station;
    const field = G.log.length + 1;
    G.log.push({ number: field, round: G.round, ticket, station, surfaced: SURFACING.includes(field) });
    G.phase = "hunters";
  } else {
    G.supply[ticket] += 1;
    G.hunters[number].station = station;
    G.hunters[number].hasMoved = true;
    if (station === G.mrX.station) G.outcome = { winner: "detectives" };
  }
  if (!G.outcome) goOn(G);
}

// Hunters learn where Mr X is when he surfaces.
function playerView({ G, playerID }) {
  if (playerID === "0" || G.outcome) return G;
  const log = G.log.map((field) => (field.surfaced ? field : { ...field, station: null }));
  const last = log.at(-1);
  return { ...G, log, mrX: { ...G.mrX, start: null, station: last?.surfaced ? last.station : null } };
}

exports.legalRides = legalRides;
exports.mover = mover;

exports.yard = {
  name: "yard",
  setup,
  // The server alone makes a move, and the client waits for it.
  moves: { ride: { move: ride, client: false } },
  playerView,
  // Six players, or one who sends the moves of all pieces. Whose move it is, the game knows itself.
  minPlayers: 1,
  maxPlayers: 1 + DETECTIVES.length,
  turn: { activePlayers: ActivePlayers.ALL },
  disableUndo: true,
  endIf: ({ G }) => G.outcome ?? undefined,
};
