import type { Context } from "@/lib/core/shared/context";
import { writeNotice } from "@/lib/core/shared/write-notice";
import type { Queryable } from "@/lib/db/transaction";

/** Every owner and co-owner hears of a key made in the dashboard, its maker included: it may have been their session only. */
export async function noteNewKey(
  client: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  { id }: { id: string },
): Promise<void> {
  await writeNotice(client, {
    organizationId,
    kind: "KEY_CREATED",
    subjectId: id,
    userId: null,
    toldTogetherBy: organizationId,
    now,
  });
}
