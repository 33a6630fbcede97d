import { createCarryOutDue } from "@/lib/core/sandbox/carry-out-due";
import { createSandboxWorld } from "@/lib/core/sandbox/create-sandbox-world";
import type { Services } from "@/lib/platform/services";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createSandboxCardNetwork } from "@/lib/ports/cards/sandbox/create-sandbox-card-network";

/** What members of a test's organizations drive, as the product opens it. */
export function createTestSandbox(services: Services, hasReceiver = false) {
  const { pool } = services;
  const ports = {
    bank: createSandboxBank(pool),
    aggregator: createSandboxAggregator(pool),
    cards: createSandboxCardNetwork(pool),
  };
  return createSandboxWorld(pool, hasReceiver, createCarryOutDue(services, ports));
}

/** From acceptance until an order is handed to the sandbox bank (docs/sandbox-bank.md): what a test moves its clock by. */
export const BANK_WINDOW_MS = 60_000;
