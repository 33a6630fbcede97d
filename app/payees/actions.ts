"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { labeled } from "@/app/auth/run-as-member";
import { payeeHref } from "@/lib/contract/hrefs";
import {
  changePayeeSchema,
  coolOffSchema,
  MAXIMUM_IMPORT_LENGTH,
  newPayeeSchema,
} from "@/lib/contract/payee";
import { payeeFileMatchSchema } from "@/lib/contract/payees/payee-file";
import {
  confirmPayee as confirm,
  confirmPayeeSchema,
  declinePayeeDetails as decline,
  removePayee as remove,
} from "@/lib/core/payees/decide-payee";
import { addPayee as add, changePayee as change } from "@/lib/core/payees/give-details";
import { importPayees as importAll, previewPayees as preview } from "@/lib/core/payees/import-payees";
import { newPayeeLinkSchema, sendPayeeLink as sendLink } from "@/lib/core/payees/payee-link";
import { setPayeeCoolOff as setCoolOff } from "@/lib/core/payees/set-cool-off";
import { getRuntime } from "@/lib/next/runtime";

const toProblem = labeled({
  name: "The name",
  email: "The address",
  holderName: "The account holder",
  routingNumber: "The routing number",
  accountNumber: "The account number",
  street: "The street address",
  city: "The city",
  state: "The state",
  postalCode: "The ZIP code",
  callBackNote: "The note",
  aboveInCents: "The amount",
  hours: "The time",
});
const ofPayee = z.object({ payeeId: z.uuid() });
const ofDetails = ofPayee.extend({ detailsId: z.uuid() });

export const addPayee = memberAction(
  { may: "DECIDERS", input: newPayeeSchema, toProblem },
  async ({ services, context }, payee) => ({
    kind: "ADDED",
    href: payeeHref(await add(services, getRuntime().bank, context, payee)),
  }),
);

const file = z.object({
  text: z.string().max(MAXIMUM_IMPORT_LENGTH),
  match: payeeFileMatchSchema.nullable().default(null),
});
const otherwise = "This file is too large. Nothing was added.";

/** Shows what an import would do. Stores nothing. */
export const previewPayees = memberAction(
  { may: "DECIDERS", input: file, otherwise },
  ({ services, context }, { text, match }) => preview(services.pool, getRuntime().bank, context, text, match),
);

export const importPayees = memberAction(
  { may: "DECIDERS", input: file.extend({ formId: z.uuid().optional() }), otherwise },
  async ({ services, context }, { text, ...how }) => ({
    kind: "IMPORTED",
    lines: await importAll(services, getRuntime().bank, context, text, how),
  }),
);

export const changePayee = memberAction(
  { may: "DECIDERS", input: changePayeeSchema, toProblem },
  ({ services, context }, payee) => change(services, getRuntime().bank, context, payee),
);

export const confirmPayee = memberAction(
  { may: "DECIDERS", input: confirmPayeeSchema, toProblem },
  ({ services, context }, input) => confirm(services, context, input),
);

export const declinePayee = memberAction(
  { may: "DECIDERS", input: ofDetails },
  ({ services, context }, input) => decline(services, context, input),
);

export const removePayee = memberAction(
  { may: "DECIDERS", input: ofPayee },
  ({ services, context }, { payeeId }) => remove(services, context, payeeId),
);

export const sendPayeeLink = memberAction(
  { may: "DECIDERS", input: newPayeeLinkSchema, toProblem },
  ({ services, context }, input) =>
    sendLink(services, context, input, { isSandboxBank: getRuntime().isSandbox }),
);

export const setPayeeCoolOff = memberAction(
  { may: "DECIDERS", input: coolOffSchema, toProblem },
  ({ services, context }, input) => setCoolOff(services, context, input),
);
