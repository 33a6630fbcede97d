import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, root } from "../scripts/build.mjs";

/** `npm run bench:rules`: bundles the benchmark of rules and runs it. */
await bundle({ "bench-rules": "bench/rules.ts" });
try {
  const { benchRules } = await import(pathToFileURL(join(root, ".build", "bench-rules.mjs")).href);
  await benchRules();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
