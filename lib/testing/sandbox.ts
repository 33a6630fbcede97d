import { createCarryOutDue } from "@/lib/core/sandbox/carry-out-due";
import { createSandboxWorld } from "@/lib/core/sandbox/create-sandbox-world";
import type { Services } from "@/lib/platform/services";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createSandboxCardNetwork } from "@/lib/ports/cards/sandbox/create-sandbox-card-network";

/** The sandbox that members of a test's organizations use, as the product opens it. */
export function createTestSandbox(services: Services, hasReceiver = false) {
  const { pool } = services;
  const ports = {
    bank: createSandboxBank(pool),
    aggregator: createSandboxAggregator(pool),
    cards: createSandboxCardNetwork(pool),
  };
  return createSandboxWorld(pool, hasReceiver, createCarryOutDue(services, ports));
}

/**
 * From acceptance until an order is submitted to the sandbox bank (docs/sandbox-bank.md): how far a test moves its
 * clock.
 */
export const BANK_WINDOW_MS = 60_000;
