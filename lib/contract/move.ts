import { z } from "zod";
import { type ConfirmationRequest, confirmationSchema } from "@/lib/contract/confirmation/decision";
import {
  ACH_LABEL,
  MAXIMUM_REASON_FOR_APPROVAL_LENGTH,
  MAXIMUM_TRANSFER_IN_CENTS,
  MINIMUM_TRANSFER_IN_CENTS,
} from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";
import type { Refused } from "@/lib/contract/refused";

/** Done already: this draft was confirmed before. Under a policy it may wait for other people's signatures. */
export type MoveDone = { kind: "MOVED"; href: string };

/** This draft moved something else before, so it moves nothing more. */
export type MoveUsed = { kind: "USED"; message: string; href: string };

export type BeginMoveResult = { kind: "BEGUN"; request: ConfirmationRequest } | MoveDone | MoveUsed | Refused;

/** Outcome of one attempt. Only `MOVED` has changed anything. */
export type MoveResult =
  | MoveDone
  | MoveUsed
  /** What the member saw has changed; each change is one sentence. Nothing moved. */
  | { kind: "CHANGED"; changes: string[] }
  | Refused;

/** A transfer that a member is about to make, as sent by a browser. Not stored. */
export const moveDraftSchema = z.strictObject({
  /** Identifies this draft: confirmed twice, it moves once. */
  draftId: z.uuid().toLowerCase(),
  sourceAccountId: z.uuid().toLowerCase(),
  destinationAccountId: z.uuid().toLowerCase(),
  amountInCents: z.int().min(MINIMUM_TRANSFER_IN_CENTS).max(MAXIMUM_TRANSFER_IN_CENTS),
  achLabel: z.string().regex(ACH_LABEL, "must be 1 to 10 letters, digits or spaces").nullable(),
  /** For the team; the bank never sees it. */
  note: plainText(MAXIMUM_REASON_FOR_APPROVAL_LENGTH).min(1).nullable(),
});
export type MoveDraft = z.infer<typeof moveDraftSchema>;

/** What is confirmed: this draft, as shown under this digest. */
export const moveSubjectSchema = moveDraftSchema.extend({ digest: z.string().max(8_000) });
export type MoveSubject = z.infer<typeof moveSubjectSchema>;

export const moveInputSchema = moveSubjectSchema.extend({
  confirmation: confirmationSchema,
});
export type MoveInput = z.infer<typeof moveInputSchema>;
