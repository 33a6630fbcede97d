import type { AccountId } from "@/lib/core/keys/account-id";
import type { Queryable } from "@/lib/db/transaction";

/** Whether this person belongs to the organization now: whoever has left it speaks for nobody there. */
export async function isMember(database: Queryable, { organizationId, userId }: AccountId): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "is_member",
    text: "select 1 from memberships where organization_id = $1 and user_id = $2",
    values: [organizationId, userId],
  });
  return rowCount === 1;
}
