import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * What only computes: no database, no mock, nothing global. These share the modules that they import, which costs more
 * than all of them together; whatever else a test needs, it gets alone (a database is not there for these).
 */
const COMPUTES = [
  "proof/bench/**/*.test.ts",
  "components/**/*.test.ts",
  "components/**/*.test.tsx",
  "lib/contract/**/*.test.ts",
  "lib/engine/**/*.test.ts",
];
const WITH_DATABASE = "components/rules/run-page.test.tsx";
/** Held to milliseconds in the proof: two other tests beside it on two cores are what would be measured. */
const TIMED = "lib/core/profile/profile-speed.test.ts";

export default defineConfig({
  resolve: {
    alias: {
      "@": here("."),
      // `server-only` throws outside a React server bundle by design; tests are on the server.
      "server-only": here("node_modules/server-only/empty.js"),
    },
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "alone",
          include: [
            "lib/**/*.test.ts",
            WITH_DATABASE,
            "app/**/*.test.ts",
            "clients/**/*.test.ts",
            "proof/{audit,conformance}/**/*.test.ts",
          ],
          exclude: [
            ...configDefaults.exclude,
            ...COMPUTES.filter((pattern) => pattern.startsWith("lib/")),
            TIMED,
          ],
          globalSetup: ["lib/testing/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "by itself",
          include: [TIMED],
          globalSetup: ["lib/testing/global-setup.ts"],
          maxWorkers: 1,
          // After all the others.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "together",
          include: COMPUTES,
          exclude: [...configDefaults.exclude, WITH_DATABASE],
          isolate: false,
        },
      },
    ],
    // Ten thousand runs of a property take their time on a machine that does something else besides.
    testTimeout: process.env.SLUICE_PROOF === "full" ? 300_000 : 60_000,
    hookTimeout: 120_000,
    // One more than there are cores: a third of the time a test waits for a process, a disk or a clock.
    maxWorkers: 3,
  },
});
