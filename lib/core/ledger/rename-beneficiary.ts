import { z } from "zod";
import { newBeneficiarySchema } from "@/lib/contract/beneficiary";
import { requireNewName } from "@/lib/core/ledger/create-beneficiary";
import { lockBeneficiary } from "@/lib/core/ledger/find-beneficiary";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { parseInput } from "@/lib/core/sign-in/person";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const inputSchema = newBeneficiarySchema.pick({ name: true }).extend({ beneficiaryId: z.uuid() });

/**
 * Writes the name of a beneficiary as it is in law now. All of their accounts show it from then on; what was sent before
 * keeps the old one.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for a name that is there
 * already, and where there is no such beneficiary.
 */
export async function renameBeneficiary(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  input: { beneficiaryId: string; name: string },
): Promise<void> {
  const { beneficiaryId, name } = parseInput(inputSchema, input);
  const { organizationId } = context;
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, organizationId);
    await requireDecider(client, context, "rename a beneficiary");
    const before = await lockBeneficiary(client, organizationId, beneficiaryId);
    if (before.name === name) return;
    await requireNewName(client, organizationId, name, beneficiaryId);
    await client.query("update beneficiaries set name = $3 where organization_id = $1 and id = $2", [
      organizationId,
      beneficiaryId,
      name,
    ]);
    await recordChange(client, context, {
      kind: "BENEFICIARY_RENAMED",
      subject: before.name,
      before: before.name,
      after: name,
    });
  });
}
