import type { ClosingBlocker } from "@/lib/contract/account";
import { readClosingBlockers } from "@/lib/core/ledger/close-account";
import { mayDecide } from "@/lib/core/shared/permits";
import { listWaitingMovements } from "@/lib/views/accounts/list-movements";
import type { AccountPageView } from "@/lib/views/accounts/read-account-page";
import type { TimedReading } from "@/lib/views/reading";

/** What the page for closing an account shows. */
export interface ClosingView extends Pick<AccountPageView, "name" | "waiting" | "viewer" | "time"> {
  blockers: ClosingBlocker[];
}

/** Null unless the organization has an open pod or income source with this ID: members can close nothing else. */
export async function readClosingPage(
  { services, context, time }: TimedReading,
  accountId: string,
): Promise<ClosingView | null> {
  const { pool } = services;
  const { rows } = await pool.query<{ name: string }>({
    name: "read_closing_page",
    text: `
      select name from accounts
       where organization_id = $1 and id = $2 and type <> 'EXTERNAL_ACCOUNT' and deleted_at is null`,
    values: [context.organizationId, accountId],
  });
  const [account] = rows;
  if (!account) return null;
  const [blockers, waiting] = await Promise.all([
    readClosingBlockers(pool, context.organizationId, accountId),
    listWaitingMovements(pool, context, accountId),
  ]);
  return { name: account.name, blockers, waiting, viewer: { canDecide: mayDecide(context.actor) }, time };
}
