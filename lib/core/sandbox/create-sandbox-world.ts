import type { Pool } from "pg";
import type { SandboxWorld } from "@/lib/core/sandbox/drive";
import { createSandboxInstitutions } from "@/lib/ports/aggregator/sandbox/sandbox-institutions";
import { createSandboxBankDriver } from "@/lib/ports/bank/sandbox/sandbox-bank-driver";
import { createSandboxCardDriver } from "@/lib/ports/cards/sandbox/sandbox-card-driver";

/**
 * The controls of the simulated bank, cards, and institutions.
 * @param hasReceiver whether webhooks may go to this machine (WEBHOOK_ALLOW_PRIVATE)
 * @param carryOutDue what happens at each moment that a moved clock passes
 */
export function createSandboxWorld(
  pool: Pool,
  hasReceiver: boolean,
  carryOutDue: SandboxWorld["carryOutDue"],
): SandboxWorld {
  return {
    bank: createSandboxBankDriver(pool),
    cards: createSandboxCardDriver(pool),
    institutions: createSandboxInstitutions(pool),
    hasReceiver,
    carryOutDue,
  };
}
