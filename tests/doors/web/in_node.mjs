// node in_node.mjs BASE_URL IMAGE: plays a game in each mode, and prints what it was told as JSON.

import { readFileSync } from "node:fs";
import { firstEvent, needed, play } from "./scenario.mjs";

const [baseUrl, file] = process.argv.slice(2);
const image = readFileSync(file);
const told = { needed };
for (const mode of ["connect-json", "connect-binary", "grpc-web"]) told[mode] = await play(baseUrl, mode, image);
told.event = await firstEvent(baseUrl, told["connect-json"]);
console.log(JSON.stringify(told));
