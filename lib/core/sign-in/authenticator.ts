import { Secret, TOTP } from "otpauth";
import { byMemberCode, byMemberCodeDaily, refundAttempt, takeAttempt } from "@/lib/core/shared/throttle";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * An authenticator app (RFC 6238): six digits in addition to the password; a passkey needs none. Parameters that every
 * app supports: SHA-1, 6 digits, steps of 30 seconds.
 */

const STEP_SECONDS = 30;
/** Phones are rarely more than one step off; each additional step adds a valid code that a guess may hit. */
const DRIFT_STEPS = 1;

export type CodeServices = Pick<Services, "pool" | "clock" | "authenticatorSecrets">;

/** The result for a typed code. `RIGHT`: it matches `step`, and is not consumed yet. */
type CheckedCode =
  | { kind: "RIGHT"; step: number }
  | { kind: "WRONG" }
  | { kind: "THROTTLED"; retryAfterSeconds: number };

/** Whether this member's password also requires a code. */
export async function hasAuthenticator(database: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "has_authenticator",
    text: "select 1 from authenticators where user_id = $1 and confirmed_at is not null",
    values: [userId],
  });
  return rowCount === 1;
}

/**
 * Checks a code, counted in advance: five per 15 minutes and thirty per day, so that a stolen password alone has a
 * negligible chance. Run it before the transaction that consumes the code (`spendCode`).
 */
export async function checkCode(services: CodeServices, userId: string, typed: string): Promise<CheckedCode> {
  const attempt = await takeAttempt(services, [byMemberCode(userId), byMemberCodeDaily(userId)]);
  if (attempt.kind === "THROTTLED") return attempt;
  const { rows } = await services.pool.query<{ sealedSecret: Buffer }>(
    `select sealed_secret as "sealedSecret" from authenticators where user_id = $1 and confirmed_at is not null`,
    [userId],
  );
  const encrypted = rows[0]?.sealedSecret;
  const step =
    encrypted === undefined
      ? null
      : findStep(services.authenticatorSecrets.decrypt(encrypted, userId), typed, services.clock.now());
  if (step === null) return { kind: "WRONG" };
  await refundAttempt(services, attempt);
  return { kind: "RIGHT", step };
}

/**
 * Consumes a code, in the transaction of what it confirms: of two uses of one code the second one waits here and fails,
 * as does every code older than the last one.
 */
export async function spendCode(client: Queryable, userId: string, step: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `update authenticators set last_step = $2
      where user_id = $1 and confirmed_at is not null and last_step < $2`,
    [userId, step],
  );
  return rowCount === 1;
}

/**
 * The 30-second step that a code belongs to; null: no step near `now`.
 * @param secret base 32
 * @param now real time
 */
export function findStep(secret: string, typed: string, now: Date): number | null {
  const token = typed.replaceAll(/\s/g, "");
  if (!/^[0-9]{6}$/.test(token)) return null;
  const timestamp = now.getTime();
  const delta = new TOTP({ secret: Secret.fromBase32(secret) }).validate({
    token,
    timestamp,
    window: DRIFT_STEPS,
  });
  return delta === null ? null : Math.floor(timestamp / 1_000 / STEP_SECONDS) + delta;
}

/** 160 random bits, as RFC 4226 recommends. Base 32. */
export function newAuthenticatorSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The content of the QR code. It contains the secret: only for a response, never for a URL of ours. */
export function authenticatorUri(secret: string, email: string): string {
  return new TOTP({ issuer: "Sluice", label: email, secret: Secret.fromBase32(secret) }).toString();
}
