import type { Pool } from "pg";
import type { Config } from "@/lib/platform/config";
import type { BankPort } from "@/lib/ports/bank/bank-port";
import type { BankSimulations } from "@/lib/ports/bank/bank-simulations";
import { createMercuryBank } from "@/lib/ports/bank/mercury/create-mercury-bank";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";

/** Increase or Mercury if it is configured, otherwise the sandbox bank. */
export async function createBank(
  config: Pick<Config, "increase" | "mercury">,
  pool: Pool,
): Promise<BankPort> {
  if (config.mercury) return createMercuryBank(pool, config.mercury);
  if (!config.increase) return createSandboxBank(pool);
  // Loaded only then: the SDK is several megabytes of source.
  const { createIncreaseBank } = await import("@/lib/ports/bank/increase/create-increase-bank");
  return createIncreaseBank(pool, config.increase);
}

/** What Increase's sandbox can be asked to make happen; null for the sandbox bank, which the product drives itself. */
export async function createSimulations(config: Pick<Config, "increase">): Promise<BankSimulations | null> {
  if (!config.increase) return null;
  const { createIncreaseSimulations } = await import("@/lib/ports/bank/increase/simulations");
  return createIncreaseSimulations(config.increase);
}
