// Plays random games through boardgame.io's client, so many at a time, each move when the one before is confirmed.
// Told {"prepare", "seats"} it makes that many games and some to spare, each with a client for every seat; told
// {"seconds", "inFlight", "seats"} it plays them, and answers {"done", "seconds", "latencies"}.

const readline = require("node:readline");
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");

const { legalRides, mover, yard } = require("./game.js");

const server = `http://127.0.0.1:${process.argv[2]}`;
const now = () => performance.now() / 1000;

async function post(path, body) {
  const answer = await fetch(`${server}/games/${yard.name}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

// One player's client.
class Seat {
  constructor(matchID, playerID, credentials, numPlayers) {
    this.seen = -1;
    this.client = Client({
      game: yard,
      numPlayers,
      multiplayer: SocketIO({ server, socketOpts: { transports: ["websocket"] } }),
      matchID,
      playerID,
      credentials,
      debug: false,
    });
    this.client.subscribe((state) => this.changed(state));
    this.client.start();
  }

  changed(state) {
    if (state === null || state._stateID <= this.seen) return;
    this.state = state;
    this.seen = state._stateID;
    this.waiting?.();
  }

  async upTo(stateID) {
    while (this.seen < stateID) await new Promise((resolve) => (this.waiting = resolve));
  }
}

class Table {
  static async open(count) {
    const { matchID } = await post("create", { numPlayers: count });
    const seats = [];
    for (let seat = 0; seat < count; seat += 1) {
      const playerID = String(seat);
      const { playerCredentials } = await post(`${matchID}/join`, { playerID, playerName: `seat ${seat}` });
      seats.push(new Seat(matchID, playerID, playerCredentials, count));
    }
    for (const seat of seats) await seat.upTo(0);
    return new Table(seats);
  }

  constructor(seats) {
    this.seats = seats;
    this.state = seats[0].state;
  }

  get over() {
    return this.state.ctx.gameover !== undefined;
  }

  // Confirmed as soon as the one who moves has the new state.
  async move() {
    const seat = this.seats[Math.min(this.seats.length - 1, mover(this.state.G) + 1)];
    await seat.upTo(this.state._stateID);
    const rides = legalRides(seat.state.G);
    const { ticket, station } = rides[Math.floor(Math.random() * rides.length)];
    seat.client.moves.ride(ticket, station);
    await seat.upTo(this.state._stateID + 1);
    this.state = seat.state;
  }

  close() {
    for (const seat of this.seats) seat.client.stop();
  }
}

// By the number of seats, the tables that are being played at and those that wait.
const rooms = {};

// More games than can end in one turn on a fast machine.
const SPARE = 64;

function room(seats) {
  return (rooms[seats] ??= { underWay: [], waiting: [] });
}

async function prepare({ prepare: inFlight, seats }) {
  const { underWay, waiting } = room(seats);
  while (underWay.length < inFlight) underWay.push(await Table.open(seats));
  while (waiting.length < inFlight + SPARE) waiting.push(await Table.open(seats));
  return waiting.length;
}

async function turn({ seconds, inFlight, seats }) {
  const { underWay, waiting } = room(seats);
  const latencies = [];
  const over = [];
  const began = now();
  const ends = began + seconds;

  async function keepPlaying(place) {
    let asked = now();
    while (asked < ends) {
      if (underWay[place].over) {
        over.push(underWay[place]);
        underWay[place] = waiting.pop();
      }
      await underWay[place].move();
      const answered = now();
      latencies.push(answered - asked);
      asked = answered;
    }
  }

  await Promise.all([...Array(inFlight).keys()].map(keepPlaying));
  const elapsed = now() - began;
  for (const table of over) table.close();
  return { done: latencies.length, seconds: elapsed, latencies };
}

readline
  .createInterface({ input: process.stdin })
  .on("line", async (line) => {
    const told = JSON.parse(line);
    const answer = "prepare" in told ? await prepare(told) : await turn(told);
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  })
  .on("close", () => process.exit(0));
