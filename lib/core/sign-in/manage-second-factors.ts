import { encode } from "uqr";
import type { NewAuthenticatorView } from "@/lib/contract/confirmation/passkeys";
import { AppError } from "@/lib/contract/error";
import type { MemberActor } from "@/lib/core/shared/context";
import { byMember, refundAttempt, takeAttempt } from "@/lib/core/shared/throttle";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import {
  authenticatorUri,
  findStep,
  hasAuthenticator,
  newAuthenticatorSecret,
} from "@/lib/core/sign-in/authenticator";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { noteSignInChange } from "@/lib/core/sign-in/note-sign-in-change";
import { checkPresence, requirePresence } from "@/lib/core/sign-in/presence";
import { dropUselessCodes, writeRecoveryCodes } from "@/lib/core/sign-in/recovery-codes";
import { hasPasskey, keepAskedFactor, noteSecondFactor } from "@/lib/core/sign-in/second-factors";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Creates a secret for an authenticator app, replacing one that was shown but never confirmed. It takes effect with the
 * first code (`confirmAuthenticator`). The secret is shown only in this response.
 * @throws NotConfirmed without presence; AppError `INVALID_PARAMETERS` where an app is already set up.
 */
export function beginAuthenticator(
  services: Pick<Services, "pool" | "clock" | "authenticatorSecrets">,
  actor: MemberActor,
): Promise<NewAuthenticatorView> {
  const now = services.clock.now();
  const secret = newAuthenticatorSecret();
  return inTransaction(services.pool, async (client) => {
    await client.query("select 1 from users where id = $1 for no key update", [actor.id]);
    // Consumed with the first code, which belongs to the same act.
    await checkPresence(client, actor, now, "ADD_AUTHENTICATOR");
    const { rowCount } = await client.query(
      `insert into authenticators as a (user_id, sealed_secret, created_at) values ($1, $2, $3)
       on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
         where a.confirmed_at is null`,
      [actor.id, services.authenticatorSecrets.encrypt(secret, actor.id), now],
    );
    if (rowCount !== 1) throw new AppError("INVALID_PARAMETERS", "An authenticator app is already set up.");
    return { secret, qr: qrOf(authenticatorUri(secret, actor.email)) };
  });
}

/** A QR code as one path over a square of `size` units, margin included, rendered here so that pages load no encoder. */
function qrOf(text: string): NewAuthenticatorView["qr"] {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return { size, path };
}

/** A secret shown longer ago is rejected: someone may have copied it from the screen. */
const ENROLLMENT_LIFETIME_MS = 15 * 60_000;

/**
 * Activates the authenticator app with its first code, so that an app with a wrong setup cannot lock its owner out. A
 * member without recovery codes gets ten, in case the app is lost. The member is notified by email.
 * @returns the codes, shown once; null where there are some.
 * @throws NotConfirmed without presence or after too many attempts; AppError `INVALID_PARAMETERS` for a wrong code, or
 * where no setup is pending.
 */
export async function confirmAuthenticator(
  services: Pick<Services, "pool" | "clock" | "authenticatorSecrets" | "wake">,
  actor: MemberActor,
  input: { code: string },
): Promise<{ recoveryCodes: string[] | null }> {
  const now = services.clock.now();
  const attempt = await takeAttempt(services, [byMember(actor.id)]);
  if (attempt.kind === "THROTTLED") {
    const minutes = Math.ceil(attempt.retryAfterSeconds / 60);
    throw new NotConfirmed(`Too many attempts. Nothing was changed. Try again in ${minutes} min.`);
  }
  const recoveryCodes = await inTransaction(services.pool, async (client) => {
    await client.query("select 1 from users where id = $1 for no key update", [actor.id]);
    await requirePresence(client, actor, now, "ADD_AUTHENTICATOR");
    const encrypted = await readPending(client, actor.id, now);
    const step = findStep(services.authenticatorSecrets.decrypt(encrypted, actor.id), input.code, now);
    if (step === null) {
      const message = "This code is wrong. Enter the code that the app shows now.";
      throw new AppError("INVALID_PARAMETERS", message, [{ field: "code", message }]);
    }
    await client.query("update authenticators set confirmed_at = $2, last_step = $3 where user_id = $1", [
      actor.id,
      now,
      step,
    ]);
    await noteSecondFactor(client, actor);
    await noteSignInChange(client, actor, now, "AUTHENTICATOR_ON");
    return (await hasRecoveryCodes(client, actor.id)) ? null : writeRecoveryCodes(client, actor.id, now);
  });
  await refundAttempt(services, attempt);
  services.wake(SEND_MESSAGES);
  return { recoveryCodes };
}

async function readPending(client: Queryable, userId: string, now: Date): Promise<Buffer> {
  const { rows } = await client.query<{ sealedSecret: Buffer }>(
    `select sealed_secret as "sealedSecret" from authenticators
      where user_id = $1 and confirmed_at is null and created_at > $2 for update`,
    [userId, new Date(now.getTime() - ENROLLMENT_LIFETIME_MS)],
  );
  const encrypted = rows[0]?.sealedSecret;
  if (!encrypted)
    throw new AppError("INVALID_PARAMETERS", "This setup has expired or is already complete. Start again.");
  return encrypted;
}

async function hasRecoveryCodes(client: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "select 1 from recovery_codes where user_id = $1 and used_at is null limit 1",
    [userId],
  );
  return rowCount === 1;
}

/**
 * Removes the authenticator app: the password alone signs in again. Recovery codes go with it if there is no passkey
 * either. The member is notified by email.
 * @throws NotConfirmed without presence; AppError `INVALID_PARAMETERS` where there is none, and where it is their last
 * second factor and an organization requires one.
 */
export async function removeAuthenticator(
  services: Pick<Services, "pool" | "clock" | "wake">,
  actor: MemberActor,
): Promise<void> {
  const now = services.clock.now();
  await inTransaction(services.pool, async (client) => {
    await client.query("select 1 from users where id = $1 for no key update", [actor.id]);
    await requirePresence(client, actor, now, "REMOVE_AUTHENTICATOR");
    const { rowCount } = await client.query(
      "delete from authenticators where user_id = $1 and confirmed_at is not null",
      [actor.id],
    );
    if (rowCount !== 1) throw new AppError("INVALID_PARAMETERS", "No authenticator app is set up.");
    await keepAskedFactor(client, actor.id);
    await dropUselessCodes(client, actor.id);
    await noteSignInChange(client, actor, now, "AUTHENTICATOR_OFF");
  });
  services.wake(SEND_MESSAGES);
}

/**
 * Creates ten new recovery codes and invalidates the old ones.
 * @returns the codes, shown once.
 * @throws NotConfirmed without presence; AppError `INVALID_PARAMETERS` without a passkey or app that they could replace.
 */
export function makeRecoveryCodes(
  services: Pick<Services, "pool" | "clock">,
  actor: MemberActor,
): Promise<string[]> {
  const now = services.clock.now();
  return inTransaction(services.pool, async (client) => {
    await client.query("select 1 from users where id = $1 for no key update", [actor.id]);
    await requirePresence(client, actor, now, "MAKE_RECOVERY_CODES");
    if (!(await hasPasskey(client, actor.id)) && !(await hasAuthenticator(client, actor.id)))
      throw new AppError(
        "INVALID_PARAMETERS",
        "Add a passkey or an authenticator app first: recovery codes replace a lost one.",
      );
    return writeRecoveryCodes(client, actor.id, now);
  });
}
