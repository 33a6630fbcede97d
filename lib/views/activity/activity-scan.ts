import type { OrganizationChangeKind } from "@/lib/contract/organization";
import type { ActivityGroup, ActivitySearch } from "@/lib/contract/search/list-search";
import type { Queryable } from "@/lib/db/transaction";
import { movementWindow } from "@/lib/views/movements/movement-query";

/** What each recorded change is about. */
export const GROUP_OF_CHANGE: Record<OrganizationChangeKind, ActivityGroup> = {
  RENAMED: "organization",
  TIME_ZONE: "organization",
  NEW_POD_FLOOR: "organization",
  SECOND_FACTOR: "organization",
  CLOCK_MOVED: "organization",
  OUTGOING_CAP: "organization",
  APPROVAL_POLICY: "organization",
  ASKED_CHANGE: "organization",
  BENEFICIARY_RENAMED: "accounts",
  BENEFICIARY_REMOVED: "accounts",
  DEFAULT_BENEFICIARY: "accounts",
  ACCOUNT_OPENED: "accounts",
  ACCOUNT_RENAMED: "accounts",
  ACCOUNT_FLOOR: "accounts",
  ACCOUNT_CLOSED: "accounts",
  ACCOUNT_REOPENED: "accounts",
  ACCOUNT_REGISTERED: "accounts",
  OWN_BANK_ACCOUNT: "accounts",
  BANK_DISCONNECTED: "accounts",
  MEMBER_INVITED: "members",
  INVITATION_WITHDRAWN: "members",
  MEMBER_JOINED: "members",
  MEMBER_ROLE: "members",
  MEMBER_REMOVED: "members",
  KEY_CAP: "keys",
  MANDATE: "keys",
  ENDPOINT: "webhooks",
  CARD_STATUS: "cards",
  PAYEE_COOL_OFF: "payees",
};

interface Source {
  /** Orders rows of one moment; unique with the id. */
  name: string;
  /** Null: of several groups, filtered by `kind`. */
  group: ActivityGroup | null;
  /**
   * `select` of kind, id, at, by_id, subject, before, after and target, of the organization `$1`. Rows about rules have the
   * version as `after` and the rule as `target`; its name is read for the rows of the page only.
   */
  sql: string;
}

/**
 * The records of what people do, each in the table of its subject, so that none can be missing or say otherwise. Only
 * proposals can be many; they have an index on the time of their decision.
 */
