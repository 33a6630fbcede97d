import { hash } from "node:crypto";
import { z } from "zod";
import {
  ALERT_TOPICS,
  type AlertGroup,
  type AlertKind,
  MAXIMUM_COUNTED_ALERTS,
  MAXIMUM_LISTED,
  type ProcessDocument,
  type ProcessFacts,
} from "@/lib/contract/fraud-monitoring";
import { permissionsSchema } from "@/lib/contract/permissions";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { describeProcess, writeProcess } from "@/lib/words/fraud-process";

type Here = Pick<Context, "organizationId" | "now">;

const factsSchema = z.object({
  organizationName: z.string(),
  deciders: z.array(z.object({ name: z.string(), role: z.enum(["OWNER", "CO_OWNER"]) })),
  requiresSecondFactor: z.boolean(),
  keys: z.array(
    z.object({ name: z.string(), permissions: permissionsSchema, dailyCapInCents: z.int().nullable() }),
  ),
  assistantCount: z.int(),
  activeRules: z.array(z.string()),
  openHooks: z.array(z.string()),
  coolOff: z.object({ aboveInCents: z.int(), hours: z.int() }),
  moneyOut: z.object({ capInCents: z.int().nullable() }).nullable(),
  floors: z.array(z.object({ name: z.string(), floorInCents: z.int() })),
  newPodFloorInCents: z.int().nullable(),
  silenced: z.array(z.object({ topic: z.enum(ALERT_TOPICS), name: z.string() })),
});

/** At most `MAXIMUM_LISTED` and one more, which says that there are more. In an order that only a change changes. */
const listed = (item: string, rows: string) =>
  `(select coalesce(json_agg(${item} order by lower(l.name), l.id), '[]')
      from (${rows} order by lower(name), id limit ${MAXIMUM_LISTED + 1}) l)`;

/** The written process of the organization, from the settings in force, and the digest of its text. */
export async function readProcess(
  database: Queryable,
  { organizationId, now }: Here,
): Promise<{ document: ProcessDocument; text: string; digest: string }> {
  const { rows } = await database.query<{ facts: unknown }>({
    name: "read_fraud_process",
    text: `
      select json_build_object(
          'organizationName', o.name,
          'requiresSecondFactor', o.requires_second_factor,
          'coolOff', json_build_object('aboveInCents', o.payee_cool_off_above_in_cents, 'hours', o.payee_cool_off_hours),
          'moneyOut', (select json_build_object('capInCents', o.outgoing_cap_in_cents)
            from bank_in_use b where b.is_production),
          'newPodFloorInCents', o.new_pod_floor_in_cents,
          'assistantCount', (select count(*) from api_keys k
            where k.organization_id = $1 and k.client_id is not null and k.revoked_at is null),
          'deciders', ${listed(
            "json_build_object('name', l.name, 'role', l.role)",
            `select u.id, u.name, m.role from memberships m join users u on u.id = m.user_id
              where m.organization_id = $1 and m.role in ('OWNER', 'CO_OWNER')`,
          )},
          'keys', ${listed(
            `json_build_object('name', l.name, 'permissions', l.permissions, 'dailyCapInCents', l.daily_cap_in_cents)`,
            `select k.id, k.name, k.permissions, k.daily_cap_in_cents from api_keys k
              where k.organization_id = $1 and k.client_id is null and k.revoked_at is null
                and (k.ends_at is null or k.ends_at > $2)
                and (k.permissions @> '[{"type": "MANUAL_TRANSFER"}]' or k.permissions @> '[{"type": "TRIGGER_RULES"}]')`,
          )},
          'activeRules', ${listed(
            "l.name",
            "select r.id, r.name from rules r where r.organization_id = $1 and r.active_version is not null",
          )},
          'openHooks', ${listed(
            "l.name",
            `select r.id, r.name from rule_hooks h
               join rules r on r.organization_id = $1 and r.id = h.rule_id and r.active_version is not null
              where h.organization_id = $1 and not h.approval_required`,
          )},
          'floors', ${listed(
            "json_build_object('name', l.name, 'floorInCents', l.floor_in_cents)",
            `select a.id, a.name, a.floor_in_cents from accounts a
              where a.organization_id = $1 and a.deleted_at is null and a.floor_in_cents > 0`,
          )},
          'silenced', (select coalesce(json_agg(json_build_object('topic', l.topic, 'name', l.name)
              order by lower(l.name), l.id), '[]')
            from (select p.topic, u.id, u.name from notification_preferences p
                join memberships m on m.organization_id = $1 and m.user_id = p.user_id and m.role in ('OWNER', 'CO_OWNER')
                join users u on u.id = p.user_id
               where p.organization_id = $1 and p.topic = any ($3) and not p.email
               order by lower(u.name), u.id limit ${MAXIMUM_LISTED * ALERT_TOPICS.length}) l)
        ) as facts
        from organizations o where o.id = $1`,
    values: [organizationId, now, ALERT_TOPICS],
  });
  const facts: ProcessFacts = factsSchema.parse(rows[0]?.facts);
  const document = describeProcess(facts);
  const text = writeProcess(document, null);
  return { document, text, digest: hash("sha256", text, "hex") };
}

/**
 * What each kind of alert reads: `select` of code and time, the newest first, of the organization `$1`. Each is bounded, so
 * that an organization with millions of records answers as fast as a new one.
 */
