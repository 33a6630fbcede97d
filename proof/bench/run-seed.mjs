import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, root } from "../../scripts/build.mjs";

/** `npm run bench:seed`: a database with long lists. */
await bundle({ "bench-seed": "proof/bench/seed.ts" });
try {
  const { seed } = await import(pathToFileURL(join(root, ".build", "bench-seed.mjs")).href);
  await seed();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
