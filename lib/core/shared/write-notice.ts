import type { MessageKind } from "@/lib/contract/notifications";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

export interface NewNotice {
  organizationId: string;
  kind: MessageKind;
  /** A key, a session, a person. */
  subjectId: string;
  /** The one person whom it concerns; null: every owner and co-owner. */
  userId: string | null;
  /** Many of one kind and of this are told together. */
  digestKey: string;
  /** Business time. */
  now: Date;
}

/** Writes what somebody has to be told, in the transaction of what happened: neither exists without the other. */
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
