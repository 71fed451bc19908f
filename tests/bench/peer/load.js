// Plays random games through boardgame.io's client, so many at a time, each move when the one before is confirmed.
// Told {"seconds", "inFlight"} it answers {"done", "seconds", "latencies"}; told {"prepare"} it makes that many games.

const readline = require("node:readline");
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");

const { legalRides, yard } = require("./game.js");

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

class Table {
  static async open() {
    const { matchID } = await post("create", { numPlayers: 1 });
    const { playerCredentials } = await post(`${matchID}/join`, { playerID: "0", playerName: "all" });
    return new Table(matchID, playerCredentials).connected();
  }

  constructor(matchID, credentials) {
    this.confirmed = null;
    this.client = Client({
      game: yard,
      numPlayers: 1,
      multiplayer: SocketIO({ server, socketOpts: { transports: ["websocket"] } }),
      matchID,
      playerID: "0",
      credentials,
      debug: false,
    });
    this.client.subscribe((state) => this.changed(state));
    this.client.start();
  }

  changed(state) {
    if (state === null) return;
    this.state = state;
    if (state._stateID > (this.seen ?? -1)) {
      this.seen = state._stateID;
      this.confirmed?.();
    }
  }

  async connected() {
    if (this.seen === undefined) await new Promise((resolve) => (this.confirmed = resolve));
    return this;
  }

  get over() {
    return this.state.ctx.gameover !== undefined;
  }

  async move() {
    const rides = legalRides(this.state.G);
    const { ticket, station } = rides[Math.floor(Math.random() * rides.length)];
    const confirmed = new Promise((resolve) => (this.confirmed = resolve));
    this.client.moves.ride(ticket, station);
    await confirmed;
  }

  close() {
    this.client.stop();
  }
}

const underWay = [];
const waiting = [];

async function prepare(inFlight) {
  while (waiting.length < inFlight + 8) waiting.push(await Table.open());
  while (underWay.length < inFlight) underWay.push(waiting.pop());
  return waiting.length;
}

async function turn({ seconds, inFlight }) {
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
    const answer = "prepare" in told ? await prepare(told.prepare) : await turn(told);
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  })
  .on("close", () => process.exit(0));
