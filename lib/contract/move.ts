import { z } from "zod";
import { confirmationSchema } from "@/lib/contract/confirmation/decision";
import {
  ACH_LABEL,
  MAXIMUM_REASON_FOR_APPROVAL_LENGTH,
  MAXIMUM_TRANSFER_IN_CENTS,
  MINIMUM_TRANSFER_IN_CENTS,
} from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";
import type { Confirmation } from "@/lib/contract/views/decision";

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
}) satisfies z.ZodType<MoveInput>;
export type MoveInput = MoveSubject & { confirmation: Confirmation };
