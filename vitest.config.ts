import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const EVERY_TEST = ["{app,clients,components,lib,proof}/**/*.test.{ts,tsx}"];

/** Too slow for the gate, by reason. `npm run test:all` runs these. */
export const WIDE = {
  "builds or starts the product": [
    "proof/product/hooks-over-two-processes.test.ts",
    "proof/product/requests-over-two-processes.test.ts",
    "proof/product/restore-product.test.ts",
    "proof/product/restore-moment.test.ts",
    "proof/product/restore-test.test.ts",
    "proof/product/replay-program.test.ts",
    "proof/product/arrivals.test.ts",
    "proof/product/backup.test.ts",
    "proof/product/crash.test.ts",
    "proof/product/event-delivery.test.ts",
    "proof/failover/failover.test.ts",
    "proof/mandates/play-trial.test.ts",
    "proof/product/migrate-while-serving.test.ts",
    "proof/product/observed.test.ts",
    "proof/product/operator-commands.test.ts",
    "proof/product/outage.test.ts",
    "proof/product/roles.test.ts",
    "proof/product/webhooks-listen.test.ts",
    "proof/builds.test.ts",
  ],
  "starts PostgreSQL again and again, or migrates from the first version": [
    "lib/db/baseline.test.ts",
    "lib/db/client.test.ts",
    "lib/db/archive/archive.test.ts",
    "lib/db/database.test.ts",
    "lib/db/embedded.test.ts",
    "lib/db/embedded-binaries.test.ts",
  ],
  "plays months of the demo; the gate's journeys run on one": [
    "lib/core/demo/create-demo.test.ts",
    "lib/core/demo/demo-ahead.test.ts",
    "lib/core/demo/demo-deliveries.test.ts",
    "lib/core/demo/plan-history.test.ts",
    "lib/core/sandbox/clock-limit.test.ts",
  ],
  "holds an adapter to its port over thousands of events, pages and odd answers": [
    "lib/ports/aggregator/sandbox/create-sandbox-aggregator.test.ts",
    "lib/ports/bank/increase/create-increase-bank.test.ts",
    "lib/ports/bank/mercury/create-mercury-bank.test.ts",
  ],
  "plays random histories in a database; the gate plays plain transfers (lib/core/transfers/conservation.test.ts)":
    [
      "lib/api/worst-agent.test.ts",
      "lib/core/approvals/conservation.test.ts",
      "lib/core/audit/verify-audit-log.test.ts",
      "lib/core/cards/card-conservation.test.ts",
      "lib/core/connections/provider-truth.test.ts",
      "lib/core/exports/year-end.test.ts",
      "lib/core/ledger/own-bank-accounts.test.ts",
      "lib/core/mandates/same-as-engine.test.ts",
      "lib/core/profile/profile-properties.test.ts",
      "lib/core/rules/debt-payments.test.ts",
      "lib/core/rules/dry-run-of-arrivals.test.ts",
      "lib/core/transfers/groups.test.ts",
      "lib/core/transfers/simulated-transfer.test.ts",
      "proof/mandates/find-excess.test.ts",
    ],
  "computes random rules and mandates, the largest rules, every pattern, every message and the whole document of the API":
    [
      "lib/api/openapi/build-document.test.ts",
      "lib/api/openapi/document-and-validator.test.ts",
      "lib/engine/action-properties.test.ts",
      "lib/engine/evaluate-properties.test.ts",
      "lib/engine/mandates/worst-case.test.ts",
      "lib/engine/rule-cost.test.ts",
      "lib/regex-time.test.ts",
      "lib/words/messages/every-message.test.ts",
      "lib/words/rules/words.property.test.ts",
    ],
  "races again and again, and plays hours of an outage; what each does once stays in the gate": [
    "lib/core/keys/revoke-races.test.ts",
    "lib/core/mandates/mandate-races.test.ts",
    "lib/core/transfers/bank-news.test.ts",
    "lib/core/transfers/bank-outage.test.ts",
    "lib/core/work/secret-rotation.test.ts",
  ],
  "fills large tables": [
    "lib/api/http/list-depth.test.ts",
    "lib/core/webhooks/endpoint-plans.test.ts",
    "lib/views/rules/read-rules-page.test.ts",
  ],
  "derives keys from passphrases and encrypts more than memory holds": [
    "lib/db/backup/backup.test.ts",
    "lib/platform/age.test.ts",
  ],
  "makes a database for each test": [
    "lib/core/connections/register-account.test.ts",
    "lib/core/notifications/announced-alone.test.ts",
    "lib/core/notifications/causes.test.ts",
    "lib/core/notifications/send-notices.test.ts",
    "lib/core/notifications/notice-handler.test.ts",
    "lib/core/notifications/push.test.ts",
    "lib/core/notifications/rule-proposed.test.ts",
    "lib/ports/bank/increase/every-field.test.ts",
    "lib/ports/bank/increase/odd-fields.test.ts",
    "lib/ports/bank/increase/orders.test.ts",
    "lib/ports/bank/mercury/every-field.test.ts",
  ],
  "runs Python and Go": ["clients/verify-webhook/samples.test.ts", "lib/api/openapi/write-samples.test.ts"],
  "installs what integrators use": ["proof/integrators/integrators.test.ts"],
  "calls every action, operation or permission with everything: roles and tenancy stay in the gate": [
    "app/shown.test.ts",
    "app/unreadable-input.test.ts",
    "lib/api/http/permission-matrix.test.ts",
    "lib/api/mcp/attacks.test.ts",
  ],
  "sends thousands of requests: random ones, every spoiled field and edge, every limit, every operation over MCP":
    [
      "lib/api/http/bad-input.test.ts",
      "lib/api/http/body-edges.test.ts",
      "lib/api/http/fuzz.test.ts",
      "lib/api/http/rate-limit.test.ts",
      "lib/api/mcp/same-as-http.test.ts",
      "lib/core/rules/read-executions.test.ts",
    ],
};

