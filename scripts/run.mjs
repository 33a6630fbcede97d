import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfNeeded } from "./build.mjs";

/** Runs one of the commands in this folder: `node scripts/run.mjs setup --help`. */
const [name, ...parameters] = process.argv.slice(2);
process.argv.splice(1, process.argv.length, name, ...parameters);
process.env.NODE_ENV ??= "production";
process.setSourceMapsEnabled(true);
// Prints nothing: another program may read the command's output.
const folder = await buildIfNeeded(() => {}, { hasPages: false });
await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
