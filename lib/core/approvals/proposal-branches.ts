import type { ProposalKind, ProposalStatus } from "@/lib/contract/approvals/proposal";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { permissionOf } from "@/lib/core/shared/permits";
import type { DecisionRow } from "@/lib/core/shared/proposal-decision";
import { callerKind, REQUESTER_KIND, REQUESTER_NAME, SUBJECT_JOINS } from "@/lib/core/shared/subject-columns";

/** One proposal of any kind, as the statement below reads it. */
export interface ProposalRow {
  id: string;
  kind: ProposalKind;
  status: ProposalStatus;
  ruleId: string | null;
  ruleVersion: number | null;
  name: string | null;
  reason: string | null;
  requesterKind: "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK";
  requesterName: string | null;
  isCaller: boolean;
  createdAt: Date;
  expiresAt: Date | null;
  decision: Omit<DecisionRow, "outcome"> | null;
}

interface Wanted {
  /** Any of them; empty: all. */
  statuses: readonly ProposalStatus[];
  /** Any of them; empty: all. */
  kinds: readonly ProposalKind[];
  /** Only what the caller requested. */
  isMine: boolean;
  /** Null: any. */
  id: string | null;
  limit: number;
  offset: number;
}

/** From `p` of a table with a proposal's states; `$3` is business time. */
const STATE = `case when p.state = 'WAITING' and p.expires_at <= $3 then 'EXPIRED'
    when p.state = 'RULE_CHANGED' then 'REVOKED' else p.state end`;

/** From `v`, a version of `rules r`, with its activation and discard: what became of it (docs/behavior/rules.md). */
const VERSION_STATE = `case when activated.at is not null then 'APPROVED' when discarded.at is not null then 'DENIED'
    when r.deleted_at is not null or r.latest_version > v.version then 'REVOKED' else 'WAITING' end`;

const VERSION_JOINS = `
  join rules r on r.organization_id = v.organization_id and r.id = v.rule_id
  left join lateral (
    select min(e.at) as at from rule_events e where e.organization_id = v.organization_id and e.rule_id = v.rule_id
      and e.kind = 'ACTIVATED' and e.version = v.version) activated on true
  left join lateral (
    select d.discarded_at as at from rule_version_discards d where d.organization_id = v.organization_id
      and d.rule_id = v.rule_id and d.version = v.version) discarded on true`;

const PAYEE_STATE = `case when y.version > 0 then 'APPROVED' when y.removed_at is not null then 'DENIED'
    else 'WAITING' end`;

interface Branch {
  from: string;
  id: string;
  state: string;
  /** Lets a list of what waits use the index of those. */
  waits: string;
  /** That the caller requested it. */
  isOwn: string;
  /** That it is one of these accounts' or rules'. Null: all are, or none is. */
  isOf: ((list: string) => string) | null;
  permission: "READ_TRANSFERS" | "READ_RULES" | "READ_ACCOUNTS";
}

const ofProposals = (kind: "TRANSFER" | "RULE_RUN") => ({
  from: `proposals p where p.organization_id = $1 and p.kind = '${kind}'`,
  id: "p.id",
  state: STATE,
  waits: "p.state = 'WAITING'",
  isOwn: "p.api_key_id = $2",
});

const BRANCHES: Readonly<Record<ProposalKind, Branch>> = {
  TRANSFER: {
    ...ofProposals("TRANSFER"),
    isOf: (accounts) => `exists (select from transfers t where t.organization_id = $1 and t.id = p.id
      and (t.source_account_id = any (${accounts}) or t.destination_account_id = any (${accounts})))`,
    permission: "READ_TRANSFERS",
  },
  RULE_RUN: {
    ...ofProposals("RULE_RUN"),
    isOf: (rules) => `exists (select from rule_executions e where e.organization_id = $1 and e.id = p.id
      and e.rule_id = any (${rules}))`,
    permission: "READ_RULES",
  },
  RULE_VERSION: {
    from: `rule_versions v ${VERSION_JOINS} where v.organization_id = $1 and v.proposal_id is not null`,
    id: "v.proposal_id",
    state: VERSION_STATE,
    waits: "true",
    isOwn: "v.created_by_id = $2",
    isOf: (rules) => `v.rule_id = any (${rules})`,
    permission: "READ_RULES",
  },
  RULE_DEACTIVATION: {
    from: "rule_deactivation_proposals p where p.organization_id = $1",
    id: "p.id",
    state: STATE,
    waits: "p.state = 'WAITING'",
    isOwn: "p.api_key_id = $2",
    isOf: (rules) => `p.rule_id = any (${rules})`,
    permission: "READ_RULES",
  },
  PAYEE: {
    from: "payees y where y.organization_id = $1 and y.proposed_by_kind = 'API_KEY'",
    id: "y.id",
    state: PAYEE_STATE,
    waits: "y.version = 0 and y.removed_at is null",
    isOwn: "y.proposed_by_id = $2",
    isOf: null,
    permission: "READ_ACCOUNTS",
  },
};

const KINDS: readonly ProposalKind[] = ["TRANSFER", "RULE_RUN", "RULE_VERSION", "RULE_DEACTIVATION", "PAYEE"];

