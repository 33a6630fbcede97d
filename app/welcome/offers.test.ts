import { expect, test } from "vitest";
import { offersOf } from "@/app/welcome/offers";
import { createAggregator } from "@/lib/ports/aggregator/create-aggregator";
import { createSandboxIdentity } from "@/lib/ports/identity/sandbox/create-sandbox-identity";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestSandbox } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

test("test money and sample details are offered only where everything outside is simulated", async () => {
  const { services } = createTestServices(database);
  const identity = createSandboxIdentity(database.pool);
  const simulated = { sandbox: createTestSandbox(services), identity, smsWay: "MAILBOX" } as const;
  expect(offersOf(simulated)).toEqual({ hasSandbox: true, hasSandboxIdentity: true, hasSms: true });

  // As open-product.ts decides: a real aggregator leaves no sandbox to control.
  const plaid = {
    clientId: "client",
    secret: "secret",
    environment: "production" as const,
    returnsByAddress: false,
  };
  const aggregator = await createAggregator(
    { plaid, increase: null, mercury: null, appUrl: "https://sluice.example.com" },
    "a secret",
    database.pool,
  );
  expect(aggregator.isSandbox).toBe(false);
  const real = { sandbox: null, identity: { ...identity, isSandbox: false }, smsWay: "NONE" } as const;
  expect(offersOf(real)).toEqual({ hasSandbox: false, hasSandboxIdentity: false, hasSms: false });
});
