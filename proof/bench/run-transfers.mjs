import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, root } from "../../scripts/build.mjs";

/** `npm run bench:transfers`: bundles the benchmark of transfers and the process that it measures as the product is bundled, and runs it. */
await bundle({
  "bench-transfers": "proof/bench/transfers.ts",
  "bench-product": "lib/testing/product-process-main.ts",
});
const built = (name) => join(root, ".build", `${name}.mjs`);
try {
  const { benchTransfers } = await import(pathToFileURL(built("bench-transfers")).href);
  await benchTransfers(built("bench-product"));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
