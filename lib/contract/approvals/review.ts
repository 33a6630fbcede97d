import { z } from "zod";

/** What a member means to do with a proposal of a review. It decides nothing until they confirm at its end. */
export const reviewMarkSchema = z.enum(["APPROVE", "DENY", "SKIPPED"]);
export type ReviewMark = z.infer<typeof reviewMarkSchema>;

export const markInputSchema = z.object({
  proposalId: z.uuid(),
  /** Null takes the mark back. */
  mark: reviewMarkSchema.nullable(),
  /** The digest of what the page showed. */
  digest: z.string().max(8_000),
});
export type MarkInput = z.infer<typeof markInputSchema>;
