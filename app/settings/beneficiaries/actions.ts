"use server";

import { runAsMember } from "@/app/auth/run-as-member";
import { type NewBeneficiary, newBeneficiarySchema } from "@/lib/contract/beneficiary";
import type { AddBeneficiaryResult } from "@/lib/contract/views/beneficiaries-view";
import { createBeneficiary } from "@/lib/core/accounts/create-beneficiary";

/** Adds who may own an account; the verb refuses whoever is neither owner nor co-owner. */
export async function addBeneficiary(input: NewBeneficiary): Promise<AddBeneficiaryResult> {
  return runAsMember(async (services, context) => {
    const parsed = newBeneficiarySchema.safeParse(input);
    if (!parsed.success) {
      const message = `The name ${parsed.error.issues[0]?.message ?? "cannot be read"}.`;
      return { kind: "REFUSED", message, field: "name" };
    }
    await createBeneficiary(services, context, parsed.data);
    return { kind: "DONE" };
  });
}
