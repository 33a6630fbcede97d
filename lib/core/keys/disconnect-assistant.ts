import { requireDisconnectable } from "@/lib/core/keys/require-disconnectable";
import { endApiKey, type Revocation } from "@/lib/core/keys/revoke-api-key";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Ends the connection of an assistant at once and for good: its tokens are deleted, its waiting proposals denied, and
 * its transfers that have not left cancelled, all in one transaction.
 * @returns null when it had ended before.
 * @throws AppError as `requireDisconnectable`.
 */
export async function disconnectAssistant(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  assistantId: string,
): Promise<Revocation | null> {
  const { organizationId, now, actor } = context;
  return inTransaction(services.pool, async (client) => {
    await requireDisconnectable(client, context, assistantId);
    // Asks again who may, of the roles under its locks.
    return endApiKey(
      client,
      { organizationId, keyId: assistantId, now },
      { because: "MEMBER", userId: actor.id },
    );
  });
}
