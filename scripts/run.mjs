import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfNeeded } from "./build.mjs";

/** Runs one of the commands in this folder: `node scripts/run.mjs setup --help`. */
const [name, ...parameters] = process.argv.slice(2);
process.argv.splice(1, process.argv.length, name, ...parameters);
process.env.NODE_ENV ??= "production";
process.setSourceMapsEnabled(true);
// Nothing is printed: what a command prints may be read by another program.
const folder = await buildIfNeeded(() => {}, { hasPages: false });
await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
