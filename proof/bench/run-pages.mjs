import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfNeeded, bundle, root } from "../../scripts/build.mjs";

/** `npm run bench:pages`: how long the server takes for every page, of a small and of a big organization. */
try {
  await buildIfNeeded((line) => process.stdout.write(`${line}\n`));
  await bundle({ "bench-pages": "proof/bench/pages.ts" });
  const { benchPages } = await import(pathToFileURL(join(root, ".build", "bench-pages.mjs")).href);
  process.exitCode = (await benchPages(root)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
