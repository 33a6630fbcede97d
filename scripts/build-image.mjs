import { buildIfNeeded } from "./build.mjs";

/** Builds what `npm start` would build first: for an image, where nothing can be built later. */
try {
  await buildIfNeeded((line) => process.stdout.write(`${line}\n`));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
