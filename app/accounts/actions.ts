"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { ACCOUNT_PROBLEMS, readAmount, readValues } from "@/app/accounts/form-values";
import { readInput } from "@/app/auth/read-input";
import { readFields, refusal, runAsMember } from "@/app/auth/run-as-member";
import { editAccountSchema, newAccountSchema } from "@/lib/contract/account";
import { accountHref } from "@/lib/contract/hrefs";
import type { Refused } from "@/lib/contract/refused";
import type { FormResult } from "@/lib/contract/views/account-page-view";
import { closeAccount as close, reopenAccount as reopen } from "@/lib/core/ledger/close-account";
import { createAccountAsMember } from "@/lib/core/ledger/create-account";
import { editAccount as edit } from "@/lib/core/ledger/edit-account";

/** Opens the account and its page; returns the form with its problems otherwise. */
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

/** Saves the account and opens its page; returns the form with its problems otherwise. */
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
        "Reload this page.",
      );
      await edit(services, context, input);
      redirect(accountHref(accountId));
    },
    { toProblem: ACCOUNT_PROBLEMS },
  );
  return { ...refused, values };
}

/** Closes the account and opens its page, which says so. */
export async function closeAccount(accountId: string, _previous: Refused | null): Promise<Refused> {
  return runAsMember(async (services, context) => {
    const result = await close(services, context, readInput(z.uuid(), accountId));
    if (result.kind === "CLOSED") redirect(accountHref(accountId));
    return refusal(
      "Something changed since this page was loaded, so the account stays open. Load the page again.",
    );
  });
}

export async function reopenAccount(accountId: string, _previous: Refused | null): Promise<Refused> {
  return runAsMember(async (services, context) => {
    await reopen(services, context, readInput(z.uuid(), accountId));
    redirect(accountHref(accountId));
  });
}
