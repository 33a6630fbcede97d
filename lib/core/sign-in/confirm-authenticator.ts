import { AppError } from "@/lib/contract/error";
import type { MemberActor } from "@/lib/core/shared/context";
import { byMember, refundAttempt, takeAttempt } from "@/lib/core/shared/throttle";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { findStep } from "@/lib/core/sign-in/authenticator";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { noteSecondFactor } from "@/lib/core/sign-in/note-second-factor";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { writeRecoveryCodes } from "@/lib/core/sign-in/recovery-codes";
import { tellOfSignInChange } from "@/lib/core/sign-in/tell-of-sign-in-change";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** A secret that was shown longer ago is not taken: whoever looked over a shoulder has had the time. */
const ENROLMENT_LIFETIME_MS = 15 * 60_000;

/**
 * Switches the authenticator app on, with a first code of it: an app that makes wrong ones must not lock its owner out.
 * Who has no recovery codes gets ten, the way back in when the app is lost. The member is told by email.
 * @returns the codes, shown once; null where there are some.
 * @throws NotConfirmed without presence or after too many attempts; AppError `INVALID_PARAMETERS` for a wrong code, or
 * where nothing waits.
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
    await requirePresence(client, actor, now);
    const sealed = await readPending(client, actor.id, now);
    const step = findStep(services.authenticatorSecrets.open(sealed, actor.id), input.code, now);
    if (step === null) {
      const message = "That code does not fit. Enter the one that the app shows now.";
      throw new AppError("INVALID_PARAMETERS", message, [{ field: "code", message }]);
    }
    await client.query("update authenticators set confirmed_at = $2, last_step = $3 where user_id = $1", [
      actor.id,
      now,
      step,
    ]);
    await noteSecondFactor(client, actor);
    await tellOfSignInChange(client, actor, now, "AUTHENTICATOR_ON");
    return (await hasRecoveryCodes(client, actor.id)) ? null : writeRecoveryCodes(client, actor.id, now);
  });
  await refundAttempt(services, attempt);
  services.wake(SEND_MESSAGES);
  return { recoveryCodes };
}

async function readPending(client: Queryable, userId: string, now: Date): Promise<Buffer> {
  const { rows } = await client.query<{ sealed_secret: Buffer }>(
    `select sealed_secret from authenticators
      where user_id = $1 and confirmed_at is null and created_at > $2 for update`,
    [userId, new Date(now.getTime() - ENROLMENT_LIFETIME_MS)],
  );
  const sealed = rows[0]?.sealed_secret;
  if (!sealed)
    throw new AppError("INVALID_PARAMETERS", "This took too long, or was done already. Start again.");
  return sealed;
}

async function hasRecoveryCodes(client: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "select 1 from recovery_codes where user_id = $1 and used_at is null limit 1",
    [userId],
  );
  return rowCount === 1;
}
