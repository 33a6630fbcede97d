import type { AccountType } from "@/lib/contract/account";
import { AppError } from "@/lib/contract/error";
import type { ClosingBlocker } from "@/lib/contract/views/account-page-view";
import { readClosingBlockers } from "@/lib/core/ledger/closing-blockers";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export type CloseAccountResult = { kind: "CLOSED" } | { kind: "IN_THE_WAY"; blockers: ClosingBlocker[] };

/**
 * Closes a pod or an income source that holds nothing, with nothing on its way and nothing waiting. It stays readable.
 *
 * Nothing can land in between. Whatever moves money into or out of the account writes a transfer (or a card
 * transaction), whose foreign key locks the account's row; `for update` conflicts with that lock. So a rival has either
 * committed before, and is seen below, or it is written after the closing, and fails for want of an open account
 * (`reserve`, `book_due_transfers`, `lease_bank_transfers`). Only what a bank says has arrived is booked all the same.
 * The ledger is not locked besides: a transfer locks ledger, then account, and the two would wait for each other.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `ACCOUNT_NOT_FOUND`, `INVALID_PARAMETERS` for an
 * account outside.
 */
export async function closeAccount(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  accountId: string,
): Promise<CloseAccountResult> {
  return inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "close an account");
    const isOpen = await lockAccount(client, context, accountId);
    if (!isOpen) return { kind: "CLOSED" };
    const blockers = await readClosingBlockers(client, context.organizationId, accountId);
    if (blockers.length > 0) return { kind: "IN_THE_WAY", blockers };
    await client.query(
      "update accounts set deleted_at = $3, updated_at = $3 where organization_id = $1 and id = $2",
      [context.organizationId, accountId, context.now],
    );
    return { kind: "CLOSED" };
  });
}

/** False: it is closed already. */
async function lockAccount(client: Queryable, context: Context, accountId: string): Promise<boolean> {
  const { rows } = await client.query<{ type: AccountType; deleted_at: Date | null }>(
    "select type, deleted_at from accounts where organization_id = $1 and id = $2 for update",
    [context.organizationId, accountId],
  );
  const account = rows[0];
  if (!account) throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${accountId}.`);
  if (account.type === "EXTERNAL_ACCOUNT") {
    throw new AppError("INVALID_PARAMETERS", "An account outside Sluice is closed at its own bank.");
  }
  return account.deleted_at === null;
}
