import pg from "pg";
import { expect, test } from "vitest";
import { CardNetworkUnavailable } from "@/lib/ports/cards/card-network-port";
import { createCardNetwork } from "@/lib/ports/cards/create-card-network";

/** Connects only when it is used. */
const POOL = new pg.Pool();
const PRODUCTION = { environment: "production" } as const;
const SANDBOX = { environment: "sandbox" } as const;

test("cards are issued beside the sandbox bank and beside the sandboxes of banks", () => {
  expect(createCardNetwork({ increase: null, mercury: null }, POOL).issuesCards).toBe(true);
  expect(createCardNetwork({ increase: SANDBOX, mercury: null }, POOL).issuesCards).toBe(true);
  expect(createCardNetwork({ increase: null, mercury: SANDBOX }, POOL).issuesCards).toBe(true);
});

test.each([
  { increase: PRODUCTION, mercury: null },
  { increase: null, mercury: PRODUCTION },
])("no card is issued beside real money: %o", async (config) => {
  const network = createCardNetwork(config, POOL);
  expect(network.issuesCards).toBe(false);
  const order = { organizationId: "1", cardId: "2" };
  await expect(network.issue(order, { businessNow: new Date(0) })).rejects.toThrow(CardNetworkUnavailable);
});
