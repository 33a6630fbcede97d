import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * rawBody: the bytes as they came, not a re-serialized object. header: X-Service-Signature.
 * Where this is false, answer 400 and do nothing. Drop an X-Service-Event-Id that you have handled.
 */
export function isGenuine(
  rawBody: Uint8Array,
  header: string | null | undefined,
  secret: string,
  clock = Date.now,
): boolean {
  const [, t, v1] = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? "") ?? [];
  if (!t || !v1) return false;
  const ageSeconds = Math.floor(clock() / 1000) - Number(t);
  const expected = createHmac("sha256", secret).update(`${t}.`).update(rawBody).digest();
  return Math.abs(ageSeconds) <= 300 && timingSafeEqual(expected, Buffer.from(v1, "hex"));
}
