"use server";

import { redirect } from "next/navigation";
import { ACCOUNT_PROBLEMS, readAmount, readValues } from "@/app/accounts/form-values";
import { readFields, runAsMember } from "@/app/auth/run-as-member";
import { newAccountSchema } from "@/lib/contract/account-fields";
import { accountHref } from "@/lib/contract/account-hrefs";
import type { FormResult } from "@/lib/contract/views/account-page-view";
import { createAccountAsMember } from "@/lib/core/ledger/create-account";

/** Opens the account and its page; the form again where something is wrong. */
export async function createAccount(_previous: FormResult | null, form: FormData): Promise<FormResult> {
  const values = readValues(form);
  const savingsTargetInCents = values.type === "POD" ? readAmount(values.savingsTarget) : null;
  const refused = await runAsMember(
    async (services, context) => {
      const input = readFields(
        newAccountSchema,
        {
          type: values.type,
          name: values.name,
          description: values.description,
          floorInCents: readAmount(values.floor),
          ...(values.beneficiaryId !== "" && { beneficiaryId: values.beneficiaryId }),
          ...(savingsTargetInCents !== null && { savingsTargetInCents }),
        },
        "Choose a pod or an income source.",
      );
      redirect(accountHref(await createAccountAsMember(services, context, input)));
    },
    { toProblem: ACCOUNT_PROBLEMS },
  );
  return { ...refused, values };
}
