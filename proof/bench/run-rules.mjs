import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, root } from "../../scripts/build.mjs";

/** `npm run bench:rules`: bundles the benchmark of rules, and the process that it measures, and runs it. */
await bundle({
  "bench-rules": "proof/bench/rules.ts",
  "bench-product": "lib/testing/product-process-main.ts",
});
const built = (name) => join(root, ".build", `${name}.mjs`);
try {
  const { benchRules } = await import(pathToFileURL(built("bench-rules")).href);
  await benchRules(built("bench-product"));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
