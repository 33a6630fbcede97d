import { buildIfNeeded } from "./build.mjs";

/** What `npm start` would build at its first start: for an image, in which nothing can be built later. */
await buildIfNeeded((line) => process.stdout.write(`${line}\n`));
