import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfNeeded, bundle, root } from "../../scripts/build.mjs";

/**
 * `npm run bench:<name>` passes the name as the first argument; `npm run bench` passes none. `program` exports `entry`,
 * which gets the folder of the project and the paths of the bundled `processes` that it starts.
 */
const PRODUCT = "lib/testing/product-process-main.ts";
const RECEIVER = "proof/bench/webhooks/receiver-main.ts";
const BENCHES = {
  performance: {
    program: "proof/bench/performance/performance.ts",
    entry: "benchPerformance",
    processes: {
      product: "proof/bench/performance/whole-product-main.ts",
      receiver: RECEIVER,
      backup: "scripts/backup.ts",
    },
    isWholeProduct: true,
    isProduction: true,
  },
  transfers: {
    program: "proof/bench/transfers.ts",
    entry: "benchTransfers",
    processes: { product: PRODUCT },
  },
  statements: { program: "proof/bench/statements.ts", entry: "benchStatements", processes: {} },
  api: {
    program: "proof/bench/api.ts",
    entry: "benchApi",
    processes: { product: PRODUCT, bare: "proof/bench/api/bare-handler-main.ts" },
  },
  memory: { program: "proof/bench/memory.ts", entry: "benchMemory", processes: {}, isWholeProduct: true },
  pages: { program: "proof/bench/pages.ts", entry: "benchPages", processes: {}, isWholeProduct: true },
  profile: {
    program: "proof/bench/profile.ts",
    entry: "benchProfile",
    processes: { product: "proof/bench/performance/profiled-product-main.ts", receiver: RECEIVER },
    isWholeProduct: true,
    isProduction: true,
  },
  rules: { program: "proof/bench/rules.ts", entry: "benchRules", processes: { product: PRODUCT } },
  webhooks: {
    program: "proof/bench/webhooks.ts",
    entry: "benchWebhooks",
    processes: { product: PRODUCT, receiver: RECEIVER },
  },
  seed: { program: "proof/bench/seed.ts", entry: "seed", processes: {} },
};

const isNamed = Object.hasOwn(BENCHES, process.argv[2] ?? "");
const name = isNamed ? process.argv[2] : "performance";
// The bench reads its own options from what is left.
if (isNamed) process.argv.splice(2, 1);
const { program, entry, processes, isWholeProduct, isProduction } = BENCHES[name];

if (isProduction) process.env.NODE_ENV = "production";
try {
  if (isWholeProduct) await buildIfNeeded((line) => process.stdout.write(`${line}\n`));
  const named = Object.entries(processes).map(([key, path]) => [key, `bench-${name}-${key}`, path]);
  await bundle({
    [`bench-${name}`]: program,
    ...Object.fromEntries(named.map(([, file, path]) => [file, path])),
  });
  const built = (file) => join(root, ".build", `${file}.mjs`);
  const bench = (await import(pathToFileURL(built(`bench-${name}`)).href))[entry];
  const isGood = await bench({
    root,
    ...Object.fromEntries(named.map(([key, file]) => [key, built(file)])),
  });
  if (isGood === false) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
