// Games of Scotland Yard over gRPC, and questions about positions over REST, for k6: `k6 run whitehall.js`.
//
// An iteration is a turn: a list of legal moves and one of them played, or a question. Each virtual user has a table of its own
// and goes on with its game from turn to turn. What can be set stands in `wanted`, each by `-e NAME=value`.

import { check } from "k6";
import exec from "k6/execution";
import http from "k6/http";
import { Client, StatusOK } from "k6/net/grpc";
import { Trend } from "k6/metrics";

const wanted = {
  GRPC: "localhost:50051",
  REST: "http://localhost:8080",
  PRESET: "new",
  TABLES: "10",
  SECONDS: "30",
  RATE: "", // turns a second whatever becomes of earlier ones; without it each table goes on as soon as it is answered
  POSITIONS: "0.1", // the share of turns that are questions
  PROTOSET: "", // the contract as a FileDescriptorSet; without it each table begins by asking the service for it
  OPERATOR: "", // the token of an operator, wh_operator_ID_SECRET, where the service asks for one
  P99: "1000", // milliseconds
  ...__ENV,
};
const YARD = "whitehall.scotlandyard.v1.ScotlandYardService";
const users = Number(wanted.TABLES);
const duration = `${wanted.SECONDS}s`;

export const options = {
  scenarios: {
    games: wanted.RATE
      ? { executor: "constant-arrival-rate", rate: Number(wanted.RATE), duration, preAllocatedVUs: users }
      : { executor: "constant-vus", vus: users, duration },
  },
  thresholds: {
    checks: ["rate==1"],
    dropped_iterations: ["count==0"],
    turn: [`p(99)<${wanted.P99}`],
    // k6 tells of calls by name only where a threshold asks for them.
    "grpc_req_duration{name:legal moves}": [`p(99)<${wanted.P99}`],
    "grpc_req_duration{name:move}": [`p(99)<${wanted.P99}`],
  },
  summaryTrendStats: ["count", "med", "p(90)", "p(99)", "max"],
};

const turn = new Trend("turn", true);
const service = new Client();
if (wanted.PROTOSET) service.loadProtoset(wanted.PROTOSET);
let isConnected = false;
let table = null;

export default function () {
  if (!isConnected) service.connect(wanted.GRPC, { plaintext: true, reflect: !wanted.PROTOSET });
  isConnected = true;
  if (Math.random() < Number(wanted.POSITIONS)) return ask();
  table = table || create();
  const start = Date.now();
  const seat = anyOf(table.toMove);
  const legal = call("legal moves", "ListLegalMoves", table.seats[seat], { gameId: table.gameId, singlesOnly: true });
  const moves = [{ text: choose(legal.moves) }];
  const { info } = call("move", "PlayMove", table.seats[seat], { gameId: table.gameId, moves }).update.game;
  turn.add(Date.now() - start);
  check(info, { "each move makes the next revision": () => info.revision === legal.revision + 1 });
  table.toMove = info.toMove || [];
  if (table.toMove.length === 0) leave();
}

// A new game: every seat is claimed, then the host starts it.
function create() {
  const request = { preset: wanted.PRESET, players: anyOf([2, 3, 4, 6]), startMode: "START_MODE_WAITING" };
  const made = call("create", "CreateGame", wanted.OPERATOR, request);
  const { gameId } = made.game.info;
  const seats = made.invitations.map(({ token }) => call("claim", "RotateToken", token, { gameId }).token);
  const { info } = call("start", "StartGame", made.hostToken, { gameId }).update.game;
  return { gameId, seats, host: made.hostToken, toMove: info.toMove };
}

function leave() {
  call("delete", "DeleteGame", table.host, { gameId: table.gameId });
  table = null;
}

function call(name, method, token, request) {
  const metadata = token ? { authorization: `Bearer ${token}` } : {};
  const { status, message, error } = service.invoke(`${YARD}/${method}`, request, { metadata, tags: { name } });
  if (!check(status, { "calls are answered": () => status === StatusOK })) {
    // Nobody knows how the game stands; the next turn begins another.
    table = null;
    throw new Error(`${name}: ${error && error.message}`);
  }
  return message;
}

function choose({ pieces = [], actions = [] }) {
  const moves = actions.map(({ text }) => text);
  for (const { rides = [], starts = [], startText, mayPass, passText } of pieces) {
    moves.push(...rides.map(({ text }) => text), ...starts.map((station) => `${startText} ${station}`));
    if (mayPass) moves.push(passText);
  }
  return anyOf(moves);
}

// Where could he be who has ridden by taxi so often? It needs no game.
function ask() {
  const stations = Array.from({ length: 13 }, (_, place) => 1 + place * 15);
  const rounds = Array.from({ length: 1 + (exec.scenario.iterationInTest % 6) }, () => ({ rides: [{ ticket: "TICKET_TAXI" }] }));
  const answer = http.post(
    `${wanted.REST}/v1/scotland-yard/positions:possibleLocations`,
    JSON.stringify({ logs: [{ start: stations, rounds }] }),
    { headers: { "content-type": "application/json", ...(wanted.OPERATOR && { authorization: `Bearer ${wanted.OPERATOR}` }) } },
  );
  check(answer, { "questions are answered": () => answer.status === 200 && answer.json("locations.0.strong").length > 0 });
}

function anyOf(choices) {
  return choices[Math.floor(Math.random() * choices.length)];
}
