"use server";

import { redirect } from "next/navigation";
import { attempt, issuesOf, readAmount, readValues, refuse } from "@/app/accounts/form-values";
import { askingMember } from "@/app/auth/member";
import { editAccountSchema } from "@/lib/contract/account-fields";
import { accountHref } from "@/lib/contract/account-hrefs";
import type { FormResult } from "@/lib/contract/views/account-page-view";
import { editAccount as edit } from "@/lib/core/ledger/edit-account";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";

/** Saves the account and opens its page; the form again where something is wrong. */
export async function editAccount(
  accountId: string,
  _previous: FormResult | null,
  form: FormData,
): Promise<FormResult | null> {
  const { services } = getRuntime();
  const values = readValues(form);
  const asking = await askingMember();
  if (asking.kind === "REFUSED") return refuse(values, [], asking.message);
  const input = editAccountSchema.safeParse({
    accountId,
    seenUpdatedAt: values.seenUpdatedAt,
    name: values.name,
    description: values.description || null,
    floorInCents: readAmount(values.floor),
    savingsTargetInCents: readAmount(values.savingsTarget),
    linkedAccountId: values.linkedAccountId || null,
  });
  if (!input.success) return refuse(values, issuesOf(input.error.issues), "Load this page again.");
  const refusal = await attempt(values, () =>
    edit(services, memberContext(services, asking.member), input.data),
  );
  return refusal ?? redirect(accountHref(accountId));
}
