import type { Pool } from "pg";
import type { Config } from "@/lib/platform/config";
import { createEncryption } from "@/lib/platform/encryption";
import type { AggregatorPort } from "@/lib/ports/aggregator/aggregator-port";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";

/** Plaid if it is configured, otherwise the sandbox institutions. */
export async function createAggregator(
  config: Pick<Config, "plaid" | "appUrl">,
  productSecret: string,
  pool: Pool,
): Promise<AggregatorPort> {
  if (!config.plaid) return createSandboxAggregator(pool);
  // Loaded only then: the SDK is ten megabytes of source.
  const { createPlaidAggregator } = await import("@/lib/ports/aggregator/plaid/create-plaid-aggregator");
  const { returnsByAddress, ...account } = config.plaid;
  return createPlaidAggregator({
    ...account,
    redirectUri: returnsByAddress ? `${config.appUrl}/accounts/connect/return` : null,
    encryption: createEncryption(productSecret, "aggregator access"),
  });
}
