import { accountHref } from "@/lib/contract/account-hrefs";
import { movementHref } from "@/lib/contract/movement-search";
import type { CardDetailView } from "@/lib/contract/views/movements-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";
import { cardPartyNames, readCardRows } from "@/lib/views/movements/card-movement-row";
import { readBooks } from "@/lib/views/movements/read-books";
import { shortId } from "@/lib/views/movements/short-id";

/** One card transaction; null when the organization has none with this id. */
export async function readCardDetail(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  id: string,
  time: TimeContext,
): Promise<CardDetailView | null> {
  const { organizationId, actor } = context;
  const [[row], books] = await Promise.all([
    readCardRows(services.pool, organizationId, [id]),
    readBooks(services.pool, organizationId, { cardTransactionId: id }),
  ]);
  if (!row) return null;
  const { fromName, toName } = cardPartyNames(row);
  const href = accountHref(row.account_id);
  const isOut = row.subtype === "PURCHASE";
  return {
    kind: "CARD",
    id: row.id,
    shortId: shortId(row.id),
    from: { name: fromName, href: isOut ? href : null },
    to: { name: toName, href: isOut ? null : href },
    amountInCents: row.amount_in_cents,
    status: "SETTLED",
    isAssistant: false,
    statusAt: row.completed_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at.toISOString(),
    books,
    subtype: row.subtype,
    card: { name: row.card_name, numberEnding: row.number_last4 },
    category: row.category,
    networkReference: row.network_reference,
    pageHref: movementHref("CARDS", row.id),
    viewer: { canDecide: mayDecide(actor) },
    time,
  };
}
