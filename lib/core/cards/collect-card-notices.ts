import { seenText } from "@/lib/contract/plain-text";
import type { CardTransactionSubtype } from "@/lib/contract/transactions";
import { NoticeRounds } from "@/lib/core/transfers/notice-rounds";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Backoffs } from "@/lib/platform/outages";
import type { Services } from "@/lib/platform/services";
import {
  type CardNetworkPort,
  CardNetworkUnavailable,
  type CardNotice,
} from "@/lib/ports/cards/card-network-port";

/** Of one organization; the rest follow in the next round. */
const NOTICES_PER_ROUND = 100;

/**
 * Reads the card network's notices and applies each once. Notices are acknowledged after the commit; after a crash in
 * between they arrive again and change nothing.
 * @param rounds keeps the backoff state between rounds
 * @returns how many organizations were processed, or `limit` if one of them has more.
 */
export async function collectCardNotices(
  services: Pick<Services, "pool" | "clock" | "log">,
  network: CardNetworkPort,
  limit: number,
  rounds = createCardRounds(services, network),
): Promise<number> {
  return rounds.run(limit, async (organizationId, businessNow) => {
    const count = await collectForOrganization(services, network, rounds.faults, {
      organizationId,
      businessNow,
    });
    return count === NOTICES_PER_ROUND;
  });
}

export function createCardRounds(
  services: Pick<Services, "pool" | "clock" | "log">,
  network: CardNetworkPort,
): NoticeRounds {
  const isUnavailable = (error: unknown) => error instanceof CardNetworkUnavailable;
  return new NoticeRounds(services, network, "the card network", isUnavailable);
}

/** @returns how many notices were applied. */
async function collectForOrganization(
  services: Pick<Services, "pool" | "clock" | "log">,
  network: CardNetworkPort,
  faults: Backoffs,
  { organizationId, businessNow }: { organizationId: string; businessNow: Date },
): Promise<number> {
  const notices = await network.notices({ organizationId, businessNow, limit: NOTICES_PER_ROUND });
  const applied: string[] = [];
  // A notice that fails is retried later without blocking others: applying them is correct in any order.
  for (const notice of notices) {
    const { noticeReference } = notice;
    if (faults.isBackingOff(noticeReference, businessNow)) continue;
    if (await tryApply(services, notice, businessNow)) {
      applied.push(noticeReference);
      faults.succeeded(noticeReference);
    } else {
      faults.failed(noticeReference, businessNow);
    }
  }
  if (applied.length > 0) {
    await network.acknowledge({ organizationId, noticeReferences: applied, businessNow });
  }
  return applied.length;
}

/** @returns whether it was applied. */
async function tryApply(
  services: Pick<Services, "pool" | "log">,
  notice: CardNotice,
  businessNow: Date,
): Promise<boolean> {
  const { organizationId, cardId, noticeReference, kind } = notice;
  try {
    const recorded = await applyCardNotice(services.pool, notice, businessNow);
    services.log.debug({ organizationId, cardId, kind, recorded: recorded?.id }, "card notice applied");
    return true;
  } catch (error) {
    services.log.error(
      { err: error, organizationId, cardId, noticeReference },
      "a card notice could not be applied",
    );
    return false;
  }
}

interface RecordedCardTransaction {
  organizationId: string;
  id: string;
  subtype: CardTransactionSubtype;
}

/**
 * Applies one notice of the card network, once per reference: books a settlement or credit, or releases a hold.
 * @param client of a transaction, if more belongs to the same commit
 * @returns the recorded card transaction; null for a duplicate and for a release, which moves nothing.
 */
export async function applyCardNotice(
  client: Queryable,
  notice: CardNotice,
  businessNow: Date,
): Promise<RecordedCardTransaction | null> {
  const id = newId(businessNow);
  const subtype = notice.kind === "SETTLED" ? "PURCHASE" : notice.kind;
  if (subtype === "RELEASED") {
    await release(client, notice, id, businessNow);
    return null;
  }
  const isNew =
    notice.kind === "SETTLED"
      ? await settle(client, notice, id, businessNow)
      : await credit(client, notice, id, businessNow);
  return isNew ? { organizationId: notice.organizationId, id, subtype } : null;
}

async function release(client: Queryable, notice: CardNotice, id: string, businessNow: Date): Promise<void> {
  await client.query({
    name: "release_card_hold",
    text: "select release_card_hold($1)",
    values: [
      JSON.stringify({
        organizationId: notice.organizationId,
        id,
        cardId: notice.cardId,
        networkReference: notice.authorizationReference,
        amountInCents: notice.amountInCents,
        merchant: merchantText(notice.merchant),
        category: notice.category,
        now: businessNow,
      }),
    ],
  });
}

async function settle(
  client: Queryable,
  notice: Extract<CardNotice, { kind: "SETTLED" }>,
  id: string,
  businessNow: Date,
): Promise<boolean> {
  const { rows } = await client.query<{ isNew: boolean }>({
    name: "settle_card_purchase",
    text: `select settle_card_purchase($1) as "isNew"`,
    values: [
      JSON.stringify({
        organizationId: notice.organizationId,
        transactionId: id,
        entryId: newId(businessNow),
        cardId: notice.cardId,
        authorizationReference: notice.authorizationReference,
        networkReference: notice.noticeReference,
        amountInCents: notice.amountInCents,
        description: merchantText(notice.merchant),
        category: notice.category,
        isFinal: notice.isFinal,
        settledAt: notice.occurredAt,
        now: businessNow,
      }),
    ],
  });
  return rows[0]?.isNew === true;
}

async function credit(
  client: Queryable,
  notice: CardNotice,
  id: string,
  businessNow: Date,
): Promise<boolean> {
  const { rows } = await client.query<{ isNew: boolean }>({
    name: "book_card_credit",
    text: `select book_card_credit($1) as "isNew"`,
    values: [
      JSON.stringify({
        organizationId: notice.organizationId,
        transactionId: id,
        entryId: newId(businessNow),
        cardId: notice.cardId,
        subtype: notice.kind,
        networkReference: notice.noticeReference,
        amountInCents: notice.amountInCents,
        description: merchantText(notice.merchant),
        category: notice.category,
        settledAt: notice.occurredAt,
        now: businessNow,
      }),
    ],
  });
  return rows[0]?.isNew === true;
}

const MAXIMUM_LENGTH = 200;

/** A merchant's name from the network, cleaned so that it can be stored and shown on one line. */
export function merchantText(text: string): string {
  return Array.from(seenText(text, "\uFFFD").trim()).slice(0, MAXIMUM_LENGTH).join("");
}
