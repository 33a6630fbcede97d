"use server";

import { redirect } from "next/navigation";
import { attempt, issuesOf, readAmount, readValues, refuse } from "@/app/accounts/form-values";
import { askingMember } from "@/app/auth/member";
import { newAccountSchema } from "@/lib/contract/account-fields";
import { accountHref } from "@/lib/contract/account-hrefs";
import type { FormResult } from "@/lib/contract/views/account-page-view";
import { createAccountAsMember } from "@/lib/core/ledger/create-account";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";

/** Opens the account and its page; the form again where something is wrong. */
export async function createAccount(
  _previous: FormResult | null,
  form: FormData,
): Promise<FormResult | null> {
  const { services } = getRuntime();
  const values = readValues(form);
  const asking = await askingMember();
  if (asking.kind === "REFUSED") return refuse(values, [], asking.message);
  const savingsTargetInCents = values.type === "POD" ? readAmount(values.savingsTarget) : null;
  const input = newAccountSchema.safeParse({
    type: values.type,
    name: values.name,
    description: values.description,
    floorInCents: readAmount(values.floor),
    ...(values.beneficiaryId !== "" && { beneficiaryId: values.beneficiaryId }),
    ...(savingsTargetInCents !== null && { savingsTargetInCents }),
  });
  if (!input.success)
    return refuse(values, issuesOf(input.error.issues), "Choose a pod or an income source.");
  let id = "";
  const refusal = await attempt(values, async () => {
    id = await createAccountAsMember(services, memberContext(services, asking.member), input.data);
  });
  return refusal ?? redirect(accountHref(id));
}
