import type { NoticeKind } from "@/lib/contract/notifications";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

interface NewNotice {
  organizationId: string;
  kind: NoticeKind;
  /** A key, a session, a person. */
  subjectId: string;
  /** The only recipient; null: every owner and co-owner. */
  userId: string | null;
  /**
   * Deferred notices of one kind with the same key become one digest; null for what changes where money can go, which is
   * never deferred: a flood of other notices must not bury it.
   */
  digestKey: string | null;
  /** Business time. */
  now: Date;
}

/** Queues a notice in the transaction of its event, so that neither exists without the other. */
export async function writeNotice(client: Queryable, notice: NewNotice): Promise<void> {
  await client.query({
    name: "write_notice",
    text: `insert into notices (organization_id, id, kind, subject_id, user_id, api_key_id, created_at, due_at)
           values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    values: [
      notice.organizationId,
      newId(notice.now),
      notice.kind,
      notice.subjectId,
      notice.userId,
      notice.digestKey,
      notice.now,
    ],
  });
}
