import { randomInt } from "node:crypto";
import type { Pool } from "pg";
import {
  type CardNetworkPort,
  CardNetworkUnavailable,
  MAX_CARD_NOTICES,
} from "@/lib/ports/cards/card-network-port";
import { issueCard } from "@/lib/ports/cards/sandbox/issue-card";
import { listNotices } from "@/lib/ports/cards/sandbox/list-notices";
import { acknowledgeNotices } from "@/lib/ports/sandbox-notices/acknowledge-notices";
import { listDueOrganizations } from "@/lib/ports/sandbox-notices/list-due-organizations";

/**
 * A card network that behaves like a real one and moves no real money (docs/sandbox-cards.md). It keeps its own tables
 * and takes a pool, never a client, so that it cannot be drawn into a transaction of the product: a rollback there must
 * not make a network forget.
 * @param newNumberLast4 the last four digits of the next new card
 */
export function createSandboxCardNetwork(
  pool: Pool,
  newNumberLast4: () => string = randomLast4,
): CardNetworkPort {
  return {
    isSandbox: true,
    name: "Sandbox card network",
    issue: async (card, { businessNow }) =>
      await reached(() => issueCard(pool, card, newNumberLast4(), businessNow)),
    notices: async (input) => {
      assertBound("limit", input.limit, 1);
      return await reached(() => listNotices(pool, input));
    },
    acknowledge: async (input) => {
      assertBound("noticeReferences", input.noticeReferences.length, 0);
      await reached(() => acknowledgeNotices(pool, "sandbox_card_notices", input));
    },
    organizationsWithNotices: async (input) => {
      assertBound("limit", input.limit, 1);
      return await reached(() => listDueOrganizations(pool, "sandbox_card_notices", input));
    },
  };
}

function randomLast4(): string {
  return String(randomInt(10_000)).padStart(4, "0");
}

/** A broken connection leaves open whether the network recorded anything: the unknown outcome that the port names. */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new CardNetworkUnavailable("The sandbox card network could not be reached", { cause: error });
  }
}

function assertBound(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least || value > MAX_CARD_NOTICES) {
    throw new RangeError(`${name} must be from ${least} to ${MAX_CARD_NOTICES}, not ${value}`);
  }
}
