"use server";

import { z } from "zod";
import { readBrowserFacts } from "@/app/auth/browser-cookie";
import { readInput, textOf } from "@/app/auth/read-input";
import { labeled, readFields, refusal, refusedForNow, runAsVisitor } from "@/app/auth/run-as-member";
import type { FormAnswer } from "@/components/parts/sign-in/form-action";
import { payeeAccountSchema } from "@/lib/contract/payee";
import { givePayeeAccount } from "@/lib/core/payees/payee-link";
import { getRuntime } from "@/lib/next/runtime";

const tokenSchema = z.string().max(100);
const toProblem = labeled({
  holderName: "The account holder",
  routingNumber: "The routing number",
  accountNumber: "The account number",
  street: "The street address",
  city: "The city",
  state: "The state",
  postalCode: "The ZIP code",
});
/** A refusal of the bank names the field within the account; the form's fields have no prefix. */
const toFormProblem: typeof toProblem = ({ field, message }) =>
  toProblem({ field: field.split(".").at(-1) ?? field, message });

/** The first argument is the token from the link. The answer repeats nothing that was typed. */
export async function enterAccount(
  token: string,
  _previous: FormAnswer | null,
  form: FormData,
): Promise<FormAnswer> {
  const browser = await readBrowserFacts();
  return runAsVisitor(
    async (services): Promise<FormAnswer> => {
      const account = readFields(payeeAccountSchema, {
        holderName: textOf(form, "holderName"),
        accountKind: textOf(form, "accountKind"),
        routingNumber: textOf(form, "routingNumber"),
        accountNumber: textOf(form, "accountNumber"),
        address: services.bankCapabilities.requiresAddress
          ? {
              street: textOf(form, "street"),
              city: textOf(form, "city"),
              state: textOf(form, "state"),
              postalCode: textOf(form, "postalCode"),
            }
          : null,
      });
      const result = await givePayeeAccount(
        services,
        getRuntime().bank,
        readInput(tokenSchema, token),
        account,
        browser.networkAddress,
      );
      if (result.kind === "THROTTLED") return refusedForNow(result);
      if (result.kind === "OVER") return refusal("This link no longer works. Ask for a new one.");
      return { kind: "SAID", message: "Received. You can close this page." };
    },
    { toProblem: toFormProblem },
  );
}
