import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfNeeded, bundle, root } from "../../scripts/build.mjs";

/** `npm run torture`: builds the product as `npm start` does, bundles the simulation, and runs it. */
process.env.NODE_ENV = "production";
process.setSourceMapsEnabled(true);
await buildIfNeeded((line) => process.stdout.write(`${line}\n`));
await bundle({
  torture: "proof/torture/torture.ts",
  "torture-product": "proof/torture/product-main.ts",
});
const built = (name) => join(root, ".build", `${name}.mjs`);
try {
  const { torture } = await import(pathToFileURL(built("torture")).href);
  process.exitCode = await torture(built("torture-product"));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
}
