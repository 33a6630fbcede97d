import { z } from "zod";
import { confirmationSchema } from "@/lib/contract/confirmation/decision";
import type { NothingSigned } from "@/lib/contract/confirmation/signing";
import { mandateTermsSchema } from "@/lib/contract/mandates/mandate";

export const mandateIdSchema = z.strictObject({ id: z.uuid() });

/** What a member writes for a key. */
export const mandateWriteInputSchema = z.strictObject({ apiKeyId: z.uuid(), terms: mandateTermsSchema });
export type MandateWriteInput = z.output<typeof mandateWriteInputSchema>;

/** Other terms for one that waits, as it was shown. */
export const mandateNarrowInputSchema = z.strictObject({
  id: z.uuid(),
  revision: z.int().min(1),
  terms: mandateTermsSchema,
});
export type MandateNarrowInput = z.output<typeof mandateNarrowInputSchema>;

/** The mandate as it was shown. */
export const mandateSignSubjectSchema = z.strictObject({
  id: z.uuid(),
  /** Binds terms, revision, key, the versions of payees and the policy in force. */
  hash: z.string().max(100),
});
export type MandateSignSubject = z.output<typeof mandateSignSubjectSchema>;

export const mandateSignInputSchema = mandateSignSubjectSchema.extend({ confirmation: confirmationSchema });
export type MandateSignInput = z.output<typeof mandateSignInputSchema>;

/** Outcome. Only the first two have changed anything. */
export type MandateSignResult =
  /** Others have to sign, too. */
  { kind: "SIGNED" } | { kind: "IN_FORCE" } | NothingSigned;
