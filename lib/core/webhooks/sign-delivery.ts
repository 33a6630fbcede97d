import { createHmac, randomBytes } from "node:crypto";

interface DeliverySignature {
  /** Value of `X-Service-Signature`. */
  header: string;
  /** First eight hex digits of `v1`, for people to compare. */
  start: string;
}

/**
 * Signs one attempt: HMAC-SHA256, keyed with the endpoint's secret, over `<t>.<body>` (specification, Part 6). Every
 * attempt has a new signature, because receivers reject a `t` older than five minutes.
 * @param at real time, whatever the organization's clock says
 */
export function signDelivery(secret: string, body: string, at: Date): DeliverySignature {
  const t = Math.floor(at.getTime() / 1_000);
  const v1 = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
  return { header: `t=${t},v1=${v1}`, start: v1.slice(0, 8) };
}

const SECRET_BYTES = 32;
const HINT_LENGTH = 4;

/** The whole text, prefix included, is the key of the signature. */
export function makeSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

/** The last characters, by which people distinguish secrets. */
export function secretHint(secret: string): string {
  return secret.slice(-HINT_LENGTH);
}

/** The context of an encrypted secret (platform/encryption): bytes copied to another endpoint do not decrypt there. */
export function secretContext(organizationId: string, endpointId: string): string {
  return `${organizationId}/${endpointId}`;
}
