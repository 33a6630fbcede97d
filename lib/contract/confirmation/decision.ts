import { z } from "zod";
import { denialReasonKindSchema } from "@/lib/contract/approvals/denial";
import type { PasskeyRequestOptions } from "@/lib/contract/confirmation/passkeys";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { Refused } from "@/lib/contract/refused";
import { ruleVersionNumber } from "@/lib/contract/rules/trigger";

/** What browsers send as proof that a member is present. Shapes and bounds only: the proof is verified later. */

/** An authenticator's data is a few hundred bytes; an attestation with certificates a few thousand. */
const encoded = z.string().min(1).max(16_384);
const credentialId = z.string().regex(/^[A-Za-z0-9_-]{1,1400}$/, "must be base64url");
const attachment = z.enum(["cross-platform", "platform"]).optional();
/** None are requested, so their results are dropped. */
const extensions: z.ZodType<object> = z.object({});

/** The signed answer of an enrolled passkey. Untrusted until verified on the server. */
export const passkeyAssertionSchema = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  authenticatorAttachment: attachment,
  clientExtensionResults: extensions,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: z.string().max(128).optional(),
  }),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertionSchema>;

/** The signed answer of a passkey being enrolled. Untrusted until verified on the server. */
export const passkeyAttestationSchema = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  authenticatorAttachment: attachment,
  clientExtensionResults: extensions,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    authenticatorData: encoded.optional(),
    transports: z.array(z.string().max(40)).max(10).optional(),
    publicKeyAlgorithm: z.number().optional(),
    publicKey: encoded.optional(),
  }),
});
export type PasskeyAttestation = z.infer<typeof passkeyAttestationSchema>;

/** The member's proof of presence. */
export const confirmationSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("PASSKEY"), response: passkeyAssertionSchema }),
  z.object({
    kind: z.literal("PASSWORD"),
    password: z.string().max(200),
    code: z.string().max(20).optional(),
  }),
  z.object({ kind: z.literal("RECOVERY_CODE"), code: z.string().max(100) }),
  z.object({ kind: z.literal("NONE") }),
]);
export type Confirmation = z.infer<typeof confirmationSchema>;

/** How this member must confirm this decision. The challenge in `options` is bound to the subject and used once. */
export type ConfirmationRequest =
  | { kind: "PASSKEY"; options: PasskeyRequestOptions }
  /** `withCode`: plus a code from their authenticator app. */
  | { kind: "PASSWORD"; withCode: boolean }
  /** Signed in less than 5 minutes ago and without a passkey: no confirmation needed. */
  | { kind: "NONE" };

/** Why, for the program that requested it. The member confirms it with the denial. */
export const denialGivenSchema = z.object({
  kind: denialReasonKindSchema,
  /** At most `DENIAL_TEXT_LIMIT` characters; null: none. */
  text: z.string().max(1_000).nullable(),
  /** For `NOT_NOW`: the day in the organization's zone from which it may ask again. Null for others. */
  notBefore: z.iso.date().nullable(),
});
export type DenialGiven = z.infer<typeof denialGivenSchema>;

/** Identifies what the member saw: an approval counts only for this digest (docs/behavior/approvals.md). Untrusted. */
export const decisionSubjectSchema = z.object({
  proposalId: z.uuid(),
  decision: z.enum(["APPROVE", "DENY"]),
  /** Digest of parties, amount and outcomes of the checks as rendered. Ignored for a denial. */
  digest: z.string().max(8_000),
  /** Of an approval of a transfer: cents, less than proposed, as the digest's page showed; null or absent: all of it. */
  approvedAmountInCents: z.int().min(MINIMUM_TRANSFER_IN_CENTS).nullable().optional(),
  /** Of a denial, for the program; null or absent: none. */
  reason: denialGivenSchema.nullable().optional(),
});
export type DecisionSubject = z.infer<typeof decisionSubjectSchema>;
/** What a member may decide about a proposal. */
export type Decision = DecisionSubject["decision"];

/** One attempt to decide. */
export const decideInputSchema = decisionSubjectSchema.extend({
  /** For members only, at most `DENIAL_NOTE_LIMIT` characters; null when approving. The API never shows it. */
  note: z.string().max(1_000).nullable(),
  confirmation: confirmationSchema,
});
export type DecideInput = z.infer<typeof decideInputSchema>;

/** Outcome of one attempt to decide. Only `DECIDED` and `SIGNED` have changed anything. */
export type DecideResult =
  | { kind: "DECIDED" }
  /** The signature counts, and it still waits for these people; nothing moved. */
  | { kind: "SIGNED"; waitsFor: string }
  | { kind: "ALREADY_DECIDED"; byName: string; decision: "APPROVED" | "DENIED"; at: string }
  /** What the member saw has changed; each change is one sentence. Nothing was decided. */
  | { kind: "CHANGED"; changes: string[] }
  | { kind: "NOT_CONFIRMED"; message: string }
  | { kind: "EXPIRED" }
  | { kind: "WOULD_FAIL"; message: string }
  | Refused;

export type OpenGatesResult = { kind: "OPENED" } | { kind: "NOT_CONFIRMED"; message: string } | Refused;

/** What an owner or co-owner does with a rule, and confirms: from then on it moves money. */
export const ruleActSubjectSchema = z.object({
  act: z.enum(["ACTIVATE", "RESUME"]),
  ruleId: z.uuid(),
  /** The one to activate; otherwise the active one, as shown. */
  version: ruleVersionNumber,
  /** Digest of what was shown of the version to activate; empty for the other acts. */
  digest: z.string().max(200),
});
export type RuleActSubject = z.infer<typeof ruleActSubjectSchema>;
export type RuleAct = RuleActSubject["act"];

/** One attempt. */
export const ruleActInputSchema = ruleActSubjectSchema.extend({ confirmation: confirmationSchema });
export type RuleActInput = z.infer<typeof ruleActInputSchema>;

/** Outcome. Only `DONE` and `SIGNED` have changed anything. */
export type RuleChangeResult =
  | { kind: "DONE" }
  /** The policy asks for others too: the last signature carries it out. */
  | { kind: "SIGNED" }
  /** What the member saw has changed; each change is one sentence. */
  | { kind: "CHANGED"; changes: string[] }
  | { kind: "NOT_CONFIRMED"; message: string }
  | Refused;

/** The version to discard or to stop, as shown. */
export const ruleVersionInputSchema = z.object({ ruleId: z.uuid(), version: ruleVersionNumber });
export type RuleVersionInput = z.infer<typeof ruleVersionInputSchema>;

/** What is confirmed of a run by hand: another version or amount needs another confirmation. */
export interface RunNowSubject {
  ruleId: string;
  version: number;
  incomingAmountInCents: number | null;
  requestId: string;
}
