import { spendChallenge } from "@/lib/core/sign-in/challenge";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import type { VerifiedAssertion } from "@/lib/core/sign-in/verify-assertion";
import type { Queryable } from "@/lib/db/transaction";

/**
 * Uses a verified answer up, in the transaction of what it confirms: its challenge, and the counter up to here.
 * @param now real time
 * @throws NotConfirmed when it was used already, when a later answer of the same passkey was, or when the passkey was
 * removed meanwhile. Roll back.
 */
export async function spendAssertion(
  client: Queryable,
  assertion: VerifiedAssertion,
  now: Date,
): Promise<void> {
  if (!(await spendChallenge(client, assertion.challenge, assertion.scope, now))) {
    throw new NotConfirmed("This confirmation was used already. Confirm again.");
  }
  // Verified outside of this transaction, so the counter is compared once more. Synced passkeys stay at zero.
  const { rowCount } = await client.query(
    `update passkeys set counter = $3, last_used_at = $4
      where credential_id = $1 and user_id = $2 and (counter < $3 or (counter = 0 and $3 = 0))`,
    [assertion.credentialId, assertion.userId, assertion.newCounter, now],
  );
  if (rowCount !== 1) throw new NotConfirmed("Your passkey did not work. Nothing was done. Try again.");
}
