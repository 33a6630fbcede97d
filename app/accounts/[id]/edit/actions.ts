"use server";

import { redirect } from "next/navigation";
import { ACCOUNT_PROBLEMS, readAmount, readValues } from "@/app/accounts/form-values";
import { readFields, runAsMember } from "@/app/auth/run-as-member";
import { editAccountSchema } from "@/lib/contract/account-fields";
import { accountHref } from "@/lib/contract/account-hrefs";
import type { FormResult } from "@/lib/contract/views/account-page-view";
import { editAccount as edit } from "@/lib/core/ledger/edit-account";

/** Saves the account and opens its page; the form again where something is wrong. */
export async function editAccount(
  accountId: string,
  _previous: FormResult | null,
  form: FormData,
): Promise<FormResult> {
  const values = readValues(form);
  const refused = await runAsMember(
    async (services, context) => {
      const input = readFields(
        editAccountSchema,
        {
          accountId,
          seenUpdatedAt: values.seenUpdatedAt,
          name: values.name,
          description: values.description || null,
          floorInCents: readAmount(values.floor),
          savingsTargetInCents: readAmount(values.savingsTarget),
          linkedAccountId: values.linkedAccountId || null,
        },
        "Load this page again.",
      );
      await edit(services, context, input);
      redirect(accountHref(accountId));
    },
    { toProblem: ACCOUNT_PROBLEMS },
  );
  return { ...refused, values };
}
