import "server-only";
import { formOf } from "@/app/auth/read-input";
import type { ToProblem } from "@/app/auth/run-as-member";
import { parseCents } from "@/lib/contract/format-cents";

/** Longer than any field allows, so that the error still says "too long". */
const LONGEST = 1_000;

const FIELDS = [
  "type",
  "name",
  "description",
  "beneficiaryId",
  "floor",
  "savingsTarget",
  "linkedAccountId",
  "seenUpdatedAt",
] as const;
type AccountFormValues = Record<(typeof FIELDS)[number], string>;

/** A field that the form does not have is empty. */
export function readValues(form: FormData): AccountFormValues {
  const fields = formOf(form);
  const read = (name: string) => {
    const value = fields.get(name);
    return typeof value === "string" ? value.slice(0, LONGEST) : "";
  };
  return {
    type: read("type"),
    name: read("name"),
    description: read("description"),
    beneficiaryId: read("beneficiaryId"),
    floor: read("floor"),
    savingsTarget: read("savingsTarget"),
    linkedAccountId: read("linkedAccountId"),
    seenUpdatedAt: read("seenUpdatedAt"),
  };
}

/** Cents; null for an empty field and for zero, NaN for what is not an amount. */
export function readAmount(text: string): number | null {
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
