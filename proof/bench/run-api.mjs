import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, root } from "../../scripts/build.mjs";

/** `npm run bench:api`: bundles the benchmark and the two processes that it measures, and runs it. */
await bundle({
  "bench-api": "proof/bench/api.ts",
  "bench-bare": "proof/bench/api/bare-handler-main.ts",
  "bench-product": "lib/testing/product-process-main.ts",
});
const built = (name) => join(root, ".build", `${name}.mjs`);
try {
  const { benchApi } = await import(pathToFileURL(built("bench-api")).href);
  await benchApi({ product: built("bench-product"), bare: built("bench-bare") });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
