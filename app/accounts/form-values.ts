import "server-only";
import { z } from "zod";
import { formFields } from "@/app/auth/member-action";
import type { ToProblem } from "@/app/auth/run-as-member";
import { editAccountSchema, newAccountSchema } from "@/lib/contract/account";
import { parseCents } from "@/lib/contract/format-cents";

/** Longer than any field allows, so that the error still says "too long". */
const LONGEST = 1_000;

/** A field that the form does not have is empty. */
const text = z
  .string()
  .transform((typed) => typed.slice(0, LONGEST))
  .default("");

const values = z.object({
  accountId: text,
  type: text,
  name: text,
  description: text,
  beneficiaryId: text,
  floor: text,
  savingsTarget: text,
  linkedAccountId: text,
  seenUpdatedAt: text,
});

export const newAccountForm = formFields(
  values
    .transform(({ type, name, description, floor, beneficiaryId, savingsTarget }): unknown => {
      const savingsTargetInCents = type === "POD" ? readAmount(savingsTarget) : null;
      return {
        type,
        name,
        description,
        floorInCents: readAmount(floor),
        ...(beneficiaryId !== "" && { beneficiaryId }),
        ...(savingsTargetInCents !== null && { savingsTargetInCents }),
      };
    })
    .pipe(newAccountSchema),
);

export const editAccountForm = formFields(
  values
    .transform(({ accountId, seenUpdatedAt, name, description, floor, savingsTarget, linkedAccountId }) => ({
      accountId,
      seenUpdatedAt,
      name,
      description: description || null,
      floorInCents: readAmount(floor),
      savingsTargetInCents: readAmount(savingsTarget),
      linkedAccountId: linkedAccountId || null,
    }))
    .pipe(editAccountSchema),
);

/** Cents; null for an empty field and for zero, NaN for what is not an amount. */
function readAmount(text: string): number | null {
  if (text.trim() === "") return null;
  const cents = parseCents(text);
  if (cents === null) return Number.NaN;
  return cents === 0 ? null : cents;
}

/** The input and the label of each field of the schemas. */
const SHOWN: Record<string, { input: string; label: string }> = {
  name: { input: "name", label: "The name" },
  description: { input: "description", label: "The description" },
  beneficiaryId: { input: "beneficiaryId", label: "The owner" },
  floorInCents: { input: "floor", label: "The floor" },
  savingsTargetInCents: { input: "savingsTarget", label: "The target" },
  linkedAccountId: { input: "linkedAccountId", label: "The debt" },
};

/** `The name must not be blank.`, beside the input of the field; a command's own sentences stay as they are. */
export const ACCOUNT_PROBLEMS: ToProblem = ({ field, message }) => {
  const shown = SHOWN[field];
  if (!shown) return null;
  const words = /cents?/.test(message) ? "must be an amount like 8,000.00" : message;
  return { field: shown.input, problem: /^[a-z]/.test(words) ? `${shown.label} ${words}.` : words };
};
