import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * The secret of a rule's hook: `sluice_hook_` and 192 random bits. The prefix lets secret scanners find a leaked one,
 * and keeps it apart from an API key.
 */
const PREFIX = "sluice_hook_";
const RANDOM_BYTES = 24;
const PATTERN = /^sluice_hook_[0-9a-f]{48}$/;

export function newHookSecret(): string {
  return `${PREFIX}${randomBytes(RANDOM_BYTES).toString("hex")}`;
}

/** Whether a text can be a hook's secret at all. */
export function isHookSecret(text: string): boolean {
  return PATTERN.test(text);
}

/** What is stored instead of it, SHA-256: with its random bits a slow hash would protect nothing. */
export function hashHookSecret(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Takes as long for a wrong secret as for the right one, and for a rule without a hook (null) too. */
export function isSecretOf(hash: Buffer, stored: Buffer | null): boolean {
  return timingSafeEqual(hash, stored ?? Buffer.alloc(hash.length)) && stored !== null;
}
