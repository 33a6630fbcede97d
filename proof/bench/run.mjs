import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfNeeded, bundle, root } from "../../scripts/build.mjs";

/** `npm run bench`: builds the product as `npm start` does, measures it, and writes docs/performance.md. */
process.env.NODE_ENV = "production";
try {
  await buildIfNeeded((line) => process.stdout.write(`${line}\n`));
  await bundle({
    "bench-performance": "proof/bench/performance/performance.ts",
    "bench-whole-product": "proof/bench/performance/whole-product-main.ts",
    "bench-receiver": "proof/bench/webhooks/receiver-main.ts",
  });
  const built = (name) => join(root, ".build", `${name}.mjs`);
  const { benchPerformance } = await import(pathToFileURL(built("bench-performance")).href);
  const programs = { product: built("bench-whole-product"), receiver: built("bench-receiver") };
  process.exitCode = (await benchPerformance(programs)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
