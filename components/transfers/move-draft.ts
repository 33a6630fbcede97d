import { ACH_LABEL } from "@/lib/contract/ach-label";
import { formatCents } from "@/lib/contract/format-cents";
import { MAXIMUM_TRANSFER_IN_CENTS, MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { MoveDraft } from "@/lib/contract/move";
import { parseCents } from "@/lib/contract/parse-cents";
import type { MoveAccountView } from "@/lib/contract/views/move-view";

/** What is typed and chosen, as it stands in the fields. */
export interface MoveFields {
  amount: string;
  sourceId: string;
  destinationId: string;
  label: string;
  note: string;
}

/** What is wrong with what is typed; a field that is still empty is not wrong. */
export interface MoveProblems {
  amount: string | null;
  label: string | null;
}

export function problemsOf({ amount, label }: MoveFields): MoveProblems {
  return { amount: amount.trim() === "" ? null : amountProblem(amount), label: labelProblem(label) };
}

function amountProblem(amount: string): string | null {
  const cents = parseCents(amount);
  if (cents === null || cents > MAXIMUM_TRANSFER_IN_CENTS) return "Write the amount like $2,500.00.";
  return cents < MINIMUM_TRANSFER_IN_CENTS ? `At least ${formatCents(MINIMUM_TRANSFER_IN_CENTS)}.` : null;
}

function labelProblem(label: string): string | null {
  return label === "" || ACH_LABEL.test(label) ? null : "Only letters, digits and spaces, at most 10.";
}

/** The draft that the fields make; null while something is missing or wrong. */
export function toDraft(draftId: string, fields: MoveFields): MoveDraft | null {
  const amountInCents = parseCents(fields.amount);
  if (amountInCents === null || amountProblem(fields.amount) !== null) return null;
  if (labelProblem(fields.label) !== null || fields.sourceId === "" || fields.destinationId === "")
    return null;
  return {
    draftId,
    sourceAccountId: fields.sourceId,
    destinationAccountId: fields.destinationId,
    amountInCents,
    achLabel: fields.label.trim() === "" ? null : fields.label,
    note: fields.note.trim() === "" ? null : fields.note.trim(),
  };
}

/** Where money from this source can go: not back into itself, and not from outside to outside. */
export function destinationsOf(accounts: readonly MoveAccountView[], sourceId: string): MoveAccountView[] {
  const source = accounts.find(({ id }) => id === sourceId);
  return accounts.filter(({ id, isOutside }) => id !== sourceId && !(source?.isOutside && isOutside));
}
