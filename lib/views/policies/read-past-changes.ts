import { parseCents } from "@/lib/contract/format-cents";
import { askedChangeHref, payeeHref, ruleHref } from "@/lib/contract/hrefs";
import { permissionsSchema } from "@/lib/contract/permissions";
import { wantedChangeSchema } from "@/lib/contract/policies/asked-change";
import { policyRequesterKindSchema } from "@/lib/contract/policies/policy";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import { keyHref } from "@/lib/core/keys/key-facts";
import { signedChangeOf } from "@/lib/core/policies/asked-changes";
import { parsedDefinition } from "@/lib/core/rules/activation";
import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";
import type { PastProposal } from "@/lib/engine/policies/backtest-policy";
import type { PolicyFacts } from "@/lib/engine/policies/match-policy";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { askedChangeWords } from "@/lib/words/asked-change-words";

/** Changes of each sort that are looked at, newest first. */
const MAXIMUM_CHANGES = 1_000;
/** Of keys, whose routes are looked up one by one. */
const MAXIMUM_KEYS = 200;

interface Where {
  organizationId: string;
  from: Date;
  timeZone: string;
}

interface Change {
  id: string;
  /** What it was, as a list names it, and its page; null: it has none. */
  title: string;
  href: string | null;
  /** When its signatures would have begun. */
  at: Date;
  /** Null: it was not carried out. */
  doneAt: Date | null;
  /** Everyone who signed it, the last one too. */
  signerIds: string[];
  facts: Pick<PolicyFacts, "kind" | "payee" | "sourceAccountIds" | "destinationAccountIds" | "requester">;
}

export type PastChange = PastProposal & Pick<Change, "title" | "href">;

/**
 * Accounts of payees, versions of rules, limits and keys as a policy sees them, as far as they were recorded. Unknown are the
 * account of a floor that was renamed since, and whether a rule's payees were new.
 */
export async function readPastChanges(database: Queryable, where: Where): Promise<PastChange[]> {
  const all = [
    ...(await readPayees(database, where)),
    ...(await readRules(database, where)),
    ...(await readLimits(database, where)),
    ...(await readKeys(database, where)),
    ...(await readAsked(database, where)),
  ];
  return all
    .map((change) => toPast(change, where.timeZone))
    .toSorted((left, right) => right.createdAt - left.createdAt);
}

function toPast({ id, title, href, at, doneAt, signerIds, facts }: Change, timeZone: string): PastChange {
  const on = calendarDate(doneAt ?? at, timeZone);
  return {
    id,
    title,
    href,
    facts: { ...facts, amountInCents: 0, windowSums: () => 0, directions: [] },
    createdAt: at.getTime(),
    approvedAt: doneAt?.getTime() ?? null,
    signatures: doneAt === null ? [] : [...new Set(signerIds)].map((memberId) => ({ memberId, on })),
  };
}

interface PayeeRow {
  id: string;
  payeeId: string;
  payeeName: string;
  decidedAt: Date;
  firstSignedAt: Date | null;
  isConfirmed: boolean;
  isNew: boolean;
  signerIds: string[];
  requesterKind: string;
  requesterId: string;
  memberIds: (string | null)[];
}

async function readPayees(database: Queryable, { organizationId, from }: Where): Promise<Change[]> {
  const { rows } = await database.query<PayeeRow>({
    name: "read_past_payee_changes",
    text: `
      select d.id, d.payee_id as "payeeId", a.name as "payeeName", d.decided_at as "decidedAt", d.decided_by is not null and exists (
            select from payee_events e where e.organization_id = $1 and e.payee_id = d.payee_id and e.kind = 'CONFIRMED'
              and e.at = d.decided_at) as "isConfirmed",
          not exists (select from payee_events e where e.organization_id = $1 and e.payee_id = d.payee_id
            and e.kind = 'CONFIRMED' and e.at < d.decided_at) as "isNew",
          (select min(s.signed_at) from signatures s where s.organization_id = $1 and s.subject_kind = 'PAYEE'
            and s.subject_id = d.id::text and s.withdrawn_at is null) as "firstSignedAt",
          array(select s.user_id from signatures s where s.organization_id = $1 and s.subject_kind = 'PAYEE'
            and s.subject_id = d.id::text and s.withdrawn_at is null) || d.decided_by as "signerIds",
          case when d.given_by_kind = 'MEMBER' then 'MEMBER'
            else ${callerKind("p.proposed_by_kind", "p.proposed_by_id")} end as "requesterKind",
          case when d.given_by_kind = 'MEMBER' then d.given_by_id else p.proposed_by_id end as "requesterId",
          array[case when d.given_by_kind = 'MEMBER' then d.given_by_id end,
            case when p.proposed_by_kind = 'MEMBER' then p.proposed_by_id end, k.created_by] as "memberIds"
        from payee_details d
        join payees p on p.organization_id = $1 and p.id = d.payee_id
        join accounts a on a.organization_id = $1 and a.id = d.payee_id
        left join api_keys k on k.organization_id = $1 and k.id = p.proposed_by_id
       where d.organization_id = $1 and d.decided_at >= $2 and d.decided_by is not null
       order by d.decided_at desc limit ${MAXIMUM_CHANGES}`,
    values: [organizationId, from],
  });
  return rows.map((row) => ({
    id: row.id,
    title: `Account of ${row.payeeName}`,
    href: payeeHref(row.payeeId),
    at: row.firstSignedAt ?? row.decidedAt,
    doneAt: row.isConfirmed ? row.decidedAt : null,
    signerIds: row.signerIds,
    facts: {
      kind: "PAYEE",
      payee: row.isNew ? "NEW" : "CHANGED",
      sourceAccountIds: [],
      destinationAccountIds: [row.payeeId],
      requester: {
        kind: policyRequesterKindSchema.parse(row.requesterKind),
        id: row.requesterId,
        memberIds: row.memberIds.filter((id) => id !== null),
      },
    },
  }));
}

