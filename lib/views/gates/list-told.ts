import type { MessageChannel } from "@/lib/contract/notifications";
import type { GatesView } from "@/lib/contract/views/gates-view";
import type { ClosedGates } from "@/lib/core/keys/read-closed-gates";
import { maskRecipient } from "@/lib/core/shared/mask-recipient";
import type { Queryable } from "@/lib/db/transaction";

/** Fifty deciders, each by two ways. */
const MAXIMUM_MESSAGES = 100;

const STATUS_WORDS = { QUEUED: "On its way", SENT: "Sent", FAILED: "Could not be sent" } as const;

interface ToldRow {
  channel: MessageChannel;
  name: string;
  recipient: string;
  status: keyof typeof STATUS_WORDS;
  id: string;
}

/** Who was told of a closing, and whether it has left. Phone numbers are masked: every member may read this. */
export async function listTold(
  database: Queryable,
  organizationId: string,
  { closedAt }: ClosedGates,
): Promise<GatesView["told"]> {
  const { rows } = await database.query<ToldRow>({
    name: "list_told_of_closing",
    text: `
      select m.id, m.channel, u.name, m.recipient, m.status
        from messages m join users u on u.id = m.user_id
       where m.organization_id = $1 and m.kind = 'GATES_CLOSED' and m.created_at >= $2 and not m.is_forgotten
       order by m.created_at, m.channel, u.name limit ${MAXIMUM_MESSAGES}`,
    values: [organizationId, closedAt],
  });
  return rows.map(({ id, channel, name, recipient, status }) => ({
    key: id,
    channel,
    text: channel === "EMAIL" ? `Email to ${name}` : `SMS to ${maskRecipient(channel, recipient)}`,
    status: STATUS_WORDS[status],
  }));
}
