import type { Pool } from "pg";
import type { Config } from "@/lib/platform/config";
import { createEncryption } from "@/lib/platform/encryption";
import type { SecretSource } from "@/lib/platform/product-secrets";
import { type AggregatorPort, UnknownInstitution } from "@/lib/ports/aggregator/aggregator-port";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";

type RealBank = { environment: "sandbox" | "production" };

/** Plaid if it is configured, otherwise the sandbox institutions, of which none can be connected beside real money. */
export async function createAggregator(
  config: Pick<Config, "plaid" | "appUrl"> & { increase: RealBank | null; mercury: RealBank | null },
  productSecret: SecretSource,
  pool: Pool,
): Promise<AggregatorPort> {
  if (!config.plaid) {
    const institutions = createSandboxAggregator(pool);
    const isProduction = (config.increase ?? config.mercury)?.environment === "production";
    return isProduction ? withoutInstitutions(institutions) : institutions;
  }
  // Loaded only then: the SDK is ten megabytes of source.
  const { createPlaidAggregator } = await import("@/lib/ports/aggregator/plaid/create-plaid-aggregator");
  const { returnsByAddress, ...account } = config.plaid;
  return createPlaidAggregator({
    ...account,
    asksForNumbers: (config.increase ?? config.mercury) !== null,
    redirectUri: returnsByAddress ? `${config.appUrl}/accounts/connect/return` : null,
    encryption: createEncryption(productSecret, "aggregator access"),
  });
}

/** Fictional accounts must not be mistaken for real ones. */
function withoutInstitutions(aggregator: AggregatorPort): AggregatorPort {
  return {
    ...aggregator,
    searchInstitutions: async () => [],
    beginConnecting: async ({ institutionId }) => {
      throw new UnknownInstitution(institutionId ?? "that was connected before");
    },
  };
}
