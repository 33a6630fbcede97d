import { confirmationSchema } from "@/lib/contract/confirmation";
import type { Confirmation, DecisionSubject } from "@/lib/contract/views/decision";
import type { MemberActor } from "@/lib/core/shared/context";
import { byMember, refundAttempt, takeAttempt } from "@/lib/core/shared/throttle";
import { isFresh } from "@/lib/core/sign-in/begin-confirmation";
import type { ChallengeScope } from "@/lib/core/sign-in/challenge";
import { decisionScope, type VerifiedConfirmation } from "@/lib/core/sign-in/confirmation";
import { hasPasskey } from "@/lib/core/sign-in/has-passkey";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { verifyPassword } from "@/lib/core/sign-in/password";
import { takeCode } from "@/lib/core/sign-in/password-code";
import { hashReadableSecret } from "@/lib/core/sign-in/readable-secret";
import { verifyAssertion } from "@/lib/core/sign-in/verify-assertion";
import type { Services } from "@/lib/platform/services";

/** What verifying a confirmation takes. */
export type ConfirmingServices = Pick<Services, "pool" | "clock" | "appUrl" | "log" | "authenticatorSecrets">;

/**
 * Finds out whether the member themself confirms this decision (decisions page, "Approval"). Run it before the deciding
 * transaction: hashing is slow, and a wrong password must stay counted when that transaction rolls back. It uses
 * nothing up; `spendConfirmation` does, inside the transaction.
 * @throws NotConfirmed with a sentence for the member: not enough, wrong, or too many attempts.
 */
export function verifyConfirmation(
  services: ConfirmingServices,
  actor: MemberActor,
  subject: DecisionSubject,
  confirmation: Confirmation,
): Promise<VerifiedConfirmation> {
  return verifyConfirmationOf(services, actor, decisionScope(actor, subject), confirmation);
}

export async function verifyConfirmationOf(
  services: ConfirmingServices,
  actor: MemberActor,
  scope: ChallengeScope,
  given: Confirmation,
): Promise<VerifiedConfirmation> {
  const confirmation = confirmationSchema.safeParse(given).data;
  if (!confirmation)
    throw new NotConfirmed("This confirmation is not readable. Nothing was done. Try again.");
  const verified = { userId: actor.id, sessionId: actor.sessionId, verifiedAt: services.clock.now() };
  if (confirmation.kind === "PASSKEY") {
    const assertion = await verifyAssertion(services, scope, confirmation.response);
    return { ...verified, method: "PASSKEY", passkeyName: assertion.passkeyName, assertion };
  }
  if (confirmation.kind === "RECOVERY_CODE") {
    const codeHash = await verifyRecoveryCode(services, actor, confirmation.code);
    return { ...verified, method: "RECOVERY_CODE", codeHash };
  }
  // Whoever stole a password must not get around the passkey by choosing the weaker proof.
  await refuseWithPasskey(services, actor);
  if (confirmation.kind === "PASSWORD") {
    await verifyOwnPassword(services, actor, confirmation.password);
    return { ...verified, method: "PASSWORD", code: await verifyOwnCode(services, actor, confirmation.code) };
  }
  if (!isFresh(actor.authenticatedAt, verified.verifiedAt)) {
    throw new NotConfirmed("You signed in more than 5 minutes ago. Confirm with your password.");
  }
  return { ...verified, method: "RECENT_SIGN_IN" };
}

async function refuseWithPasskey(services: ConfirmingServices, actor: MemberActor): Promise<void> {
  if (await hasPasskey(services.pool, actor.id)) {
    throw new NotConfirmed("Confirm with your passkey, or with a recovery code.");
  }
}

async function verifyOwnPassword(
  services: ConfirmingServices,
  actor: MemberActor,
  password: string,
): Promise<void> {
  await throttled(services, actor, "That is not your password. Nothing was done.", async () => {
    const { rows } = await services.pool.query<{ password_hash: string }>(
      "select password_hash from users where id = $1",
      [actor.id],
    );
    return verifyPassword(rows[0]?.password_hash ?? null, password);
  });
}

/** Whoever stole a password must not decide with it where it does not sign them in. */
async function verifyOwnCode(services: ConfirmingServices, actor: MemberActor, typed: string | undefined) {
  const code = await takeCode(services, actor.id, typed);
  if (code.kind === "RIGHT" || code.kind === "NONE") return code;
  if (code.kind === "THROTTLED") throw tooMany(code.retryAfterSeconds);
  throw new NotConfirmed(
    code.kind === "CODE_NEEDED"
      ? "Your password also takes the code of your authenticator app. Nothing was done."
      : "That code of your app is not right, or was used. Nothing was done. Wait for the next one.",
  );
}

async function verifyRecoveryCode(
  services: ConfirmingServices,
  actor: MemberActor,
  code: string,
): Promise<Buffer> {
  const codeHash = hashReadableSecret(code);
  const refusal = "That is not one of your unused recovery codes. Nothing was done.";
  await throttled(services, actor, refusal, async () => {
    const { rowCount } = await services.pool.query(
      "select 1 from recovery_codes where user_id = $1 and code_hash = $2 and used_at is null",
      [actor.id, codeHash],
    );
    return rowCount === 1;
  });
  return codeHash;
}

/** Counts the attempt first, and gives it back when the proof is right. */
async function throttled(
  services: ConfirmingServices,
  actor: MemberActor,
  refusal: string,
  isRight: () => Promise<boolean>,
): Promise<void> {
  const attempt = await takeAttempt(services, [byMember(actor.id)]);
  if (attempt.kind === "THROTTLED") throw tooMany(attempt.retryAfterSeconds);
  if (!(await isRight())) throw new NotConfirmed(refusal);
  await refundAttempt(services, attempt);
}

function tooMany(retryAfterSeconds: number): NotConfirmed {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new NotConfirmed(`Too many attempts. Nothing was done. Try again in ${minutes} min.`);
}
