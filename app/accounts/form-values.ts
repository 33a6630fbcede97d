import "server-only";
import { formOf } from "@/app/auth/read-input";
import { AppError, type ErrorDetail } from "@/lib/contract/error";

import { parseCents } from "@/lib/contract/parse-cents";
import type { FormResult } from "@/lib/contract/views/account-page-view";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { runGuarded } from "@/lib/next/run-guarded";

/** Longer than any field takes, so that what is too long is still told so, and no more is kept. */
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
export type AccountFormValues = Record<(typeof FIELDS)[number], string>;

/** What was typed; a field that the form does not have is empty. */
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

/** Cents, or null for an empty field and for zero: neither keeps anything back. NaN: not an amount. */
export function readAmount(text: string): number | null {
  if (text.trim() === "") return null;
  const cents = parseCents(text);
  if (cents === null) return Number.NaN;
  return cents === 0 ? null : cents;
}

/** The name of each field of the schemas as the form shows it, and the input that it belongs to. */
const SHOWN: Record<string, { input: string; label: string }> = {
  name: { input: "name", label: "The name" },
  description: { input: "description", label: "The description" },
  beneficiaryId: { input: "beneficiaryId", label: "The owner" },
  floorInCents: { input: "floor", label: "The floor" },
  savingsTargetInCents: { input: "savingsTarget", label: "The target" },
  linkedAccountId: { input: "linkedAccountId", label: "The debt" },
};

/** Schema problems in words: `The name must not be blank.` A verb's own sentences stay as they are. */
export function refuse(
  values: AccountFormValues,
  details: readonly ErrorDetail[],
  message: string,
): FormResult {
  const problems: Record<string, string> = {};
  for (const { field, message: problem } of details) {
    const shown = SHOWN[field];
    if (!shown) continue;
    const isAmount = problem.includes("cents") || problem.includes("cent");
    const words = isAmount ? "must be an amount like 8,000.00" : problem;
    problems[shown.input] ??= /^[a-z]/.test(words) ? `${shown.label} ${words}.` : words;
  }
  return { problems, message: Object.keys(problems).length > 0 ? null : message, values };
}

/** Runs a verb; null when it did what was asked, else what the form then says. */
export async function attempt(
  values: AccountFormValues,
  run: () => Promise<void>,
): Promise<FormResult | null> {
  const result = await runGuarded(async () => {
    try {
      await run();
      return { kind: "DONE" as const };
    } catch (error) {
      if (error instanceof AppError) return { kind: "REFUSED" as const, error };
      if (error instanceof NotConfirmed) return { kind: "NOT_CONFIRMED" as const, message: error.message };
      throw error;
    }
  });
  if (result.kind === "DONE") return null;
  if (result.kind === "NOT_CONFIRMED")
    return { problems: {}, message: result.message, values, needsProof: true };
  if (result.kind === "REFUSED") return refuse(values, result.error.details, result.error.message);
  return { problems: {}, message: `${result.message} Request ${result.requestId}.`, values };
}

/** The issues of a schema as details. */
export function issuesOf(issues: readonly { path: PropertyKey[]; message: string }[]): ErrorDetail[] {
  return issues.map((issue) => ({ field: issue.path.join("."), message: issue.message }));
}
