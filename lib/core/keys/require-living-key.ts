import { AppError } from "@/lib/contract/error";
import type { ApiKeyActor, Context } from "@/lib/core/context";
import type { Queryable } from "@/lib/platform/db/transaction";

/**
 * In the transaction of a change: the key is still not revoked, and stays so until the commit. The lock conflicts with
 * that of a revocation only: what a revocation did not see, it did not let through.
 * @throws AppError `UNAUTHORIZED`
 */
export async function requireLivingKey(client: Queryable, context: Context<ApiKeyActor>): Promise<void> {
  const { rowCount } = await client.query(
    "select 1 from api_keys where organization_id = $1 and id = $2 and revoked_at is null for key share",
    [context.organizationId, context.actor.id],
  );
  if (rowCount !== 1) throw new AppError("UNAUTHORIZED", "This key was revoked. Nothing was changed.");
}
