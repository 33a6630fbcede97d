import { MAXIMUM_BENEFICIARIES, type NewBeneficiary, newBeneficiarySchema } from "@/lib/contract/beneficiary";
import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/context";
import { lockOrganization } from "@/lib/core/members/lock-organization";
import { parseInput } from "@/lib/core/members/person";
import { requireDecider } from "@/lib/core/members/require-decider";
import { inTransaction, type Queryable } from "@/lib/platform/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Adds somebody who may own an account of this organization. It opens no account and moves nothing.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for a wrong field, a name that
 * is there already, and above MAXIMUM_BENEFICIARIES.
 */
export async function createBeneficiary(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  input: NewBeneficiary,
): Promise<string> {
  const { name, beneficiaryType } = parseInput(newBeneficiarySchema, input);
  const { organizationId, now } = context;
  const id = newId(now);
  await inTransaction(services.pool, async (client) => {
    // Of two that add the same name at the same moment, the second one finds it.
    await lockOrganization(client, organizationId);
    await requireDecider(client, context, "add a beneficiary");
    await requireNew(client, organizationId, name);
    await client.query(
      `insert into beneficiaries (organization_id, id, name, beneficiary_type, created_at)
       values ($1, $2, $3, $4, $5)`,
      [organizationId, id, name, beneficiaryType, now],
    );
  });
  return id;
}

async function requireNew(client: Queryable, organizationId: string, name: string): Promise<void> {
  const { rows } = await client.query<{ count: number; is_there: boolean }>(
    `select count(*)::int as count, coalesce(bool_or(lower(name) = lower($2)), false) as is_there
       from beneficiaries where organization_id = $1`,
    [organizationId, name],
  );
  if (rows[0]?.is_there) {
    const message = "There is a beneficiary of this name already.";
    throw new AppError("INVALID_PARAMETERS", message, [{ field: "name", message }]);
  }
  if ((rows[0]?.count ?? 0) >= MAXIMUM_BENEFICIARIES) {
    throw new AppError(
      "INVALID_PARAMETERS",
      `There are ${MAXIMUM_BENEFICIARIES} beneficiaries, which is the most. Nothing was added.`,
    );
  }
}
