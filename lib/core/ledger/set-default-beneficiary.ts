import { lockBeneficiary } from "@/lib/core/ledger/find-beneficiary";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Says whose a new account is where nobody else is named, also one that a key opens. Accounts that exist stay whose they
 * are.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` where there is no such
 * beneficiary.
 */
export async function setDefaultBeneficiary(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  beneficiaryId: string,
): Promise<void> {
  const { organizationId } = context;
  await inTransaction(services.pool, async (client) => {
    // Of this and a removal at the same moment, the second one finds what the first one did.
    await lockOrganization(client, organizationId);
    await requireDecider(client, context, "change the default beneficiary");
    const { name, isDefault } = await lockBeneficiary(client, organizationId, beneficiaryId);
    if (isDefault) return;
    const { rows } = await client.query<{ name: string }>(
      `select b.name from organizations o
         join beneficiaries b on b.organization_id = o.id and b.id = o.default_beneficiary_id where o.id = $1`,
      [organizationId],
    );
    await client.query("update organizations set default_beneficiary_id = $2 where id = $1", [
      organizationId,
      beneficiaryId,
    ]);
    await recordChange(client, context, {
      kind: "DEFAULT_BENEFICIARY",
      subject: null,
      before: rows[0]?.name ?? null,
      after: name,
    });
  });
}
