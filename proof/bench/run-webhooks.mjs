import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, root } from "../../scripts/build.mjs";

/** `npm run bench:webhooks`: bundles the benchmark of deliveries, the product and the receiver, and runs it. */
await bundle({
  "bench-webhooks": "proof/bench/webhooks.ts",
  "bench-product": "lib/testing/product-process-main.ts",
  "bench-receiver": "proof/bench/webhooks/receiver-main.ts",
});
const built = (name) => join(root, ".build", `${name}.mjs`);
try {
  const { benchWebhooks } = await import(pathToFileURL(built("bench-webhooks")).href);
  await benchWebhooks({ product: built("bench-product"), receiver: built("bench-receiver") });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
