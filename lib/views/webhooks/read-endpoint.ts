import { z } from "zod";
import { type DeliveryFilter, type EndpointLook, endpointLookHref } from "@/lib/contract/hrefs";
import { mayDecide } from "@/lib/core/shared/permits";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import type { Queryable } from "@/lib/db/transaction";
import type { TimedReading } from "@/lib/views/reading";
import { readEndpointFacts } from "@/lib/views/webhooks/endpoint-facts";
import {
  DELIVERY_COLUMNS,
  type DeliveryRow,
  readAttempts,
  readDelivery,
  toDelivery,
  toDeliveryRow,
} from "@/lib/views/webhooks/read-delivery";

const PAGE_SIZE = 25;
/** Sorts after every event. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export interface ReadEndpointInput {
  endpointId: string;
  filter: DeliveryFilter;
  /** The event whose delivery is open; an unknown one opens nothing. */
  openedEventId: string | null;
  /** Only events before this one. */
  before: string | null;
}

/**
 * Everything that an endpoint's page shows, for any member. However many deliveries there are, it takes the same
 * statements, each reading at most one page of an index.
 * @returns null if the organization has none with this ID, or it was deleted
 */
export async function readEndpoint(
  { services, context, time }: TimedReading,
  setting: Pick<WebhookSetting, "allowsPrivate">,
  { filter, ...input }: ReadEndpointInput,
) {
  const { pool } = services;
  const { organizationId, now } = context;
  const endpointId = uuidOrNull(input.endpointId);
  if (endpointId === null) return null;
  const look: EndpointLook = {
    filter,
    openedEventId: uuidOrNull(input.openedEventId),
    before: uuidOrNull(input.before),
  };
  const opened =
    look.openedEventId === null ? null : { organizationId, endpointId, eventId: look.openedEventId };
  // Order matters: app/settings/webhooks/[id]/_components/delivery-details.tsx refreshes until a pending delivery has ended. If the rest
  // were read first, the page could stay with the delivery done and the endpoint still failing.
  const openedRow = opened && (await readDelivery(pool, opened));
  const [rows, history] = await Promise.all([
    readPage(pool, organizationId, endpointId, look),
    opened && openedRow ? readAttempts(pool, opened) : [],
  ]);
  const [endpoint] = await readEndpointFacts(pool, organizationId, now, endpointId);
  if (!endpoint) return null;
  const isHeld = endpoint.state.kind === "OFF";
  const shown = rows.slice(0, PAGE_SIZE);
  const lookHref = (changed: Partial<EndpointLook>) =>
    endpointLookHref(endpointId, { filter, openedEventId: null, before: null, ...changed });
  const last = shown.at(-1);
  return {
    endpoint,
    filter,
    filterHrefs: { ALL: lookHref({ filter: "ALL" }), FAILING: lookHref({ filter: "FAILING" }) },
    /** Newest first; 25 a page. */
    deliveries: shown.map((row) => toDeliveryRow(row, endpointId, look, isHeld)),
    opened: openedRow && toDelivery(openedRow, history, { endpointId, look, isHeld, now }),
    /** Older ones, by a cursor in the URL. */
    olderHref: rows.length > PAGE_SIZE && last ? lookHref({ before: last.eventId }) : null,
    newestHref: look.before === null ? null : lookHref({}),
    allowsPrivate: setting.allowsPrivate,
    viewer: { canChange: mayDecide(context.actor) },
    time,
  };
}

/** The page of one endpoint. */
export type EndpointView = NonNullable<Awaited<ReturnType<typeof readEndpoint>>>;

/** One page plus one row, newest first. Event IDs sort by creation. */
async function readPage(
  database: Queryable,
  organizationId: string,
  endpointId: string,
  { filter, before }: EndpointLook,
): Promise<DeliveryRow[]> {
  const { rows } = await database.query<DeliveryRow>({
    name: filter === "FAILING" ? "read_failing_deliveries" : "read_deliveries",
    text: `
      select ${DELIVERY_COLUMNS}
        from (${filter === "FAILING" ? FAILING_DELIVERIES : deliveriesThat("true")}) d
        join webhook_events v on v.organization_id = $1 and v.id = d.event_id
       order by d.event_id desc limit $4`,
    values: [organizationId, endpointId, before ?? LAST_ID, PAGE_SIZE + 1],
  });
  return rows;
}

function deliveriesThat(condition: string): string {
  return `(select d.* from webhook_deliveries d
            where d.organization_id = $1 and d.endpoint_id = $2 and d.event_id < $3 and ${condition}
            order by d.event_id desc limit $4)`;
}

/** Each half reads its own range of the partial index. */
const FAILING_DELIVERIES = `
  ${deliveriesThat("d.status = 'DEAD'")} union all ${deliveriesThat("d.status = 'PENDING' and d.attempts > 0")}`;

function uuidOrNull(text: string | null): string | null {
  return z.uuid().safeParse(text).data?.toLowerCase() ?? null;
}
