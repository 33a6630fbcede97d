import type { Pool } from "pg";
import type { Config } from "@/lib/platform/config";
import type { BankPort } from "@/lib/ports/bank/bank-port";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";

/** Increase if it is configured, otherwise the sandbox bank. */
export async function createBank(config: Pick<Config, "increase">, pool: Pool): Promise<BankPort> {
  if (!config.increase) return createSandboxBank(pool);
  // Loaded only then: the SDK is several megabytes of source.
  const { createIncreaseBank } = await import("@/lib/ports/bank/increase/create-increase-bank");
  return createIncreaseBank(pool, config.increase);
}
