"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { labeled, readFields, runAsMember } from "@/app/auth/run-as-member";
import type {
  ImportInput,
  ImportResult,
  NewPayeeResult,
  PayeeFileInput,
  PayeeResult,
  PreviewResult,
} from "@/components/parts/payees/payee-actions";
import { payeeHref } from "@/lib/contract/hrefs";
import {
  type ChangePayeeInput,
  type CoolOff,
  callBackNoteSchema,
  changePayeeSchema,
  coolOffSchema,
  MAXIMUM_IMPORT_LENGTH,
  type NewPayeeInput,
  newPayeeSchema,
} from "@/lib/contract/payee";
import { payeeFileMatchSchema } from "@/lib/contract/payees/payee-file";
import {
  confirmPayee as confirm,
  declinePayeeDetails as decline,
  removePayee as remove,
  setPayeeCoolOff as setCoolOff,
} from "@/lib/core/payees/decide-payee";
import { addPayee as add, changePayee as change } from "@/lib/core/payees/give-details";
import { importPayees as importAll, previewPayees as preview } from "@/lib/core/payees/import-payees";
import { sendPayeeLink as sendLink } from "@/lib/core/payees/payee-link";
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
const ofDetailsSchema = z.object({ payeeId: z.uuid(), detailsId: z.uuid() });

export async function addPayee(input: NewPayeeInput): Promise<NewPayeeResult> {
  return runAsMember(
    async (services, context) => {
      readFields(newPayeeSchema, input);
      const id = await add(services, getRuntime().bank, context, input);
      return { kind: "ADDED", href: payeeHref(id) };
    },
    { toProblem },
  );
}

const fileShape = {
  text: z.string().max(MAXIMUM_IMPORT_LENGTH),
  match: payeeFileMatchSchema.nullable().default(null),
};
const TOO_LARGE = "This file is too large. Nothing was added.";

/** Shows what an import would do. Stores nothing. */
export async function previewPayees(input: PayeeFileInput): Promise<PreviewResult> {
  return runAsMember(async (services, context) => {
    const { text, match } = readFields(z.object(fileShape), input, TOO_LARGE);
    return preview(services.pool, getRuntime().bank, context, text, match);
  });
}

export async function importPayees(input: ImportInput): Promise<ImportResult> {
  return runAsMember(async (services, context) => {
    const shape = z.object({ ...fileShape, formId: z.uuid().optional() });
    const { text, ...how } = readFields(shape, input, TOO_LARGE);
    return { kind: "IMPORTED", lines: await importAll(services, getRuntime().bank, context, text, how) };
  });
}

export async function changePayee(input: ChangePayeeInput): Promise<PayeeResult> {
  return runAsMember(
    async (services, context) => {
      readFields(changePayeeSchema, input);
      await change(services, getRuntime().bank, context, input);
      return { kind: "DONE" };
    },
    { toProblem },
  );
}

export async function confirmPayee(input: {
  payeeId: string;
  detailsId: string;
  callBackNote: string | null;
}): Promise<PayeeResult> {
  return runAsMember(
    async (services, context) => {
      const { payeeId, detailsId } = readInput(ofDetailsSchema, input);
      const { callBackNote } = readFields(z.object({ callBackNote: callBackNoteSchema.nullable() }), input);
      await confirm(services, context, { payeeId, detailsId, callBackNote });
      return { kind: "DONE" };
    },
    { toProblem },
  );
}

export async function declinePayee(input: { payeeId: string; detailsId: string }): Promise<PayeeResult> {
  return runAsMember(async (services, context) => {
    await decline(services, context, readInput(ofDetailsSchema, input));
    return { kind: "DONE" };
  });
}

export async function removePayee(input: { payeeId: string }): Promise<PayeeResult> {
  return runAsMember(async (services, context) => {
    await remove(services, context, readInput(z.object({ payeeId: z.uuid() }), input).payeeId);
    return { kind: "DONE" };
  });
}

export async function sendPayeeLink(input: { payeeId: string; email: string }): Promise<PayeeResult> {
  return runAsMember(
    async (services, context) => {
      const given = readInput(z.object({ payeeId: z.uuid(), email: z.string().max(300) }), input);
      await sendLink(services, context, given, { isSandboxBank: getRuntime().isSandbox });
      return { kind: "DONE" };
    },
    { toProblem },
  );
}

export async function setPayeeCoolOff(input: CoolOff): Promise<PayeeResult> {
  return runAsMember(
    async (services, context) => {
      await setCoolOff(services, context, readFields(coolOffSchema, input));
      return { kind: "DONE" };
    },
    { toProblem },
  );
}
