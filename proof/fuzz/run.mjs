import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfNeeded, bundle, root } from "../../scripts/build.mjs";

/** `npm run fuzz`: hostile requests to every transport of the product as `npm start` runs it. */
process.setSourceMapsEnabled(true);
try {
  await buildIfNeeded((line) => process.stdout.write(`${line}\n`));
  await bundle({
    fuzz: "proof/fuzz/main.ts",
    "fuzz-probe": "proof/fuzz/probe.ts",
    "audit-verify": "scripts/audit-verify.ts",
  });
  const { fuzz } = await import(pathToFileURL(join(root, ".build", "fuzz.mjs")).href);
  process.exitCode = (await fuzz(root)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
