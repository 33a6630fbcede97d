import { z } from "zod";
import { endpointHref } from "@/lib/contract/hrefs";
import { MAXIMUM_ENDPOINTS } from "@/lib/contract/limits";
import { askedEventTypeSchema, deliveryProblemSchema } from "@/lib/contract/webhooks";
import { mayDecide } from "@/lib/core/shared/permits";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import type { Queryable } from "@/lib/db/transaction";
import type { TimedReading } from "@/lib/views/reading";

/** State of an endpoint. */
export type EndpointStateView =
  /** Nothing sent yet. */
  | { kind: "NEW" }
  | { kind: "RECEIVING" }
  /** Every attempt since then failed. */
  | { kind: "FAILING"; since: string; disablesAt: string }
  | { kind: "OFF"; at: string; because: "FAILING" | "GONE" | "MEMBER"; byName: string | null };

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Without success for this long, an endpoint is disabled (`note_endpoint_health`). */
const DISABLED_AFTER_MS = 5 * DAY_MS;
const COUNTED = 1_000;
/** How many of the latest due deliveries are searched for untried ones: a dead receiver may have any number. */
const LOOKED_AT = 20_000;

const rowSchema = z.object({
  id: z.string(),
  url: z.string(),
  secretHint: z.string(),
  status: z.enum(["ENABLED", "DISABLED"]),
  askedEvents: z.array(askedEventTypeSchema),
  createdAt: z.date(),
  createdByName: z.string().nullable(),
  disabledAt: z.date().nullable(),
  disabledBecause: z.enum(["FAILING", "GONE", "MEMBER"]).nullable(),
  disabledByName: z.string().nullable(),
  failingSince: z.date().nullable(),
  lastAttemptAt: z.date().nullable(),
  lastSuccessAt: z.date().nullable(),
  oldId: z.string().nullable(),
  oldHint: z.string().nullable(),
  newId: z.string().nullable(),
  newHint: z.string().nullable(),
  days: z.array(
    z.object({
      /** ISO date. */
      day: z.string(),
      delivered: z.number(),
      gaveUp: z.number(),
      failedAttempts: z.number(),
    }),
  ),
  retrying: z.number(),
  waiting: z.number(),
  dead: z.number(),
  lastFailure: z.object({ statusCode: z.number().nullable(), problem: deliveryProblemSchema }).nullable(),
});
type FactsRow = z.infer<typeof rowSchema>;

/**
 * The facts of one endpoint, or of all in order of creation. Days are the organization's. The cost does not depend on
 * the number of deliveries: counts stop at 1,000, and days are counted when attempts are recorded.
 * @param now business time
 */
export async function readEndpointFacts(
  database: Queryable,
  organizationId: string,
  now: Date,
  endpointId: string | null = null,
) {
  const { rows } = await database.query({
    name: "read_endpoint_facts",
    text: READ_FACTS,
    values: [organizationId, endpointId, now],
  });
  return rows.map((row) => toFacts(rowSchema.parse(row)));
}

const OF_ENDPOINT = "d.organization_id = $1 and d.endpoint_id = e.id";

/** One range of the partial index. */
function newestThat(condition: string): string {
  return `(select d.event_id, d.last_status_code, d.last_problem from webhook_deliveries d
            where ${OF_ENDPOINT} and ${condition} order by d.event_id desc limit 1)`;
}

// Ordered like the index, so that the planner does not read and filter another one.
const READ_FACTS = `
  select e.id, e.url, e.secret_hint as "secretHint", e.status,
      e.asked_events as "askedEvents", e.created_at as "createdAt", maker.name as "createdByName",
      e.disabled_at as "disabledAt", e.disabled_because as "disabledBecause", switcher.name as "disabledByName",
      e.failing_since as "failingSince", e.last_attempt_at as "lastAttemptAt", e.last_success_at as "lastSuccessAt",
      old.id as "oldId", old.secret_hint as "oldHint", new.id as "newId", new.secret_hint as "newHint",
      (select json_agg(json_build_object('day', c.day::text, 'delivered', coalesce(d.delivered, 0),
            'gaveUp', coalesce(d.gave_up, 0), 'failedAttempts', coalesce(d.failed_attempts, 0)) order by c.day)
         from (select today.day - back as day from generate_series(0, ${DAYS - 1}) as back) c
         left join webhook_days d on ${OF_ENDPOINT} and d.day > today.day - ${DAYS} and d.day = c.day) as days,
      (select count(*)::int from (
         select from webhook_deliveries d
          where ${OF_ENDPOINT} and d.status = 'PENDING' and d.attempts > 0
          order by d.event_id desc limit ${COUNTED}) counted) as retrying,
      (select least(count(*) filter (where looked_at.attempts = 0), ${COUNTED})::int from (
         select d.attempts from webhook_deliveries d
          where ${OF_ENDPOINT} and d.status = 'PENDING' and d.due_at <= $3
          order by d.due_at desc, d.event_id desc limit ${LOOKED_AT}) looked_at) as waiting,
      (select count(*)::int from (
         select from webhook_deliveries d where ${OF_ENDPOINT} and d.status = 'DEAD'
          order by d.event_id desc limit ${COUNTED}) counted) as dead,
      (select json_build_object('statusCode', failed.last_status_code, 'problem', failed.last_problem)
         from (${newestThat("d.status = 'PENDING' and d.attempts > 0")}
               union all ${newestThat("d.status = 'DEAD'")}) failed
        where failed.last_problem is not null order by failed.event_id desc limit 1) as "lastFailure"
    from webhook_endpoints e
    join organizations o on o.id = e.organization_id
    cross join lateral (select ($3::timestamptz at time zone o.time_zone)::date as day) today
    left join users maker on maker.id = e.created_by
    left join users switcher on switcher.id = e.disabled_by
    left join webhook_endpoints old
      on old.organization_id = $1 and old.id = e.replaces_id and old.status <> 'DELETED'
    left join webhook_endpoints new
      on new.organization_id = $1 and new.replaces_id = e.id and new.status <> 'DELETED'
   where e.organization_id = $1 and e.status <> 'DELETED' and ($2::uuid is null or e.id = $2)
   order by e.id limit ${MAXIMUM_ENDPOINTS}`;

