import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import type { OutgoingNotice } from "@/lib/core/notifications/queue-messages";
import { settingOf, type Telling } from "@/lib/core/notifications/telling";
import type { Queryable } from "@/lib/db/transaction";
import { MAXIMUM_COUNTED_EVENTS, renderEndpointDisabled } from "@/lib/words/messages/endpoint-disabled";

interface EndpointRow {
  url: string;
  disabled_because: "FAILING" | "GONE" | "MEMBER";
  waiting_count: number;
}

/**
 * An endpoint that was switched off by itself. Each is told by itself: there are at most twenty, and between two times
 * of one somebody has switched it on again.
 */
export async function tellEndpointDisabled(
  telling: Telling,
  notice: DueNotice,
): Promise<OutgoingNotice | null> {
  const row = await readEndpoint(telling.client, notice);
  // Somebody has seen to it meanwhile.
  if (!row || row.disabled_because === "MEMBER") return null;
  const { host, pathname } = new URL(row.url);
  const rendered = renderEndpointDisabled(
    {
      displayUrl: `${host}${pathname}`,
      because: row.disabled_because,
      waitingCount: row.waiting_count,
      endpointUrl: `${telling.appUrl}/settings/webhooks/${notice.subjectId}`,
    },
    settingOf(telling, notice),
  );
  return { kind: "ENDPOINT_DISABLED", proposalIds: [], exceptUserId: null, ...rendered };
}

async function readEndpoint(
  client: Queryable,
  { organizationId, subjectId }: DueNotice,
): Promise<EndpointRow | undefined> {
  const { rows } = await client.query<EndpointRow>({
    name: "read_disabled_endpoint",
    text: `
      select e.url, e.disabled_because, (
          select count(*) from (
            select 1 from webhook_deliveries d
             where d.organization_id = $1 and d.endpoint_id = $2 and d.status = 'PENDING'
             limit ${MAXIMUM_COUNTED_EVENTS}) waiting)::int as waiting_count
        from webhook_endpoints e
       where e.organization_id = $1 and e.id = $2 and e.status = 'DISABLED'`,
    values: [organizationId, subjectId],
  });
  return rows[0];
}
