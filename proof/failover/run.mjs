import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfNeeded, bundle, root } from "../../scripts/build.mjs";

/** `npm run failover`: builds the product as `npm start` does, bundles the proof, and runs it. */
process.env.NODE_ENV = "production";
process.setSourceMapsEnabled(true);
await buildIfNeeded((line) => process.stdout.write(`${line}\n`));
await bundle({
  failover: "proof/failover/main.ts",
  "failover-product": "lib/testing/product-process-main.ts",
});
const built = (name) => join(root, ".build", `${name}.mjs`);
try {
  const { failover } = await import(pathToFileURL(built("failover")).href);
  process.exitCode = await failover(built("failover-product"));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
}