interface RuleRow {
  id: string;
  ruleId: string;
  ruleName: string;
  version: number;
  at: Date;
  firstSignedAt: Date | null;
  signerIds: string[];
  definition: string;
  requesterKind: string;
  requesterId: string;
  memberId: string | null;
}

async function readRules(database: Queryable, { organizationId, from }: Where): Promise<Change[]> {
  const { rows } = await database.query<RuleRow>({
    name: "read_past_activations",
    text: `
      select e.id, e.rule_id as "ruleId", v.definition ->> 'name' as "ruleName", e.version, e.at, v.definition::text as definition, signed.first as "firstSignedAt",
          coalesce(signed.by, '{}') || e.by_user_id as "signerIds",
          ${callerKind("v.created_by_kind", "v.created_by_id")} as "requesterKind", v.created_by_id as "requesterId",
          case when v.created_by_kind = 'MEMBER' then v.created_by_id else k.created_by end as "memberId"
        from rule_events e
        join rule_versions v on v.organization_id = $1 and v.rule_id = e.rule_id and v.version = e.version
        left join api_keys k on k.organization_id = $1 and k.id = v.created_by_id
        left join lateral (select min(s.at) as first, array_agg(s.by_user_id) as by from rule_events s
          where s.organization_id = $1 and s.rule_id = e.rule_id and s.version = e.version and s.kind = 'SIGNED'
            and s.at <= e.at) signed on true
       where e.organization_id = $1 and e.kind = 'ACTIVATED' and e.at >= $2 and e.by_user_id is not null
       order by e.id desc limit ${MAXIMUM_CHANGES}`,
    values: [organizationId, from],
  });
  return rows.map((row) => {
    const actions = parsedDefinition(row.definition)?.steps.flatMap((step) => step.actions) ?? [];
    return {
      id: row.id,
      title: `Version ${row.version} of ${row.ruleName}`,
      href: ruleHref(row.ruleId, row.version),
      at: row.firstSignedAt ?? row.at,
      doneAt: row.at,
      signerIds: row.signerIds,
      facts: {
        kind: "RULE",
        payee: null,
        sourceAccountIds: [...new Set(actions.map(({ sourceAccountId }) => sourceAccountId))],
        destinationAccountIds: [...new Set(actions.flatMap(destinationsOf))],
        requester: {
          kind: policyRequesterKindSchema.parse(row.requesterKind),
          id: row.requesterId,
          memberIds: row.memberId === null ? [] : [row.memberId],
        },
      },
    };
  });
}

interface LimitRow {
  id: string;
  kind: keyof typeof LIMIT;
  /** Name of the account or key; null: of the organization. */
  subject: string | null;
  before: string | null;
  after: string | null;
  at: Date;
  by: string;
  accountId: string | null;
}

const LIMIT = {
  ACCOUNT_FLOOR: (name: string) => `Floor of ${name}`,
  NEW_POD_FLOOR: () => "Floor of new pods",
  OUTGOING_CAP: () => "Cap on money out",
  KEY_CAP: (name: string) => `Daily cap of the key ${name}`,
  PAYEE_COOL_OFF: () => "Cool-off of payees",
  HOOK_APPROVAL: () => "Approval of a webhook",
};

