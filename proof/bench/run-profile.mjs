import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfNeeded, bundle, root } from "../../scripts/build.mjs";

/** `npm run bench:profile`: where the time of a load goes, in the product and in PostgreSQL. */
process.env.NODE_ENV = "production";
try {
  await buildIfNeeded((line) => process.stdout.write(`${line}\n`));
  await bundle({
    "bench-profile": "proof/bench/profile.ts",
    "bench-profiled-product": "proof/bench/performance/profiled-product-main.ts",
  });
  const built = (name) => join(root, ".build", `${name}.mjs`);
  const { benchProfile } = await import(pathToFileURL(built("bench-profile")).href);
  await benchProfile({ product: built("bench-profiled-product"), receiver: "" });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
