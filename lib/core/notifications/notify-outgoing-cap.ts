import { type NoticeHandler, settingOf, subjectsOf } from "@/lib/core/notifications/notice-handler";
import type { Queryable } from "@/lib/db/transaction";
import { MAX_LISTED_LINES, renderDigest } from "@/lib/words/messages/digest";
import {
  type ChangedOutgoingCap,
  outgoingCapHeadline,
  renderOutgoingCapChanged,
} from "@/lib/words/messages/outgoing-cap-changed";

const KIND = "OUTGOING_CAP_CHANGED";

/** Changes of the cap on money out, told to every owner and co-owner; in a digest per organization. */
export const outgoingCapHandler: NoticeHandler = {
  one: async (context, notice) => {
    const { organizationId, subjectId } = notice;
    const [change] = await readChanges(context.client, organizationId, [subjectId], context.appUrl);
    if (!change) return null;
    const rendered = renderOutgoingCapChanged(change, settingOf(context, notice));
    return { kind: KIND, proposalIds: [], exceptUserId: null, ...rendered };
  },

  digest: async (context, notices) => {
    const [first] = notices;
    const { organizationId, ids } = subjectsOf(notices);
    const changes = await readChanges(context.client, organizationId, ids, context.appUrl);
    const [change] = changes;
    if (!first || !change) return null;
    const sentence = "If they were not intended, close all gates.";
    const digest = {
      count: changes.length,
      subject: `${changes.length} more changes of the cap on money out`,
      sentence,
      lines: changes.slice(0, MAX_LISTED_LINES).map(outgoingCapHeadline),
      action: { label: "See the cap", url: change.settingsUrl },
      why: "SECURITY" as const,
      smsSentence: `Sluice: ${changes.length} more changes of the cap on money out. ${sentence}`,
    };
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderDigest(digest, settingOf(context, first)),
    };
  },
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
