import { z } from "zod";
import { ruleVersionNumber } from "@/lib/contract/rules/trigger";
import type {
  Confirmation,
  DecideInput,
  DecisionSubject,
  PasskeyAssertion,
  PasskeyAttestation,
} from "@/lib/contract/views/decision";
import type { RuleActInput, RuleActSubject, RuleVersionInput } from "@/lib/contract/views/rule-view";

/** What browsers send as proof that a member is present. Shapes and bounds only: the proof is verified later. */

/** An authenticator's data is a few hundred bytes; an attestation with certificates a few thousand. */
const encoded = z.string().min(1).max(16_384);
const credentialId = z.string().regex(/^[A-Za-z0-9_-]{1,1400}$/, "must be base64url");
const attachment = z.enum(["cross-platform", "platform"]).optional();

export const passkeyAssertionSchema = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  authenticatorAttachment: attachment,
  // No extensions are requested, so their results are dropped.
  clientExtensionResults: z.object({}),
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: z.string().max(128).optional(),
  }),
}) satisfies z.ZodType<PasskeyAssertion>;

export const passkeyAttestationSchema = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  authenticatorAttachment: attachment,
  clientExtensionResults: z.object({}),
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    authenticatorData: encoded.optional(),
    transports: z.array(z.string().max(40)).max(10).optional(),
    publicKeyAlgorithm: z.number().optional(),
    publicKey: encoded.optional(),
  }),
}) satisfies z.ZodType<PasskeyAttestation>;

export const confirmationSchema: z.ZodType<Confirmation, Confirmation> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("PASSKEY"), response: passkeyAssertionSchema }),
  z.object({
    kind: z.literal("PASSWORD"),
    password: z.string().max(200),
    code: z.string().max(20).optional(),
  }),
  z.object({ kind: z.literal("RECOVERY_CODE"), code: z.string().max(100) }),
  z.object({ kind: z.literal("NONE") }),
]);

/** What a browser sends with a decision. Untrusted. */
export const decisionSubjectSchema = z.object({
  proposalId: z.uuid(),
  decision: z.enum(["APPROVE", "DENY"]),
  digest: z.string().max(8_000),
}) satisfies z.ZodType<DecisionSubject>;

export const decideInputSchema = decisionSubjectSchema.extend({
  note: z.string().max(1_000).nullable(),
  confirmation: confirmationSchema,
}) satisfies z.ZodType<DecideInput>;

/** What a browser sends from a rule's page. Shapes and bounds only. */

const subjectShape = {
  act: z.enum(["ACTIVATE", "RESUME"]),
  ruleId: z.uuid(),
  version: ruleVersionNumber,
  digest: z.string().max(200),
};

export const ruleActSubjectSchema = z.object(subjectShape) satisfies z.ZodType<RuleActSubject>;

export const ruleActInputSchema = z.object({
  ...subjectShape,
  confirmation: confirmationSchema,
}) satisfies z.ZodType<RuleActInput>;

export const ruleVersionInputSchema = z.object({
  ruleId: z.uuid(),
  version: ruleVersionNumber,
}) satisfies z.ZodType<RuleVersionInput>;
