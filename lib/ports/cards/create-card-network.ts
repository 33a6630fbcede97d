import type { Pool } from "pg";
import { type CardNetworkPort, CardNetworkUnavailable } from "@/lib/ports/cards/card-network-port";
import { createSandboxCardNetwork } from "@/lib/ports/cards/sandbox/create-sandbox-card-network";

type RealBank = { environment: "sandbox" | "production" };

/** The sandbox's card network, which issues no cards beside real money: no shop would take them. */
export function createCardNetwork(
  config: { increase: RealBank | null; mercury: RealBank | null },
  pool: Pool,
): CardNetworkPort {
  const network = createSandboxCardNetwork(pool);
  const isProduction = (config.increase ?? config.mercury)?.environment === "production";
  return isProduction ? withoutCards(network) : network;
}

function withoutCards(network: CardNetworkPort): CardNetworkPort {
  return {
    ...network,
    issuesCards: false,
    issue: async () => {
      throw new CardNetworkUnavailable("No cards are issued beside real money");
    },
  };
}
