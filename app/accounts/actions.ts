"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { ACCOUNT_PROBLEMS, readAmount, readValues } from "@/app/accounts/form-values";
import { readInput } from "@/app/auth/read-input";
import { labeled, readFields, refusal, runAsMember } from "@/app/auth/run-as-member";
import { editAccountSchema, newAccountSchema } from "@/lib/contract/account";
import { accountHref } from "@/lib/contract/hrefs";
import type { Refused } from "@/lib/contract/refused";
import {
  type RegisterAccountInput,
  type RegisterAccountResult,
  registerAccountSchema,
} from "@/lib/contract/register-account";
import { registerAccount as register } from "@/lib/core/connections/register-account";
import { closeAccount as close, reopenAccount as reopen } from "@/lib/core/ledger/close-account";
import { createAccountAsMember } from "@/lib/core/ledger/create-account";
import { editAccount as edit } from "@/lib/core/ledger/edit-account";
import { setOwnBankAccount as setOwn } from "@/lib/core/ledger/own-bank-accounts";
import { getRuntime } from "@/lib/next/runtime";

/** Opens the account and its page; otherwise answers with the problems of its fields. */
export async function createAccount(form: FormData): Promise<Refused> {
  const values = readValues(form);
  const savingsTargetInCents = values.type === "POD" ? readAmount(values.savingsTarget) : null;
  return runAsMember(
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
}

/** Saves the account and opens its page; otherwise answers with the problems of its fields. */
export async function editAccount(accountId: string, form: FormData): Promise<Refused> {
  const values = readValues(form);
  return runAsMember(
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
}

/** Closes the account and opens its page, which says so. */
export async function closeAccount(accountId: string): Promise<Refused> {
  return runAsMember(async (services, context) => {
    const result = await close(services, context, readInput(z.uuid(), accountId));
    if (result.kind === "CLOSED") redirect(accountHref(accountId));
    return refusal(
      "Something changed since this page was loaded, so the account stays open. Load the page again.",
    );
  });
}

export async function reopenAccount(accountId: string): Promise<Refused> {
  return runAsMember(async (services, context) => {
    await reopen(services, context, readInput(z.uuid(), accountId));
    redirect(accountHref(accountId));
  });
}

/** Gives a pod its own account at the bank, or returns its money to the shared one, and opens the pod's page. */
export async function setOwnBankAccount(input: { accountId: string; isWanted: boolean }): Promise<Refused> {
  return runAsMember(async (services, context) => {
    const { accountId, isWanted } = readInput(
      z.object({ accountId: z.uuid(), isWanted: z.boolean() }),
      input,
    );
    await setOwn(services, context, { accountId, isWanted });
    redirect(accountHref(accountId));
  });
}

const REGISTER_LABELS = {
  holderName: "The account holder",
  street: "The street address",
  city: "The city",
  state: "The state",
  postalCode: "The ZIP code",
};
const registerProblem = labeled(REGISTER_LABELS);

/** Registers a connected account at the bank and answers with its page. */
export async function registerAccount(input: RegisterAccountInput): Promise<RegisterAccountResult> {
  return runAsMember(
    async (services, context) => {
      const { accountId, ...rest } = readFields(registerAccountSchema, input, "Load this page again.");
      await register(services, getRuntime(), context, { accountId, ...rest });
      return { kind: "REGISTERED", href: accountHref(accountId) };
    },
    {
      // The form has no fields for the numbers: what the bank says about them is its own sentence.
      toProblem: (detail) =>
        (detail.field.split(".").at(-1) ?? "") in REGISTER_LABELS ? registerProblem(detail) : null,
    },
  );
}
