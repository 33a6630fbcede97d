import { endpointHref } from "@/lib/contract/hrefs";
import { type HandlersOf, noticeKind, type Reading } from "@/lib/core/notifications/notice-kind";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

interface DisabledEndpoint {
  id: string;
  /** Without scheme, query and fragment, which may hold a secret: `hooks.northwind.example/sluice`. */
  displayUrl: string;
  because: "FAILING" | "GONE";
  /** Waiting events, counted up to MAXIMUM_COUNTED. */
  waitingCount: number;
}

/** Events are counted up to this; beyond it the message says "or more". */
const MAXIMUM_COUNTED = 1_000;

/** Without those that a member has dealt with since. */
async function readDisabled({ client, organizationId, ids }: Reading): Promise<DisabledEndpoint[]> {
  const { rows } = await client.query<Omit<DisabledEndpoint, "displayUrl"> & { url: string }>({
    name: "read_disabled_endpoint",
    text: `
      select e.id, e.url, e.disabled_because as because, (
          select count(*) from (
            select 1 from webhook_deliveries d
             where d.organization_id = $1 and d.endpoint_id = e.id and d.status = 'PENDING'
             limit ${MAXIMUM_COUNTED}) waiting)::int as "waitingCount"
        from webhook_endpoints e
       where e.organization_id = $1 and e.id = any ($2) and e.status = 'DISABLED' and e.disabled_because <> 'MEMBER'`,
    values: [organizationId, ids],
  });
  return rows.map(({ url, ...row }) => {
    const { host, pathname } = new URL(url);
    return { ...row, displayUrl: `${host}${pathname}` };
  });
}

/** An endpoint was switched off: it failed for five days, or answered 410. */
export const endpointDisabled = noticeKind({
  kind: "ENDPOINT_DISABLED",
  read: readDisabled,
  say: {
    headline: "A webhook endpoint was switched off",
    lines: ({ displayUrl, because, waitingCount }) => [
      `Events to ${isolatedName(displayUrl)} are no longer sent. ${because === "GONE" ? "It answered 410 Gone, so it wants no more events." : "Every attempt to reach it failed for five days."}`,
      waitingWords(waitingCount),
    ],
    action: ({ id }) => ({ label: "Open the endpoint", href: endpointHref(id) }),
    note: "It stays off until an owner or co-owner switches it on again.",
    sms: ({ because }) =>
      `a webhook endpoint was switched off, because ${because === "GONE" ? "it answered 410" : "it failed for five days"}.`,
    // At most 20 endpoints exist, and each needs a person to switch it on before it can fail again.
    digest: null,
  },
});

function waitingWords(count: number): string {
  if (count === 0) return "No event waits at the moment. Those to come wait until it is switched on again.";
  const events =
    count >= MAXIMUM_COUNTED
      ? `${MAXIMUM_COUNTED} events or more wait`
      : `${count} ${count === 1 ? "event waits" : "events wait"}`;
  return `${events}, and so do those to come. They are sent when it is switched on again, if that is within 30 days.`;
}

export const endpointNotices: HandlersOf<"ENDPOINTS"> = { ENDPOINT_DISABLED: endpointDisabled };
