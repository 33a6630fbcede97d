import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      "@": here("."),
      // `server-only` throws outside a React server bundle by design; tests are on the server.
      "server-only": here("node_modules/server-only/empty.js"),
    },
  },
  test: {
    include: [
      "lib/**/*.test.ts",
      "components/**/*.test.ts",
      "components/**/*.test.tsx",
      "app/**/*.test.ts",
      "clients/**/*.test.ts",
      "tools/**/*.test.ts",
    ],
    globalSetup: ["lib/testing/global-setup.ts"],
    // Ten thousand runs of a property take their time on a machine that does something else besides.
    testTimeout: process.env.SLUICE_PROOF === "full" ? 300_000 : 60_000,
    hookTimeout: 120_000,
    // Two cores: more workers than that only make races look like slowness.
    maxWorkers: 2,
  },
});
