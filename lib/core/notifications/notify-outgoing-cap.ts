import { type NoticeHandler, settingOf } from "@/lib/core/notifications/notice-handler";
import type { Queryable } from "@/lib/db/transaction";
import { type ChangedOutgoingCap, renderOutgoingCapChanged } from "@/lib/words/messages/outgoing-cap-changed";

const KIND = "OUTGOING_CAP_CHANGED";

/** Changes of the cap on money out, announced to every owner and co-owner, each by itself. */
export const outgoingCapHandler: NoticeHandler = {
  one: async (context, notice) => {
    const { organizationId, subjectId } = notice;
    const [change] = await readChanges(context.client, organizationId, [subjectId], context.appUrl);
    if (!change) return null;
    const rendered = renderOutgoingCapChanged(change, settingOf(context, notice));
    return { kind: KIND, proposalIds: [], exceptUserId: null, ...rendered };
  },
  digest: null,
};

async function readChanges(
  client: Queryable,
  organizationId: string,
  ids: readonly string[],
  appUrl: string,
): Promise<ChangedOutgoingCap[]> {
  const { rows } = await client.query<Omit<ChangedOutgoingCap, "settingsUrl">>({
    name: "read_outgoing_cap_changes",
    text: `select c.value_before::bigint as "beforeInCents", c.value_after::bigint as "afterInCents",
        u.name as "changedBy", c.changed_at as "changedAt"
      from organization_changes c join users u on u.id = c.changed_by
     where c.organization_id = $1 and c.id = any ($2) and c.kind = 'OUTGOING_CAP' order by c.id`,
    values: [organizationId, ids],
  });
  return rows.map((row) => ({ ...row, settingsUrl: `${appUrl}/settings#money-out` }));
}
