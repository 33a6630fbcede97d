"use server";

import { z } from "zod";
import { readBrowserFacts } from "@/app/auth/browser-cookie";
import { visitorForm } from "@/app/auth/member-action";
import { labeled, refusal, refusedForNow } from "@/app/auth/run-as-member";
import { payeeAccountSchema } from "@/lib/contract/payee";
import { givePayeeAccount } from "@/lib/core/payees/payee-link";
import { getRuntime } from "@/lib/next/runtime";

const toProblem = labeled({
  holderName: "The account holder",
  routingNumber: "The routing number",
  accountNumber: "The account number",
  street: "The street address",
  city: "The city",
  state: "The state",
  postalCode: "The ZIP code",
});

/** The form has the address's fields only where the bank requires one. */
const accountForm = z.unknown().transform((fields): unknown => {
  const { token, holderName, accountKind, routingNumber, accountNumber, ...rest } = Object(fields);
  const { street, city, state, postalCode } = rest;
  const needsAddress = getRuntime().services.bankCapabilities.requiresAddress;
  return {
    token,
    account: {
      holderName,
      accountKind,
      routingNumber,
      accountNumber,
      address: needsAddress ? { street, city, state, postalCode } : null,
    },
  };
});

/** The token is the link's. The answer repeats nothing that was typed. */
export const enterAccount = visitorForm(
  {
    input: accountForm.pipe(z.object({ token: z.string().max(100), account: payeeAccountSchema })),
    // The form's fields have no prefix.
    toProblem: ({ field, message }) => toProblem({ field: field.split(".").at(-1) ?? field, message }),
  },
  async (services, { token, account }) => {
    const { networkAddress } = await readBrowserFacts();
    const result = await givePayeeAccount(services, getRuntime().bank, token, account, networkAddress);
    if (result.kind === "THROTTLED") return refusedForNow(result);
    if (result.kind === "OVER") return refusal("This link no longer works. Ask for a new one.");
    return { kind: "SAID", message: "Received. You can close this page." };
  },
);
