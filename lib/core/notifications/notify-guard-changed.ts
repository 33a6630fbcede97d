import { writeCents } from "@/lib/contract/format-cents";
import { keysHref } from "@/lib/core/keys/key-facts";
import { type NoticeHandler, settingOf } from "@/lib/core/notifications/notice-handler";
import type { Queryable } from "@/lib/db/transaction";
import { type ChangedGuard, renderGuardChanged } from "@/lib/words/messages/guard-changed";

const KIND = "GUARD_CHANGED";

/** A changed time zone, a raised or removed cap of a key, a loosened cool-off; to every owner and co-owner. */
export const guardChangedHandler: NoticeHandler = {
  one: async (context, notice) => {
    const change = await readChange(context.client, notice.organizationId, notice.subjectId, context.appUrl);
    if (!change) return null;
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderGuardChanged(change, settingOf(context, notice)),
    };
  },
  digest: null,
};

async function readChange(
  client: Queryable,
  organizationId: string,
  id: string,
  appUrl: string,
): Promise<ChangedGuard | null> {
  const { rows } = await client.query<Omit<ChangedGuard, "url">>({
    name: "read_guard_change",
    text: `select c.kind, c.subject, c.value_before as before, c.value_after as after, u.name as "changedBy",
        c.changed_at as "changedAt"
      from organization_changes c join users u on u.id = c.changed_by
     where c.organization_id = $1 and c.id = $2 and c.kind in ('TIME_ZONE', 'KEY_CAP', 'PAYEE_COOL_OFF')`,
    values: [organizationId, id],
  });
  const [row] = rows;
  if (!row) return null;
  const url = `${appUrl}${row.kind === "KEY_CAP" ? keysHref() : "/settings"}`;
  if (row.kind !== "PAYEE_COOL_OFF") return { ...row, url };
  return { ...row, before: coolOffInWords(row.before), after: coolOffInWords(row.after), url };
}

/** `24 hours above $500.00`, of cents and hours as `setPayeeCoolOff` records them. */
function coolOffInWords(recorded: string | null): string {
  const [cents, hours] = (recorded ?? "").split(" ");
  return `${hours} ${hours === "1" ? "hour" : "hours"} above ${writeCents(Number(cents))}`;
}
