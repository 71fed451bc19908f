/**
 * How much of the client a browser gets, minified and packed as servers pack it: `node size.js` fails when that is more
 * than README.md promises. It holds the messages of both games.
 */

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";

const promised = Number(/at most (\d+) KiB/.exec(readFileSync(new URL("README.md", import.meta.url), "utf8"))[1]);
const bundle = await build({
  stdin: { contents: 'export { connect } from "@whitehall/client";', resolveDir: import.meta.dirname },
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  write: false,
});
const size = gzipSync(bundle.outputFiles[0].contents, { level: 9 }).length / 1024;
console.log(`${size.toFixed(1)} KiB, and ${promised} KiB are promised.`);
process.exitCode = size > promised ? 1 : 0;