function toFacts(row: FactsRow) {
  return {
    id: row.id,
    href: endpointHref(row.id),
    url: row.url,
    /** Without its scheme, for titles: `hooks.northwind.studio/sluice`. */
    displayUrl: row.url.replace(/^https?:\/\//i, ""),
    /** `whsec_••••••••••••k2Qf`. */
    secretHint: hintText(row.secretHint),
    /** Besides those of every endpoint. */
    askedEvents: row.askedEvents,
    createdAt: row.createdAt.toISOString(),
    createdByName: row.createdByName,
    state: stateOf(row),
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    lastSuccessAt: row.lastSuccessAt?.toISOString() ?? null,
    /** Outcome of the last attempt for the newest undelivered event; null if every event arrived. */
    lastFailure: row.lastFailure,
    /** The last 30 days, including days without deliveries. */
    days: row.days,
    /** Success rate of deliveries that ended in those days; null without any. 0 to 1. */
    deliveredShare: shareOf(row.days),
    /** Failed deliveries that will be retried; counted up to 1,000. */
    retryingCount: row.retrying,
    /** Not attempted yet: for a disabled endpoint, its backlog; counted up to 1,000. */
    waitingCount: row.waiting,
    /** Failed for good and not sent again since; counted up to 1,000. */
    deadCount: row.dead,
    /** Replaces that endpoint with its first success. */
    replaces: neighbor(row.oldId, row.oldHint),
    /** That endpoint will replace this one. */
    replacedBy: neighbor(row.newId, row.newHint),
  };
}

/** One day of the organization, oldest first in a list. */
export type EndpointDayView = EndpointFactsView["days"][number];

export type EndpointFactsView = ReturnType<typeof toFacts>;

/** The hint of a secret that was shown once. */
function hintText(hint: string): string {
  return `whsec_${"•".repeat(12)}${hint}`;
}

function neighbor(id: string | null, hint: string | null) {
  return id === null || hint === null ? null : { id, href: endpointHref(id), secretHint: hintText(hint) };
}

function stateOf(row: FactsRow): EndpointStateView {
  if (row.status === "DISABLED" && row.disabledAt && row.disabledBecause) {
    return {
      kind: "OFF",
      at: row.disabledAt.toISOString(),
      because: row.disabledBecause,
      byName: row.disabledByName,
    };
  }
  if (row.failingSince) {
    return {
      kind: "FAILING",
      since: row.failingSince.toISOString(),
      disablesAt: new Date(row.failingSince.getTime() + DISABLED_AFTER_MS).toISOString(),
    };
  }
  return row.lastAttemptAt ? { kind: "RECEIVING" } : { kind: "NEW" };
}

function shareOf(days: FactsRow["days"]): number | null {
  const delivered = days.reduce((sum, day) => sum + day.delivered, 0);
  const ended = days.reduce((sum, day) => sum + day.gaveUp, delivered);
  return ended === 0 ? null : delivered / ended;
}

/** The organization's endpoints in order of creation, as the list shows them to any member. */
export async function listEndpoints(
  { services, context, time }: TimedReading,
  setting: Pick<WebhookSetting, "allowsPrivate">,
) {
  const endpoints = await readEndpointFacts(services.pool, context.organizationId, context.now);
  return {
    endpoints,
    /** Whether another one can be created. */
    hasRoom: endpoints.length < MAXIMUM_ENDPOINTS,
    /** http and private addresses are allowed here (WEBHOOK_ALLOW_PRIVATE). */
    allowsPrivate: setting.allowsPrivate,
    viewer: { canChange: mayDecide(context.actor) },
    time,
  };
}

/** The list of endpoints. */
export type EndpointsView = Awaited<ReturnType<typeof listEndpoints>>;
