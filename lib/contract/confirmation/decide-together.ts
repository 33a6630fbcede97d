import { z } from "zod";
import {
  confirmationSchema,
  type DecideResult,
  decisionSubjectSchema,
  denialGivenSchema,
} from "@/lib/contract/confirmation/decision";
import { MAXIMUM_DECIDED_TOGETHER } from "@/lib/contract/limits";
import type { Refused } from "@/lib/contract/refused";

/** One of several decisions: all that was proposed, or nothing. */
const oneOfSeveralSchema = decisionSubjectSchema.omit({ approvedAmountInCents: true }).extend({
  /** Of a denial, for the program; null: none. */
  reason: denialGivenSchema.nullable(),
  /** Of a denial, for members only; null: none. */
  note: z.string().max(1_000).nullable(),
});
export type OneOfSeveral = z.infer<typeof oneOfSeveralSchema>;

/** Decisions that one confirmation confirms, each about another proposal, in their order. Untrusted. */
export const decisionsSchema = z.object({
  decisions: z.array(oneOfSeveralSchema).min(1).max(MAXIMUM_DECIDED_TOGETHER),
});
export type Decisions = z.infer<typeof decisionsSchema>;

/** One attempt to decide them. */
export const decideTogetherInputSchema = decisionsSchema.extend({ confirmation: confirmationSchema });
export type DecideTogetherInput = z.infer<typeof decideTogetherInputSchema>;

/** What became of one of them: each is decided by itself, so some may have changed or ended since. */
export interface OneOutcome {
  proposalId: string;
  result: Exclude<DecideResult, { kind: "NOT_CONFIRMED" }>;
}

export type DecideTogetherResult =
  /** In the order given, one for each. */
  { kind: "DECIDED_TOGETHER"; outcomes: OneOutcome[] } | { kind: "NOT_CONFIRMED"; message: string } | Refused;
