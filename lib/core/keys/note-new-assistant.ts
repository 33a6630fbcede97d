import { writeNotice } from "@/lib/core/shared/write-notice";
import type { Queryable } from "@/lib/db/transaction";

/**
 * Every owner and co-owner hears of an assistant that a member connected, that member included: it may have been their
 * browser only, or a page that asked for a consent which they did not mean. In the transaction of connecting.
 * @param assistant `id`: of the connection; `userId`: the member who connected it; `now`: business time
 */
export async function noteNewAssistant(
  client: Queryable,
  assistant: { organizationId: string; id: string; userId: string; now: Date },
): Promise<void> {
  await writeNotice(client, {
    organizationId: assistant.organizationId,
    kind: "ASSISTANT_CONNECTED",
    subjectId: assistant.id,
    userId: null,
    // Of one member: a program that asks one of them again and again hides nothing that another connects.
    toldTogetherBy: assistant.userId,
    now: assistant.now,
  });
}
