import type { ConfirmationMethod, VerifiedConfirmation } from "@/lib/core/sign-in/confirmation";
import { hasPasskey } from "@/lib/core/sign-in/has-passkey";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { spendTakenCode } from "@/lib/core/sign-in/password-code";
import { spendAssertion } from "@/lib/core/sign-in/spend-assertion";
import type { Queryable } from "@/lib/db/transaction";

/**
 * Uses a verified confirmation up, in the transaction of what it confirms; of any number of rivals one succeeds. Call
 * it before other locks are taken: it locks session, challenge and passkey, in this order, everywhere.
 * @returns what is stored with the decision.
 * @throws NotConfirmed when it was used already, or no longer holds (session ended, passkey enrolled or removed).
 * Roll back.
 */
export async function spendConfirmation(
  client: Queryable,
  verified: VerifiedConfirmation,
): Promise<{ method: ConfirmationMethod; passkeyName: string | null }> {
  await requireSession(client, verified);
  if (verified.method === "PASSKEY") {
    await spendAssertion(client, verified.assertion, verified.verifiedAt);
    return { method: "PASSKEY", passkeyName: verified.passkeyName };
  }
  if (verified.method === "RECOVERY_CODE") await spendRecoveryCode(client, verified, verified.codeHash);
  else await requireNoPasskey(client, verified);
  if (verified.method === "PASSWORD" && !(await spendTakenCode(client, verified.userId, verified.code))) {
    throw new NotConfirmed(
      "That code of your app was used already. Nothing was done. Wait for the next one.",
    );
  }
  return { method: verified.method, passkeyName: null };
}

/** A session that is ended meanwhile decides nothing, and ending it waits for a decision that is being written. */
async function requireSession(client: Queryable, { sessionId, userId }: VerifiedConfirmation): Promise<void> {
  const { rowCount } = await client.query(
    "select 1 from sessions where id = $1 and user_id = $2 and revoked_at is null for share",
    [sessionId, userId],
  );
  if (rowCount !== 1) throw new NotConfirmed("You were signed out. Nothing was done. Sign in again.");
}

async function spendRecoveryCode(
  client: Queryable,
  { userId, verifiedAt }: VerifiedConfirmation,
  codeHash: Buffer,
): Promise<void> {
  const { rowCount } = await client.query(
    "update recovery_codes set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null",
    [userId, codeHash, verifiedAt],
  );
  if (rowCount !== 1) throw new NotConfirmed("This recovery code was used already. Use another one.");
}

async function requireNoPasskey(client: Queryable, { userId }: VerifiedConfirmation): Promise<void> {
  if (await hasPasskey(client, userId))
    throw new NotConfirmed("Confirm with your passkey, or with a recovery code.");
}
