import { randomInt } from "node:crypto";
import type { Pool } from "pg";
import type { SpendingCategory } from "@/lib/contract/transactions";
import {
  type CardNetworkPort,
  CardNetworkUnavailable,
  type CardNotice,
  MAX_CARD_NOTICES,
} from "@/lib/ports/cards/card-network-port";
import { acknowledgeNotices, listDueOrganizations } from "@/lib/ports/sandbox-notices";

/**
 * A card network that behaves like a real one and moves no real money (docs/sandbox-cards.md). It keeps its own tables
 * and takes a pool, never a client, so that it cannot join a transaction of the product: a rollback there must not make
 * a network forget.
 * @param newNumberLast4 the last four digits of the next new card
 */
export function createSandboxCardNetwork(
  pool: Pool,
  newNumberLast4: () => string = randomLast4,
): CardNetworkPort {
  return {
    isSandbox: true,
    name: "Sandbox card network",
    issuesCards: true,
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

/** After a broken connection it is unclear whether the network recorded anything: the port's unknown outcome. */
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

/** Issues a card, once per id; see CardNetworkPort.issue. The digits belong to no real number. */
async function issueCard(
  pool: Pool,
  card: { organizationId: string; cardId: string },
  numberLast4: string,
  businessNow: Date,
): Promise<{ numberLast4: string }> {
  const { rows } = await pool.query<{ numberLast4: string }>({
    name: "sandbox_cards_issue",
    text: `with made as (
             insert into sandbox_cards (organization_id, card_id, number_last4, issued_at)
             values ($1, $2, $3, $4)
             on conflict do nothing
             returning number_last4)
           select number_last4 as "numberLast4" from made
            union all
           select number_last4 from sandbox_cards where organization_id = $1 and card_id = $2
            limit 1`,
    values: [card.organizationId, card.cardId, numberLast4, businessNow],
  });
  const made = rows[0];
  // A concurrent order of the same card has committed since: the next attempt reads it.
  if (!made) throw new Error(`Sandbox card network: card ${card.cardId} is being made`);
  return { numberLast4: made.numberLast4 };
}

interface NoticeRow {
  noticeReference: string;
  kind: "SETTLED" | "RELEASED" | "REFUND" | "PAYOUT";
  cardId: string;
  authorizationReference: string | null;
  amountInCents: number;
  merchant: string;
  category: SpendingCategory | null;
  isFinal: boolean;
  dueAt: Date;
}

/** Reads `sandbox_card_notices_undelivered` in its order and stops at `limit`; see CardNetworkPort.notices. */
async function listNotices(
  pool: Pool,
  input: { organizationId: string; businessNow: Date; limit: number },
): Promise<CardNotice[]> {
  const { rows } = await pool.query<NoticeRow>({
    name: "sandbox_cards_list_notices",
    text: `select notice_reference as "noticeReference", kind, card_id as "cardId",
                  authorization_reference as "authorizationReference", amount_in_cents as "amountInCents", merchant,
                  category, is_final as "isFinal", due_at as "dueAt"
             from sandbox_card_notices
            where organization_id = $1 and deliveries_left > 0 and due_at <= $2
            order by due_at, notice_reference
            limit $3`,
    values: [input.organizationId, input.businessNow, input.limit],
  });
  return rows.map((row) => toNotice(input.organizationId, row));
}

function toNotice(organizationId: string, row: NoticeRow): CardNotice {
  const stated = {
    noticeReference: row.noticeReference,
    organizationId,
    cardId: row.cardId,
    amountInCents: row.amountInCents,
    merchant: row.merchant,
    category: row.category,
    occurredAt: row.dueAt,
  };
  if (row.kind === "REFUND" || row.kind === "PAYOUT") {
    return { ...stated, kind: row.kind, authorizationReference: null };
  }
  if (row.authorizationReference === null) {
    throw new Error(`Sandbox card network: notice ${row.noticeReference} names no authorization`);
  }
  const { authorizationReference } = row;
  return row.kind === "RELEASED"
    ? { ...stated, kind: "RELEASED", authorizationReference }
    : { ...stated, kind: "SETTLED", authorizationReference, isFinal: row.isFinal };
}
