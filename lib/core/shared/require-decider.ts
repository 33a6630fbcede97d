import { AppError } from "@/lib/contract/error";
import type { MemberRole } from "@/lib/contract/views/people";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

/**
 * In the transaction of a change: the member is an owner or co-owner, and stays so until the commit.
 * @param what completes "Only an owner or co-owner may …"
 * @throws AppError `ACCESS_DENIED`
 */
export async function requireDecider(
  client: Queryable,
  context: Context<MemberActor>,
  what: string,
): Promise<void> {
  const { rows } = await client.query<{ role: MemberRole }>(
    "select role from memberships where organization_id = $1 and user_id = $2 for share",
    [context.organizationId, context.actor.id],
  );
  const role = rows[0]?.role;
  if (role === "OWNER" || role === "CO_OWNER") return;
  throw new AppError("ACCESS_DENIED", `Only an owner or co-owner may ${what}. Nothing was changed.`);
}