const SOURCES: readonly Source[] = [
  {
    name: "PROPOSAL",
    group: "approvals",
    // A member's own transfer is proposed and approved at one moment. A sandbox's test person is a program.
    sql: `
      select case when p.state = 'DENIED' then 'PROPOSAL_DENIED'
            when p.api_key_id is null and p.created_at = p.decided_at then 'MONEY_MOVED' else 'PROPOSAL_APPROVED' end as kind,
          p.id::text as id, p.decided_at as at, p.decided_by as by_id, null::text as subject, null::text as before,
          p.decision_note as after, p.id as target
        from proposals p
       where p.organization_id = $1 and p.state <> 'WAITING' and p.state in ('APPROVED', 'DENIED')
         and p.decision_method is distinct from 'TEST_PERSON'`,
  },
  {
    name: "CANCELING",
    group: "approvals",
    sql: `
      select 'TRANSFER_CANCELLED', t.id::text, t.completed_at, t.cancelled_by, null, null, null, t.id
        from transfers t
       where t.organization_id = $1 and t.status = 'CANCELLED' and t.cancelled_by is not null`,
  },
  {
    name: "RULE",
    group: "rules",
    sql: `
      select 'RULE_' || e.kind, e.id::text, e.at, e.by_user_id, null, null, e.version::text, e.rule_id
        from rule_events e where e.organization_id = $1 and e.by_user_id is not null`,
  },
  {
    name: "VERSION",
    group: "rules",
    sql: `
      select 'RULE_WRITTEN', v.rule_id || ' ' || v.version, v.created_at, v.created_by_id, null, null, v.version::text, v.rule_id
        from rule_versions v where v.organization_id = $1 and v.created_by_kind = 'MEMBER'`,
  },
  {
    name: "RUN",
    group: "rules",
    sql: `
      select 'RULE_RUN', c.execution_id::text, c.confirmed_at, c.confirmed_by, null, null, c.rule_version::text, c.rule_id
        from run_confirmations c where c.organization_id = $1`,
  },
  {
    name: "KEY",
    group: "keys",
    sql: `
      select case when k.client_id is not null then 'ASSISTANT_CONNECTED'
            when exists (select from api_keys old where old.organization_id = $1 and old.replaced_by = k.id)
              then 'KEY_REPLACED' else 'KEY_MADE' end,
          k.id::text, k.created_at, k.created_by, k.name, null, null, case when k.client_id is null then k.id end
        from api_keys k where k.organization_id = $1`,
  },
  {
    name: "REVOCATION",
    group: "keys",
    sql: `
      select case when k.client_id is null then 'KEY_REVOKED' else 'ASSISTANT_DISCONNECTED' end, k.id::text, k.revoked_at,
          k.revoked_by, k.name, null, null, case when k.client_id is null then k.id end
        from api_keys k where k.organization_id = $1 and k.revoked_by is not null`,
  },
  {
    name: "CLOSING",
    group: "gates",
    sql: `
      select 'GATES_CLOSED', g.id::text, g.closed_at, g.closed_by, null, null, null, null::uuid
        from gate_closings g where g.organization_id = $1 and g.closed_by is not null`,
  },
  {
    name: "OPENING",
    group: "gates",
    sql: `
      select 'GATES_OPENED', g.id::text, g.opened_at, g.opened_by, null, null, null, null::uuid
        from gate_closings g where g.organization_id = $1 and g.opened_by is not null`,
  },
  {
    name: "PAYEE",
    group: "payees",
    // What a payee entered belongs to the member whose link it was.
    sql: `
      select case when e.by_kind = 'PAYEE' then 'PAYEE_ENTERED' else 'PAYEE_' || e.kind end, e.id::text, e.at, e.by_id, e.name,
          null, null, e.payee_id
        from payee_events e where e.organization_id = $1 and e.by_kind <> 'API_KEY'`,
  },
  {
    name: "CARD",
    group: "cards",
    sql: `
      select 'CARD_ISSUED', c.id::text, c.created_at, c.issued_by, c.name, null, null, c.id
        from cards c where c.organization_id = $1 and c.issued_by is not null`,
  },
  {
    name: "BANK",
    group: "accounts",
    sql: `
      select 'BANK_CONNECTED', c.id::text, c.created_at, c.created_by, c.institution_name, null, null, c.id
        from connections c where c.organization_id = $1 and c.created_by is not null`,
  },
  {
    name: "DIFFERENCE",
    group: "accounts",
    sql: `
      select 'DIFFERENCE_' || e.kind, e.id::text, e.at, e.by_id, coalesce(nullif(l.description, ''), d.day::text), null,
          null, d.id
        from bank_difference_events e
        join bank_differences d on d.organization_id = e.organization_id and d.id = e.difference_id
        left join bank_lines l on l.organization_id = d.organization_id and l.line_reference = d.line_reference
       where e.organization_id = $1 and e.by_id is not null`,
  },
  {
    name: "REVIEW",
    group: "organization",
    sql: `
      select 'FRAUD_REVIEW_SIGNED', f.id::text, f.signed_at, f.signed_by, encode(f.digest, 'hex'), null, null, f.id
        from fraud_reviews f where f.organization_id = $1`,
  },
  {
    name: "JOINING",
    group: "members",
    // Members who joined before that was recorded.
    sql: `
      select 'MEMBER_JOINED', m.user_id::text, m.created_at, m.user_id, null, null, null, null::uuid
        from memberships m
       where m.organization_id = $1 and m.invited_by is not null
         and not exists (select from organization_changes c
           where c.organization_id = $1 and c.kind = 'MEMBER_JOINED' and c.changed_by = m.user_id)`,
  },
  {
    name: "CHANGE",
    group: null,
    sql: `
      select c.kind, c.id::text, c.changed_at, c.changed_by, c.subject, c.value_before, c.value_after, null::uuid
        from organization_changes c
       where c.organization_id = $1`,
  },
];

/** As stored; see `SOURCES`. */
export interface ActivityRow {
  source: string;
  kind: string;
  id: string;
  /** Microseconds since 1970: milliseconds would skip rows between two pages. */
  atMicros: number;
  byName: string | null;
  subject: string | null;
  before: string | null;
  after: string | null;
  target: string | null;
}

