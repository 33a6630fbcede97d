"use server";

import { z } from "zod";
import { ACCOUNT_PROBLEMS, editAccountForm, newAccountForm } from "@/app/accounts/form-values";
import { memberAction } from "@/app/auth/member-action";
import { openAfterwards } from "@/app/auth/open-afterwards";
import { labeled, refusal } from "@/app/auth/run-as-member";
import { accountHref } from "@/lib/contract/hrefs";
import { registerAccountSchema } from "@/lib/contract/register-account";
import { registerAccount as register } from "@/lib/core/connections/register-account";
import { closeAccount as close, reopenAccount as reopen } from "@/lib/core/ledger/close-account";
import { createAccountAsMember } from "@/lib/core/ledger/create-account";
import { editAccount as edit } from "@/lib/core/ledger/edit-account";
import { setOwnBankAccount as setOwn } from "@/lib/core/ledger/own-bank-accounts";
import { getRuntime } from "@/lib/next/runtime";

const ofAccount = z.object({ accountId: z.uuid() });

/** Opens the account and its page; otherwise answers with the problems of its fields. */
export const createAccount = memberAction(
  {
    may: "DECIDERS",
    input: newAccountForm,
    toProblem: ACCOUNT_PROBLEMS,
    otherwise: "Choose a pod or an income source.",
  },
  async ({ services, context }, account) => {
    openAfterwards(accountHref(await createAccountAsMember(services, context, account)));
  },
);

/** Saves the account and opens its page, or that of a lower floor that others have to sign; otherwise answers with the problems of its fields. */
export const editAccount = memberAction(
  { may: "DECIDERS", input: editAccountForm, toProblem: ACCOUNT_PROBLEMS, otherwise: "Reload this page." },
  async ({ services, context }, account) => {
    const saved = await edit(services, context, account);
    openAfterwards(saved.kind === "ASKED" ? saved.href : accountHref(account.accountId));
  },
);

/** Closes the account and opens its page, which says so. */
export const closeAccount = memberAction(
  { may: "DECIDERS", input: ofAccount },
  async ({ services, context }, { accountId }) => {
    const result = await close(services, context, accountId);
    if (result.kind === "CLOSED") openAfterwards(accountHref(accountId));
    return refusal(
      "Something changed since this page was loaded, so the account stays open. Load the page again.",
    );
  },
);

export const reopenAccount = memberAction(
  { may: "DECIDERS", input: ofAccount },
  async ({ services, context }, { accountId }) => {
    await reopen(services, context, accountId);
    openAfterwards(accountHref(accountId));
  },
);

/** Gives a pod its own account at the bank, or returns its money to the shared one, and opens the pod's page. */
export const setOwnBankAccount = memberAction(
  { may: "DECIDERS", input: ofAccount.extend({ isWanted: z.boolean() }) },
  async ({ services, context }, input) => {
    await setOwn(services, context, input);
    openAfterwards(accountHref(input.accountId));
  },
);

const REGISTER_LABELS = {
  holderName: "The account holder",
  street: "The street address",
  city: "The city",
  state: "The state",
  postalCode: "The ZIP code",
};
const registerProblem = labeled(REGISTER_LABELS);

/** Registers a connected account at the bank and answers with its page. */
export const registerAccount = memberAction(
  {
    may: "DECIDERS",
    input: registerAccountSchema,
    // The form has no fields for the numbers: what the bank says about them is its own sentence.
    toProblem: (detail) =>
      (detail.field.split(".").at(-1) ?? "") in REGISTER_LABELS ? registerProblem(detail) : null,
    otherwise: "Load this page again.",
  },
  async ({ services, context }, input) => {
    await register(services, getRuntime(), context, input);
    return { kind: "REGISTERED", href: accountHref(input.accountId) };
  },
);
