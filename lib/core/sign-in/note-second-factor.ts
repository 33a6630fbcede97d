import type { MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

/**
 * In the transaction that adds a passkey or an app: whoever added it has it in their hands, so this session has given a
 * second factor. Their other sessions have not.
 */
export async function noteSecondFactor(
  client: Queryable,
  actor: Pick<MemberActor, "id" | "sessionId">,
): Promise<void> {
  await client.query("update sessions set has_second_factor = true where id = $1 and user_id = $2", [
    actor.sessionId,
    actor.id,
  ]);
}
