import { AppError } from "@/lib/contract/error";
import { lockBeneficiary } from "@/lib/core/ledger/find-beneficiary";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Takes a beneficiary off the list: new accounts cannot name them any more. Closed accounts go on naming them.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for the default one, where an
 * open account is theirs, and where there is no such beneficiary.
 */
export async function removeBeneficiary(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  beneficiaryId: string,
): Promise<void> {
  const { organizationId, now } = context;
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, organizationId);
    await requireDecider(client, context, "remove a beneficiary");
    const { name, isDefault } = await lockBeneficiary(client, organizationId, beneficiaryId);
    if (isDefault) {
      throw new AppError(
        "INVALID_PARAMETERS",
        "This is the default for new accounts. Nothing was changed. Make another one the default first.",
      );
    }
    await requireNoOpenAccount(client, organizationId, beneficiaryId);
    await client.query("update beneficiaries set removed_at = $3 where organization_id = $1 and id = $2", [
      organizationId,
      beneficiaryId,
      now,
    ]);
    await recordChange(client, context, {
      kind: "BENEFICIARY_REMOVED",
      subject: name,
      before: null,
      after: null,
    });
  });
}

async function requireNoOpenAccount(
  client: Queryable,
  organizationId: string,
  beneficiaryId: string,
): Promise<void> {
  const { rows } = await client.query<{ name: string; count: number }>(
    `select min(name) as name, count(*)::int as count from accounts
      where organization_id = $1 and beneficiary_id = $2 and deleted_at is null`,
    [organizationId, beneficiaryId],
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  const others = count === 1 ? "" : ` and ${count - 1} more`;
  throw new AppError(
    "INVALID_PARAMETERS",
    `${rows[0]?.name}${others} ${count === 1 ? "is" : "are"} theirs. Nothing was changed. Close ${count === 1 ? "it" : "them"} first.`,
  );
}