export interface ActivityScan {
  organizationId: string;
  search: ActivitySearch;
  timeZone: string;
}

/** A position between two rows. */
export type ActivityCursor = string;

export function cursorOf({ source, id, atMicros }: ActivityRow): ActivityCursor {
  return `${atMicros}.${source} ${id}`;
}

/** @param beyond rows older than this one, newest first; or newer, oldest first; null: the newest */
export async function scanActivity(
  database: Queryable,
  { organizationId, search, timeZone }: ActivityScan,
  beyond: { side: "OLDER" | "NEWER"; cursor: ActivityCursor } | null,
  limit: number,
): Promise<ActivityRow[]> {
  const { about, by } = search;
  const side = beyond?.side ?? "OLDER";
  const { from, to } = movementWindow({ ...search, days: "all" }, new Date(0), timeZone);
  const [micros, ...key] = (beyond?.cursor ?? "").split(".");
  const values: unknown[] = [organizationId, limit];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const kinds = Object.entries(GROUP_OF_CHANGE).flatMap(([kind, group]) => (group === about ? [kind] : []));
  const filter: Filter = {
    about,
    side,
    changeKinds: about === null || kinds.length === 0 ? null : bind(kinds),
    from: from === null ? null : bind(from),
    to: to === null ? null : bind(to),
    by: by === null ? null : bind(by),
    beyond: beyond === null ? null : { micros: bind(Number(micros)), key: bind(key.join(".")) },
  };
  const isPlain = about === null && values.length === 2;
  const { rows } = await database.query<ActivityRow>({
    // Only the list without filters is opened often enough to keep its plan.
    ...(isPlain && { name: "scan_activity" }),
    text: activitySql(filter),
    values,
  });
  return rows;
}

/** Placeholders of what is asked for. A condition that is not asked for is left out: with it, the plan would be general. */
interface Filter {
  about: ActivityGroup | null;
  side: "OLDER" | "NEWER";
  changeKinds: string | null;
  from: string | null;
  to: string | null;
  by: string | null;
  beyond: { micros: string; key: string } | null;
}

function activitySql({ about, side, changeKinds, from, to, by, beyond }: Filter): string {
  const hasChanges = about === null || Object.values(GROUP_OF_CHANGE).includes(about);
  const sources = SOURCES.filter(({ group }) =>
    group === null ? hasChanges : about === null || group === about,
  );
  const order = side === "OLDER" ? "desc" : "asc";
  const comparison = side === "OLDER" ? "<" : ">";
  const branch = ({ name, group, sql }: Source) => {
    const conditions = [
      ...(from === null ? [] : [`a.at >= ${from}`]),
      ...(to === null ? [] : [`a.at <= ${to}`]),
      ...(by === null ? [] : [`a.by_id = ${by}`]),
      ...(group === null && changeKinds !== null ? [`a.kind = any (${changeKinds})`] : []),
    ];
    if (beyond !== null) {
      const instant = `timestamptz 'epoch' + ${beyond.micros}::bigint * interval '1 microsecond'`;
      // The bound on `at` alone lets proposals be read by their index; the comparison of pairs decides within a moment.
      conditions.push(
        `a.at ${comparison}= ${instant}`,
        `(a.at, '${name} ' || a.id) ${comparison} (${instant}, ${beyond.key}::text)`,
      );
    }
    return `
    (select '${name}' as source, a.* from (${sql}) as a (kind, id, at, by_id, subject, before, after, target)
      ${conditions.length > 0 ? `where ${conditions.join(" and ")}` : ""}
      order by a.at ${order}, '${name} ' || a.id ${order} limit $2)`;
  };
  return `
    select found.source, found.kind, found.id, (extract(epoch from found.at) * 1000000)::bigint as "atMicros",
        u.name as "byName", case when r.id is null then found.subject else coalesce(v.definition ->> 'name', r.name) end as subject,
        found.before, found.after, case when r.deleted_at is null then found.target end as target
      from (${sources.map(branch).join(" union all ")}) found
      left join users u on u.id = found.by_id
      left join rules r on r.organization_id = $1 and r.id = found.target and found.source in ('RULE', 'VERSION', 'RUN')
      left join rule_versions v on v.organization_id = $1 and v.rule_id = r.id and v.version::text = found.after
     order by found.at ${order}, found.source || ' ' || found.id ${order} limit $2`;
}
