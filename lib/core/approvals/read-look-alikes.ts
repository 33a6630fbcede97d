import { skeletonOf } from "@/lib/contract/look-alike";
import type { Queryable } from "@/lib/db/transaction";

/** An account of a proposal, and another one of the organization whose name looks the same. */
export interface LookAlike {
  accountName: string;
  otherName: string;
}

/** More accounts than a person tells apart. */
const MAXIMUM_ACCOUNTS = 2_000;

/** Other open accounts whose names an approver would take for those of the proposal; the first of each. */
export async function readLookAlikes(
  database: Queryable,
  organizationId: string,
  accountIds: readonly string[],
): Promise<LookAlike[]> {
  const { rows } = await database.query<{ id: string; name: string; is_party: boolean }>({
    name: "read_account_names_for_look_alikes",
    text: `select id, name, id = any ($2) as is_party from accounts
            where organization_id = $1 and (deleted_at is null or id = any ($2))
            order by id = any ($2) desc, id limit ${MAXIMUM_ACCOUNTS}`,
    values: [organizationId, accountIds],
  });
  const named = rows.map((row) => ({ ...row, skeleton: skeletonOf(row.name) }));
  return named.flatMap((account) => {
    if (!account.is_party) return [];
    const other = named.find(({ id, skeleton }) => id !== account.id && skeleton === account.skeleton);
    return other ? [{ accountName: account.name, otherName: other.name }] : [];
  });
}
