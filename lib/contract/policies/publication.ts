import { z } from "zod";
import { confirmationSchema } from "@/lib/contract/confirmation/decision";
import type { NothingSigned } from "@/lib/contract/confirmation/signing";
import { policySchema } from "@/lib/contract/policies/policy";

/** In an organization; a version is written within seconds, so this is a lifetime of them. */
export const MAXIMUM_POLICY_VERSION = 1_000_000;
const version = z.int().min(1).max(MAXIMUM_POLICY_VERSION);

/** A change of the one draft, as the editor last read it. */
export const policyDraftSchema = z.strictObject({
  /** Null: there was no draft, so this begins one. */
  version: version.nullable(),
  /** Of the draft that was changed; a save of an older one is refused. */
  revision: z.int().min(1).nullable(),
  policy: policySchema,
});
export type PolicyDraft = z.infer<typeof policyDraftSchema>;

/** The version as it was shown. */
export const policySignSubjectSchema = z.strictObject({
  version,
  /** Binds version, text and the version in force. */
  hash: z.string().max(100),
});
export type PolicySignSubject = z.infer<typeof policySignSubjectSchema>;

export const policySignInputSchema = policySignSubjectSchema.extend({ confirmation: confirmationSchema });
export type PolicySignInput = z.infer<typeof policySignInputSchema>;

export const policyVersionInputSchema = z.strictObject({ version });

/** Outcome. Only the first three have changed anything. */
export type PolicySignResult =
  | { kind: "SIGNED" }
  /** The requester does not count, so the others were asked and nothing was signed. */
  | { kind: "ASKED" }
  | { kind: "PUBLISHED" }
  | NothingSigned;
