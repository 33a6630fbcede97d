import { buildIfNeeded } from "./build.mjs";

/** What `npm start` would build at its first start: for an image, in which nothing can be built later. */
try {
  await buildIfNeeded((line) => process.stdout.write(`${line}\n`));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
