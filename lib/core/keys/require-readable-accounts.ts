import { AppError } from "@/lib/contract/error";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { covers, requirePermission } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

/**
 * Each account that a list is filtered by must be the organization's and in the key's `READ_TRANSFERS` list.
 * @throws AppError `ACCOUNT_NOT_FOUND` for an account that is not the organization's, `ACCESS_DENIED` for one outside
 * the key's list.
 */
export async function requireReadableAccounts(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  ids: readonly string[],
): Promise<void> {
  const permission = requirePermission(context.actor, "READ_TRANSFERS");
  const { rows } = await services.pool.query<{ id: string }>({
    name: "find_accounts",
    text: "select id from accounts where organization_id = $1 and id = any ($2)",
    values: [context.organizationId, ids],
  });
  const found = new Set(rows.map((row) => row.id));
  const missing = ids.find((id) => !found.has(id));
  if (missing) throw new AppError("ACCOUNT_NOT_FOUND", `accountId: there is no account ${missing}.`);
  const outside = ids.find((id) => !covers(permission.accounts, id));
  if (outside) {
    throw new AppError(
      "ACCESS_DENIED",
      `accountId: ${outside} is outside the list of this key's READ_TRANSFERS permission.`,
    );
  }
}
