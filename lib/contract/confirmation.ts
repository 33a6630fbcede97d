import { z } from "zod";
import type { Confirmation } from "@/lib/contract/views/decision";
import type { PasskeyAssertion, PasskeyAttestation } from "@/lib/contract/views/passkey";

/** What browsers send as proof that a member is present. Shapes and bounds only: whether it is true is verified later. */

/** An authenticator's data is a few hundred bytes; an attestation with certificates a few thousand. */
const encoded = z.string().min(1).max(16_384);
const credentialId = z.string().regex(/^[A-Za-z0-9_-]{1,1400}$/, "must be base64url");
const attachment = z.enum(["cross-platform", "platform"]).optional();

export const passkeyAssertionSchema = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  authenticatorAttachment: attachment,
  // We ask for no extensions, so whatever comes is dropped.
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

export const confirmationSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("PASSKEY"), response: passkeyAssertionSchema }),
  z.object({
    kind: z.literal("PASSWORD"),
    password: z.string().max(200),
    code: z.string().max(20).optional(),
  }),
  z.object({ kind: z.literal("RECOVERY_CODE"), code: z.string().max(100) }),
  z.object({ kind: z.literal("NONE") }),
]) satisfies z.ZodType<Confirmation>;
