import type { CardTransactionSubtype } from "@/lib/contract/card-transaction";
import { merchantText } from "@/lib/core/cards/merchant-text";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { CardNotice } from "@/lib/ports/cards/card-network-port";

/** A card transaction that is new in the books. */
export interface RecordedCardTransaction {
  organizationId: string;
  id: string;
  subtype: CardTransactionSubtype;
}

/**
 * Applies one notice of the card network, once by its reference: books what has settled, or gives a hold back.
 * @param client a transaction's, where more belongs to the same commit
 * @returns what it recorded; null for a duplicate, and for a release, which moves nothing.
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
    name: "release_card_authorization",
    text: "select release_card_authorization($1, $2, $3, $4, $5, $6, $7, $8)",
    values: [
      notice.organizationId,
      id,
      notice.cardId,
      notice.authorizationReference,
      notice.amountInCents,
      merchantText(notice.merchant),
      notice.category,
      businessNow,
    ],
  });
}

async function settle(
  client: Queryable,
  notice: Extract<CardNotice, { kind: "SETTLED" }>,
  id: string,
  businessNow: Date,
): Promise<boolean> {
  const { rows } = await client.query<{ is_new: boolean }>({
    name: "settle_card_authorization",
    text: "select settle_card_authorization($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as is_new",
    values: [
      notice.organizationId,
      id,
      newId(businessNow),
      notice.cardId,
      notice.authorizationReference,
      notice.noticeReference,
      notice.amountInCents,
      merchantText(notice.merchant),
      notice.category,
      notice.isFinal,
      notice.occurredAt,
      businessNow,
    ],
  });
  return rows[0]?.is_new === true;
}

async function credit(
  client: Queryable,
  notice: CardNotice,
  id: string,
  businessNow: Date,
): Promise<boolean> {
  const { rows } = await client.query<{ is_new: boolean }>({
    name: "record_card_credit",
    text: "select record_card_credit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as is_new",
    values: [
      notice.organizationId,
      id,
      newId(businessNow),
      notice.cardId,
      notice.kind,
      notice.noticeReference,
      notice.amountInCents,
      merchantText(notice.merchant),
      notice.category,
      notice.occurredAt,
      businessNow,
    ],
  });
  return rows[0]?.is_new === true;
}
