import { AppError } from "@/lib/contract/error";
import type { Queryable } from "@/lib/db/transaction";

/**
 * The name of a beneficiary that was not removed, locked until the commit: no account that is opened meanwhile names it.
 * @throws AppError `INVALID_PARAMETERS` when there is none of this organization.
 */
export async function lockBeneficiary(
  client: Queryable,
  organizationId: string,
  beneficiaryId: string,
): Promise<{ name: string; isDefault: boolean }> {
  const { rows } = await client.query<{ name: string; is_default: boolean }>(
    `select b.name, o.default_beneficiary_id = b.id as is_default
       from beneficiaries b join organizations o on o.id = b.organization_id
      where b.organization_id = $1 and b.id = $2 and b.removed_at is null for update of b`,
    [organizationId, beneficiaryId],
  );
  const row = rows[0];
  if (!row)
    throw new AppError("INVALID_PARAMETERS", "There is no such beneficiary (any more). Nothing was changed.");
  return { name: row.name, isDefault: row.is_default };
}
