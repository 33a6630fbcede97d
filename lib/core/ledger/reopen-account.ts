import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Opens a closed pod or income source again: the way to money that a bank booked into it after it was closed.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `ACCOUNT_NOT_FOUND`, `INVALID_PARAMETERS` where whose
 * it was has been removed meanwhile.
 */
export async function reopenAccount(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  accountId: string,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "open an account again");
    const { rowCount } = await client.query(
      `update accounts set deleted_at = null, updated_at = $3
        where organization_id = $1 and id = $2 and type <> 'EXTERNAL_ACCOUNT'`,
      [context.organizationId, accountId, context.now],
    );
    await requireBeneficiary(client, context.organizationId, accountId);
    if (rowCount !== 1) throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${accountId}.`);
  });
}

/** A removal at this moment holds the row until it has looked for open accounts, so one of the two is refused. */
async function requireBeneficiary(
  client: Queryable,
  organizationId: string,
  accountId: string,
): Promise<void> {
  const { rows } = await client.query<{ name: string; removed_at: Date | null }>(
    `select b.name, b.removed_at from beneficiaries b
      where b.organization_id = $1
        and b.id = (select a.beneficiary_id from accounts a where a.organization_id = $1 and a.id = $2)
      for key share`,
    [organizationId, accountId],
  );
  if (!rows[0]?.removed_at) return;
  throw new AppError(
    "INVALID_PARAMETERS",
    `${rows[0].name}, whose it was, is no beneficiary any more. Nothing was changed.`,
  );
}
