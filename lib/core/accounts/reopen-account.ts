import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/context";
import { requireDecider } from "@/lib/core/members/require-decider";
import { inTransaction } from "@/lib/platform/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Opens a closed pod or income source again: the way to money that a bank booked into it after it was closed.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `ACCOUNT_NOT_FOUND`.
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
    if (rowCount !== 1) throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${accountId}.`);
  });
}