/**
 * Test files share a process and the modules that they import, since importing costs as much as testing. These do not:
 * they replace a module, which the file before may have loaded already and the file after would inherit.
 */
export const ISOLATED: readonly string[] = [
  "app/auth/member-action.test.ts",
  "app/connections/link-cookie.test.ts",
  "app/page-setting.test.ts",
  "app/questions.test.ts",
  "app/roles.test.ts",
  "app/shown.test.ts",
  "app/tenancy.test.ts",
  "app/unreadable-input.test.ts",
  "lib/core/sign-in/same-work.test.ts",
  "lib/core/sign-in/sign-in.test.ts",
  "lib/platform/error-code.test.ts",
];

/** Wide as well, and held to milliseconds in the proof: a test beside it would be measured too. */
export const TIMED = ["lib/core/profile/profile-speed.test.ts"];

const allWide = Object.values(WIDE).flat();
const isIsolated = (file: string) => ISOLATED.includes(file);
const wide = allWide.filter((file) => !isIsolated(file));
const wideIsolated = allWide.filter(isIsolated);
const isolated = ISOLATED.filter((file) => !allWide.includes(file));
const withDatabase = { globalSetup: ["lib/testing/global-setup.ts"] };

export default defineConfig({
  resolve: {
    alias: [
      { find: "@", replacement: here(".") },
      // `server-only` throws outside a React server bundle by design; tests are on the server.
      { find: "server-only", replacement: here("node_modules/server-only/empty.js") },
      { find: /^@node-rs\/argon2$/, replacement: here("lib/testing/sign-in/cheap-argon2.ts") },
    ],
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          ...withDatabase,
          name: "shared",
          include: EVERY_TEST,
          exclude: [...configDefaults.exclude, ...wide, ...TIMED, ...ISOLATED],
          isolate: false,
        },
      },
      { extends: true, test: { ...withDatabase, name: "isolated", include: isolated } },
      { extends: true, test: { ...withDatabase, name: "wide", include: wide, isolate: false } },
      { extends: true, test: { ...withDatabase, name: "wide-isolated", include: wideIsolated } },
      {
        extends: true,
        test: {
          ...withDatabase,
          name: "wide-timed",
          include: TIMED,
          maxWorkers: 1,
          // After all others.
          sequence: { groupOrder: 1 },
        },
      },
    ],
    // A module is compiled once for all projects, and not again while it stays the same.
    experimental: { fsModuleCache: true },
    // Ten thousand runs of a property take long on a busy machine.
    testTimeout: process.env.SLUICE_PROOF === "full" ? 1_800_000 : 60_000,
    hookTimeout: 120_000,
    // One more than there are cores: a third of the time a test waits for a process, a disk or a clock.
    maxWorkers: 3,
  },
});