/** Those that one person loosened; what was signed by several is in `readAsked`. */
async function readLimits(database: Queryable, { organizationId, from }: Where): Promise<Change[]> {
  const { rows } = await database.query<LimitRow>({
    name: "read_past_limits",
    text: `
      select c.id, c.kind, c.subject, c.value_before as before, c.value_after as after, c.changed_at as at, c.changed_by as by,
          (select a.id from accounts a where a.organization_id = $1 and c.kind = 'ACCOUNT_FLOOR' and a.name = c.subject
            and not a.is_payee order by a.id limit 1) as "accountId"
        from organization_changes c
       where c.organization_id = $1 and c.changed_at >= $2
         and c.kind in ('ACCOUNT_FLOOR', 'NEW_POD_FLOOR', 'OUTGOING_CAP', 'KEY_CAP', 'PAYEE_COOL_OFF')
         and not exists (select from asked_changes a where a.organization_id = $1 and a.what = c.kind
           and a.state = 'DONE' and a.ended_at = c.changed_at)
      union all
      select e.id, 'HOOK_APPROVAL', null, null, null, e.at, e.by_user_id, null from rule_events e
       where e.organization_id = $1 and e.kind = 'HOOK_APPROVAL_OFF' and e.at >= $2 and e.by_user_id is not null
         and not exists (select from asked_changes a where a.organization_id = $1 and a.what = 'HOOK_APPROVAL'
           and a.state = 'DONE' and a.ended_at = e.at)
       order by at desc limit ${MAXIMUM_CHANGES}`,
    values: [organizationId, from],
  });
  return rows.filter(isLooser).map(({ id, kind, subject, at, by, accountId }) => ({
    id,
    title: LIMIT[kind](subject ?? ""),
    href: null,
    at,
    doneAt: at,
    signerIds: [by],
    facts: {
      kind: "LIMIT",
      payee: null,
      sourceAccountIds: accountId === null ? [] : [accountId],
      destinationAccountIds: [],
      requester: { kind: "MEMBER", id: by, memberIds: [by] },
    },
  }));
}

function isLooser({ kind, before, after }: LimitRow): boolean {
  const cents = (text: string | null) =>
    text === null ? null : kind === "KEY_CAP" ? parseCents(text) : Number(text);
  const [was, is] = [cents(before), cents(after)];
  switch (kind) {
    case "ACCOUNT_FLOOR":
    case "NEW_POD_FLOOR":
      return (is ?? 0) < (was ?? 0);
    case "OUTGOING_CAP":
    case "KEY_CAP":
      return was !== null && (is === null || is > was);
    case "PAYEE_COOL_OFF": {
      const [wasAbove = 0, wasHours = 0] = (before ?? "").split(" ").map(Number);
      const [above = 0, hours = 0] = (after ?? "").split(" ").map(Number);
      return above > wasAbove || hours < wasHours;
    }
    default:
      return true;
  }
}

interface KeyRow {
  id: string;
  name: string;
  prefix: string;
  permissions: unknown;
  at: Date;
  by: string;
}

/** Those that one person made; assistants' connections are none. */
async function readKeys(database: Queryable, { organizationId, from }: Where): Promise<Change[]> {
  const { rows } = await database.query<KeyRow>({
    name: "read_past_keys",
    text: `
      select k.id, k.name, coalesce(k.prefix, '') as prefix, k.permissions, k.created_at as at, k.created_by as by
        from api_keys k
       where k.organization_id = $1 and k.client_id is null and k.created_at >= $2
         and not exists (select from asked_changes a where a.organization_id = $1 and a.kind = 'KEY'
           and a.state = 'DONE' and a.wanted ->> 'keyId' = k.id::text)
       order by k.id desc limit ${MAXIMUM_KEYS}`,
    values: [organizationId, from],
  });
  return Promise.all(
    rows.map(async ({ id, at, by, permissions, name, prefix }) => {
      const key = { keyId: id, name, prefix, permissions: permissionsSchema.parse(permissions) };
      const wanted = { what: "NEW_KEY", ...key, dailyCapInCents: null } as const;
      const facts = await signedChangeOf(database, organizationId, { id, wanted, askedById: by });
      return { id, title: `Key ${name}`, href: keyHref(id), at, doneAt: at, signerIds: [by], facts };
    }),
  );
}

interface AskedRow {
  id: string;
  wanted: unknown;
  subject: string | null;
  askedById: string;
  at: Date;
  doneAt: Date | null;
  signerIds: string[];
}

/** What waited for signatures and ended by them, by a denial or with its time. */
async function readAsked(database: Queryable, { organizationId, from }: Where): Promise<Change[]> {
  const { rows } = await database.query<AskedRow>({
    name: "read_past_asked_changes",
    text: `
      select c.id, c.wanted, c.subject, c.asked_by as "askedById", c.asked_at as at,
          case when c.state = 'DONE' then c.ended_at end as "doneAt",
          array(select s.user_id from signatures s where s.organization_id = $1 and s.subject_kind = c.kind
            and s.subject_id = c.id::text and s.withdrawn_at is null) as "signerIds"
        from asked_changes c
       where c.organization_id = $1 and c.asked_at >= $2 and c.kind in ('LIMIT', 'KEY')
         and c.state in ('DONE', 'DENIED', 'EXPIRED')
       order by c.id desc limit ${MAXIMUM_KEYS}`,
    values: [organizationId, from],
  });
  return Promise.all(
    rows.map(async ({ wanted: stored, subject, askedById, ...row }) => {
      const wanted = wantedChangeSchema.parse(stored);
      const facts = await signedChangeOf(database, organizationId, { id: row.id, wanted, askedById });
      const { title } = askedChangeWords(wanted, subject ?? "");
      return { ...row, title, href: askedChangeHref(row.id), facts };
    }),
  );
}
