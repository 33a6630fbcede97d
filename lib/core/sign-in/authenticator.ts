import { Secret, TOTP } from "otpauth";
import { byMemberCode, byMemberCodeDaily, refundAttempt, takeAttempt } from "@/lib/core/shared/throttle";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * An authenticator app (RFC 6238): the six digits that a member adds to their password. A passkey needs none. What every
 * app understands: SHA-1, 6 digits, steps of 30 seconds.
 */

const STEP_SECONDS = 30;
/** Telephones are rarely more than one step off; each step more is another code that a guess may hit. */
const DRIFT_STEPS = 1;

export type CodeServices = Pick<Services, "pool" | "clock" | "authenticatorSecrets">;

/** What a typed code was worth. `RIGHT`: it fits `step`, and was not used up by this. */
export type CheckedCode =
  | { kind: "RIGHT"; step: number }
  | { kind: "WRONG" }
  | { kind: "THROTTLED"; retryAfterSeconds: number };

/** Whether a password of this member asks for a code too. */
export async function hasAuthenticator(database: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "has_authenticator",
    text: "select 1 from authenticators where user_id = $1 and confirmed_at is not null",
    values: [userId],
  });
  return rowCount === 1;
}

/**
 * Looks at a code, counted before it is looked at: five in a quarter of an hour and thirty in a day, so that who stole a
 * password has no chance worth naming. Run it before the transaction that uses the code up (`spendCode`).
 */
export async function checkCode(services: CodeServices, userId: string, typed: string): Promise<CheckedCode> {
  const attempt = await takeAttempt(services, [byMemberCode(userId), byMemberCodeDaily(userId)]);
  if (attempt.kind === "THROTTLED") return attempt;
  const { rows } = await services.pool.query<{ sealed_secret: Buffer }>(
    "select sealed_secret from authenticators where user_id = $1 and confirmed_at is not null",
    [userId],
  );
  const sealed = rows[0]?.sealed_secret;
  const step =
    sealed === undefined
      ? null
      : findStep(services.authenticatorSecrets.decrypt(sealed, userId), typed, services.clock.now());
  if (step === null) return { kind: "WRONG" };
  await refundAttempt(services, attempt);
  return { kind: "RIGHT", step };
}

/**
 * Uses a code up, in the transaction of what it proves: of two with the same code the second one waits here and fails,
 * and so does every code that is older than the last one.
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
 * The step of 30 seconds that a code is of; null: of none near `now`.
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

/** 160 random bits, as RFC 4226 asks for. Base 32. */
export function newAuthenticatorSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What an app reads from the QR code. It holds the secret: it belongs into an answer, never into an address of ours. */
export function authenticatorUri(secret: string, email: string): string {
  return new TOTP({ issuer: "Sluice", label: email, secret: Secret.fromBase32(secret) }).toString();
}
