import type { Context } from "@/lib/core/shared/context";
import { writeNotice } from "@/lib/core/shared/write-notice";
import type { Queryable } from "@/lib/db/transaction";

/**
 * Announces a change after which more may move, or sooner, to every owner and co-owner, in its transaction; wake
 * SEND_NOTICES after it.
 * @param changeId from `recordChange`
 */
export async function announceGuard(
  client: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  changeId: string,
): Promise<void> {
  await writeNotice(client, {
    organizationId,
    kind: "GUARD_CHANGED",
    subjectId: changeId,
    userId: null,
    digestKey: null,
    now,
  });
}