/** Which of a kind's proposals the caller may read; a list of accounts or rules, or all, or its own alone. */
function reachOf({ permission }: Branch, actor: CallerActor): "ALL" | "OWN" | readonly string[] {
  const granted = permissionOf(actor, permission);
  if (granted === null) return "OWN";
  return "rules" in granted ? granted.rules : granted.accounts;
}

/**
 * The proposals that the caller may read, newest first: each kind from its own index, no further than the page needs,
 * then merged. A filter that is not asked for is not in the statement.
 */
export function proposalsStatement({ organizationId, actor, now }: Context<CallerActor>, wanted: Wanted) {
  const values: unknown[] = [organizationId, actor.id, now, wanted.limit, wanted.offset];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const statuses = wanted.statuses.length === 0 ? null : parameter(wanted.statuses);
  const isWaiting = wanted.statuses.length === 1 && wanted.statuses[0] === "WAITING";
  const id = wanted.id === null ? null : parameter(wanted.id);
  const kinds = KINDS.filter((kind) => wanted.kinds.length === 0 || wanted.kinds.includes(kind));
  const names: string[] = [];
  const branches = kinds.map((kind) => {
    const branch = BRANCHES[kind];
    const reach = wanted.isMine ? "OWN" : reachOf(branch, actor);
    const isOf = typeof reach === "object" && branch.isOf ? branch.isOf(`${parameter(reach)}::uuid[]`) : null;
    const isReadable = reach === "OWN" ? branch.isOwn : isOf && `(${branch.isOwn} or ${isOf})`;
    names.push(kind, reach === "OWN" ? "own" : isOf ? "listed" : "all");
    const filters = [
      isReadable,
      isWaiting ? branch.waits : null,
      statuses && `${branch.state} = any (${statuses}::text[])`,
      id && `${branch.id} = ${id}`,
    ].filter((sql) => sql !== null);
    return `(select ${branch.id} as id, '${kind}' as kind from ${branch.from}
      ${filters.map((sql) => `and ${sql}`).join(" ")} order by ${branch.id} desc limit $4::int + $5::int)`;
  });
  if (statuses) names.push(isWaiting ? "waiting" : "statuses");
  if (id) names.push("one");
  return {
    // Prepared statements have names of at most 63 characters.
    name: `list_proposals_${names
      .map((name) =>
        name
          .replace(/^RULE_/, "")
          .slice(0, 4)
          .toLowerCase(),
      )
      .join("")}`,
    text: `
      with page as materialized (
        select id, kind from (${branches.join(" union all ")}) found order by id desc limit $4::int offset $5::int)
      ${DETAILS} order by id desc`,
    values,
  };
}

const NO_REASON = "'kind', null, 'text', null, 'askAgainAfter', null";

/** Every kind with the same columns; only the page's own rows are read. */
const DETAILS = `
  select p.id, p.kind, ${STATE} as status, e.rule_id as "ruleId", e.rule_version as "ruleVersion", r.name,
      coalesce(t.reason_for_approval, e.reason_for_approval) as reason, ${REQUESTER_KIND} as "requesterKind",
      ${REQUESTER_NAME} as "requesterName", p.api_key_id is not distinct from $2 as "isCaller",
      p.created_at as "createdAt", p.expires_at as "expiresAt",
      json_build_object('decidedAt', coalesce(p.decided_at, p.expires_at), 'kind', p.denial_reason, 'text', p.denial_text,
        'askAgainAfter', p.ask_again_after) as decision
    from page join proposals p on p.organization_id = $1 and p.id = page.id and p.kind = page.kind ${SUBJECT_JOINS}
    left join rules r on r.organization_id = $1 and r.id = e.rule_id
   where page.kind in ('TRANSFER', 'RULE_RUN')
  union all
  select v.proposal_id, 'RULE_VERSION', ${VERSION_STATE}, v.rule_id, v.version, v.definition ->> 'name', v.reason,
      ${callerKind("v.created_by_kind", "v.created_by_id")}, v.created_by_name, v.created_by_id = $2, v.created_at, null,
      json_build_object('decidedAt', coalesce(activated.at, discarded.at, r.deleted_at, r.updated_at), ${NO_REASON})
    from page join rule_versions v on v.organization_id = $1 and v.proposal_id = page.id ${VERSION_JOINS}
   where page.kind = 'RULE_VERSION'
  union all
  select p.id, 'RULE_DEACTIVATION', ${STATE}, p.rule_id, p.version, r.name, p.reason,
      ${callerKind("'API_KEY'", "p.api_key_id")}, p.api_key_name, p.api_key_id = $2, p.created_at, p.expires_at,
      json_build_object('decidedAt', coalesce(p.decided_at, p.expires_at), ${NO_REASON})
    from page join rule_deactivation_proposals p on p.organization_id = $1 and p.id = page.id
    join rules r on r.organization_id = $1 and r.id = p.rule_id
   where page.kind = 'RULE_DEACTIVATION'
  union all
  select y.id, 'PAYEE', ${PAYEE_STATE}, null, null, y.name, y.reason,
      ${callerKind("y.proposed_by_kind", "y.proposed_by_id")}, y.proposed_by_name, y.proposed_by_id = $2, y.created_at, null,
      json_build_object('decidedAt', coalesce(y.confirmed_at, y.removed_at, y.updated_at), ${NO_REASON})
    from page join payees y on y.organization_id = $1 and y.id = page.id
   where page.kind = 'PAYEE'`;
