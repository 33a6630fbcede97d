import { AppError } from "@/lib/contract/error";
import type { MemberActor } from "@/lib/core/shared/context";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { noteSignInChange } from "@/lib/core/sign-in/note-sign-in-change";
import { hashPassword, newPasswordSchema } from "@/lib/core/sign-in/password";
import { checkPresence, requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Changes the member's password and signs them out everywhere else: someone who knew the old one may be signed in with
 * it. Notifies them by email.
 * @throws NotConfirmed without presence; AppError `INVALID_PARAMETERS` for a password that is too short or too long.
 */
export async function changePassword(
  services: Pick<Services, "pool" | "clock" | "wake">,
  actor: MemberActor,
  input: { password: string },
): Promise<void> {
  const parsed = newPasswordSchema.safeParse(input.password);
  if (!parsed.success) {
    const message = `The password ${parsed.error.issues[0]?.message ?? "cannot be read"}.`;
    throw new AppError("INVALID_PARAMETERS", message, [{ field: "password", message }]);
  }
  const now = services.clock.now();
  // Checked here too: hashing is expensive, and must not be available without confirmation.
  await checkPresence(services.pool, actor, now, "CHANGE_PASSWORD");
  const passwordHash = await hashPassword(parsed.data);
  await inTransaction(services.pool, async (client) => {
    await client.query("update users set password_hash = $2, password_changed_at = $3 where id = $1", [
      actor.id,
      passwordHash,
      now,
    ]);
    await requirePresence(client, actor, now, "CHANGE_PASSWORD");
    await client.query(
      "update sessions set revoked_at = $3 where user_id = $1 and id <> $2 and revoked_at is null",
      [actor.id, actor.sessionId, now],
    );
    await noteSignInChange(client, actor, now, "PASSWORD");
  });
  services.wake(SEND_MESSAGES);
}
