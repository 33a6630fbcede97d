import { MAXIMUM_BENEFICIARIES, type NewBeneficiary, newBeneficiarySchema } from "@/lib/contract/beneficiary";
import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { parseInput } from "@/lib/core/sign-in/person";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
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
    await requireNewName(client, organizationId, name);
    await requireRoom(client, organizationId);
    await client.query(
      `insert into beneficiaries (organization_id, id, name, beneficiary_type, created_at)
       values ($1, $2, $3, $4, $5)`,
      [organizationId, id, name, beneficiaryType, now],
    );
  });
  return id;
}

/** @throws AppError `INVALID_PARAMETERS` where somebody else has this name; under `lockOrganization` it stays so. */
export async function requireNewName(
  client: Queryable,
  organizationId: string,
  name: string,
  exceptId: string | null = null,
): Promise<void> {
  const { rowCount } = await client.query(
    `select 1 from beneficiaries where organization_id = $1 and lower(name) = lower($2) and removed_at is null
        and id is distinct from $3::uuid limit 1`,
    [organizationId, name, exceptId],
  );
  if (rowCount === 0) return;
  const message = "There is a beneficiary of this name already.";
  throw new AppError("INVALID_PARAMETERS", message, [{ field: "name", message }]);
}

async function requireRoom(client: Queryable, organizationId: string): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from beneficiaries where organization_id = $1 and removed_at is null",
    [organizationId],
  );
  if ((rows[0]?.count ?? 0) < MAXIMUM_BENEFICIARIES) return;
  throw new AppError(
    "INVALID_PARAMETERS",
    `There are ${MAXIMUM_BENEFICIARIES} beneficiaries, which is the most. Nothing was added.`,
  );
}
