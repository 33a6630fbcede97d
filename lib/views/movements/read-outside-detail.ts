import { accountHref } from "@/lib/contract/account-hrefs";
import { movementHref } from "@/lib/contract/movement-search";
import type { OutsideDetailView } from "@/lib/contract/views/movements-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";
import { outsidePartyNames, readOutsideRows } from "@/lib/views/movements/outside-movement-row";
import { shortId } from "@/lib/views/movements/short-id";

/** One movement on a connected account; null when the organization has none with this id, or it was taken back. */
export async function readOutsideDetail(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  id: string,
  time: TimeContext,
): Promise<OutsideDetailView | null> {
  const [row] = await readOutsideRows(services.pool, context.organizationId, [id]);
  if (!row) return null;
  const { fromName, toName } = outsidePartyNames(row);
  const href = accountHref(row.account_id);
  const isIncome = row.direction === "MONEY_IN";
  return {
    kind: "OUTSIDE",
    id: row.id,
    shortId: shortId(row.id),
    from: { name: fromName, href: isIncome ? null : href },
    to: { name: toName, href: isIncome ? href : null },
    amountInCents: row.amount_in_cents,
    status: row.status === "PENDING" ? "PENDING" : "SETTLED",
    isAssistant: false,
    statusAt: row.transaction_date.toISOString(),
    createdAt: row.transaction_date.toISOString(),
    seenAt: row.created_at.toISOString(),
    books: [],
    description: row.description,
    merchantName: row.merchant_name,
    category: row.category,
    isIncome,
    transferHref: row.transfer_id === null ? null : movementHref("TRANSFERS", row.transfer_id),
    pageHref: movementHref("OUTSIDE", row.id),
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}
