import { randomBytes } from "node:crypto";

const SECRET_BYTES = 32;
const HINT_LENGTH = 4;

/** A new signing secret. Its whole text, prefix included, is the key of the signature. */
export function makeSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

/** The last characters, by which a person tells secrets apart. */
export function secretHint(secret: string): string {
  return secret.slice(-HINT_LENGTH);
}

/** Whose a sealed secret is (platform/seal): bytes copied to another endpoint do not open there. */
export function secretContext(organizationId: string, endpointId: string): string {
  return `${organizationId}/${endpointId}`;
}
