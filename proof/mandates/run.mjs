import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, root } from "../../scripts/build.mjs";

/** `npm run trial:mandates`: bundles the product without its pages and the trial, and runs it. */
process.env.NODE_ENV = "production";
process.setSourceMapsEnabled(true);
await bundle({
  "trial-mandates": "proof/mandates/main.ts",
  "trial-product": "lib/testing/product-process-main.ts",
});
const built = (name) => join(root, ".build", `${name}.mjs`);
try {
  const { trial } = await import(pathToFileURL(built("trial-mandates")).href);
  process.exitCode = await trial(built("trial-product"));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
}