const ALERT_SOURCES: Record<AlertKind, string> = {
  RETURNED: `select coalesce(error_code, '') as code, updated_at as at from transfers
    where organization_id = $1 and status = 'RETURNED' and execution_mode = 'LIVE' order by id desc`,
  REFUSED: `select case when execution_mode = 'LIVE' and direction <> 'INTERNAL' and (error_code is null
        or error_code like 'ACH\\_%' or error_code in ('PAYEE_CHANGED', 'ABOVE_OUTGOING_CAP'))
        then coalesce(error_code, '') else 'OTHER' end as code, updated_at as at
    from transfers where organization_id = $1 and status = 'FAILED' order by id desc`,
  DIFFERENCE: `select case when opened_at is null then 'OTHER' else kind end as code, coalesce(opened_at, found_at) as at
    from bank_differences where organization_id = $1 order by id desc`,
  DECISION: `select state as code, decided_at as at from proposals
    where organization_id = $1 and state <> 'WAITING' order by decided_at desc`,
  PAYEE: `select kind as code, at from payee_events
    where organization_id = $1 and kind in ('CONFIRMED', 'DECLINED', 'REMOVED') order by id desc`,
  CORRECTION: `select code, occurred_at as at from account_corrections where organization_id = $1 order by occurred_at desc`,
  KEY_USE: `select kind as code, noticed_at as at from key_alerts where organization_id = $1 order by id desc`,
  RULE_PAUSED: `select kind as code, at from rule_events
    where organization_id = $1 and kind = 'PAUSED' order by id desc`,
  GATES: `select 'CLOSED' as code, closed_at as at from gate_closings where organization_id = $1 order by closed_at desc`,
};

/** Read, but no alert: what was approved or withdrawn, what ended with its key or rule, and what settlement explained. */
const NO_ALERT = ["APPROVED", "REVOKED", "RULE_CHANGED", "WITHDRAWN", "OTHER"];

/** The alerts of the last twelve months, by kind and code. */
export async function readAlerts(database: Queryable, { organizationId, now }: Here): Promise<AlertGroup[]> {
  const branch = ([kind, source]: [string, string]) => `
    (select '${kind}' as kind, found.code, count(*)::int as count,
        sum(count(*)) over () >= ${MAXIMUM_COUNTED_ALERTS} as "isCut"
      from (${source} limit ${MAXIMUM_COUNTED_ALERTS}) found where found.at >= $2 group by found.code)`;
  const { rows } = await database.query<{ kind: AlertKind; code: string; count: number; isCut: boolean }>({
    name: "read_fraud_alerts",
    text: `${Object.entries(ALERT_SOURCES).map(branch).join(" union all ")} order by count desc, code`,
    values: [organizationId, yearsLater(now, -1)],
  });
  const kinds = Object.keys(ALERT_SOURCES) as AlertKind[];
  return kinds.map((kind) => {
    const found = rows.filter((row) => row.kind === kind);
    return {
      kind,
      counts: found
        .filter(({ code }) => !NO_ALERT.includes(code))
        .map(({ code, count }) => ({ code, count })),
      isCut: found.some(({ isCut }) => isCut),
    };
  });
}

/**
 * `DUE`: for a business whose ACH orders settled in the last twelve months, and that signed no review in them. `NOT_NEEDED`: for
 * others without such a review.
 */
export type ReviewState =
  | { kind: "DUE"; lastSignedAt: Date | null }
  | { kind: "NOT_NEEDED" }
  | { kind: "SIGNED"; nextAt: Date };

/** Cheap enough for every Overview: whether orders were sent is only asked without a review of this year. */
export async function readReviewState(
  database: Queryable,
  { organizationId, now }: Here,
): Promise<ReviewState> {
  const since = yearsLater(now, -1);
  const { rows } = await database.query<{ lastSignedAt: Date | null; originates: boolean }>({
    name: "read_fraud_review_state",
    // Outside accounts are few, and each is one probe of an index, however much has moved.
    text: `
      select (select max(signed_at) from fraud_reviews where organization_id = $1) as "lastSignedAt",
          o.kind = 'BUSINESS' and exists (
            select from accounts a
              left join lateral (
                select true as is_true from transfers t
                 where t.organization_id = $1 and t.destination_account_id = a.id and t.direction <> 'INTERNAL'
                   and t.execution_mode = 'LIVE' and t.status = 'COMPLETE' and t.completed_at > $2 limit 1) paid on true
              left join lateral (
                select true as is_true from transfers t
                 where t.organization_id = $1 and t.source_account_id = a.id and t.direction <> 'INTERNAL'
                   and t.execution_mode = 'LIVE' and t.status in ('PROCESSING', 'COMPLETE') and t.accepted_at > $2
                 limit 1) drawn on true
             where a.organization_id = $1 and a.type = 'EXTERNAL_ACCOUNT' and (paid.is_true or drawn.is_true)) as originates
        from organizations o where o.id = $1`,
    values: [organizationId, since],
  });
  const { lastSignedAt = null, originates = false } = rows[0] ?? {};
  if (lastSignedAt === null || lastSignedAt <= since) {
    return originates ? { kind: "DUE", lastSignedAt } : { kind: "NOT_NEEDED" };
  }
  return { kind: "SIGNED", nextAt: yearsLater(lastSignedAt, 1) };
}

function yearsLater(at: Date, years: number): Date {
  const later = new Date(at);
  later.setUTCFullYear(later.getUTCFullYear() + years);
  return later;
}
