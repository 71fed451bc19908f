// boardgame.io's server as it ships: Socket.IO, and matches in memory. Says where it listens, and ends with its input.

const { Server } = require("boardgame.io/server");

const { yard } = require("./game.js");

async function main() {
  const say = console.log;
  console.log = console.info = () => {}; // it announces itself in words of its own
  const server = Server({ games: [yard], origins: [] });
  const { appServer } = await server.run({ port: { host: "127.0.0.1", port: 0 } });
  say(JSON.stringify(appServer.address().port));
  process.stdin.on("end", () => process.exit(0)).resume();
}

main();
