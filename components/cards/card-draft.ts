import { type IssueCardInput, issueCardSchema } from "@/lib/contract/card";
import { type CardType, cardTypeSchema } from "@/lib/contract/card-transaction";
import { parseCents } from "@/lib/contract/parse-cents";

/** What is filled in so far, as it stands in the fields. */
export interface CardDraft {
  cardType: CardType;
  name: string;
  accountId: string;
  /** Empty: nobody in particular. */
  holderId: string;
  /** Empty: no limit of its own. */
  limit: string;
}

export type CardField = keyof CardDraft;
export type CardProblems = Partial<Record<CardField, string>>;

const SHOWN: Record<string, { field: CardField; label: string }> = {
  name: { field: "name", label: "The name" },
  accountId: { field: "accountId", label: "The pod" },
  holderId: { field: "holderId", label: "Who carries it" },
  monthlyLimitInCents: { field: "limit", label: "The limit" },
};

/** A choice of the select, or what was chosen before it. */
export function readCardType(text: string, before: CardType): CardType {
  return cardTypeSchema.safeParse(text).data ?? before;
}

/** What to send, or what is wrong with which field, in words. */
export function readDraft(
  draft: CardDraft,
): { kind: "READY"; input: IssueCardInput } | { kind: "PROBLEMS"; problems: CardProblems } {
  const input = {
    cardType: draft.cardType,
    name: draft.name,
    accountId: draft.accountId,
    holderId: draft.holderId === "" ? null : draft.holderId,
    monthlyLimitInCents: draft.limit.trim() === "" ? null : (parseCents(draft.limit) ?? Number.NaN),
  };
  const parsed = issueCardSchema.safeParse(input);
  if (parsed.success) return { kind: "READY", input: parsed.data };
  const problems: CardProblems = {};
  for (const { path, message } of parsed.error.issues) {
    const shown = SHOWN[path.join(".")];
    if (!shown) continue;
    const words = shown.field === "limit" ? "must be an amount like 500.00, at least 1.00" : message;
    problems[shown.field] ??= `${shown.label} ${words}.`;
  }
  return { kind: "PROBLEMS", problems };
}
