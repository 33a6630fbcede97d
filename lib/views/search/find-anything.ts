import type { ProposalSubjectView } from "@/lib/contract/approvals/approval";
import { accountHref, ruleHref, runHref } from "@/lib/contract/hrefs";
import type {
  FoundProposalView,
  FoundThingView,
  FoundTransferView,
  SearchView,
} from "@/lib/contract/search/found";
import { readSearchQuery, type SearchQuery } from "@/lib/contract/search/search-query";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import { listWaitingSubjects } from "@/lib/views/approvals/list-waiting-subjects";
import type { TimedReading } from "@/lib/views/reading";
import { OUTSIDE_SLUICE } from "@/lib/words/names";

/** Results per group of the palette. */
const MAXIMUM_FOUND = 8;

/** Columns and joins shared by both; waiting transfers have a deadline. */
const SELECT_FOUND = `
  select t.id, t.amount_in_cents as "amountInCents", t.status, t.execution_mode = 'SIMULATION' as "isDryRun",
      t.created_at as "createdAt",
      coalesce(s.name, t.counterparty_name, '${OUTSIDE_SLUICE}') as "sourceName",
      coalesce(d.name, t.counterparty_name, '${OUTSIDE_SLUICE}') as "destinationName",
      p.expires_at as "expiresAt"
    from found t
    left join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
    left join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id
    left join proposals p on p.organization_id = t.organization_id and p.id = t.id and p.state = 'WAITING'`;

/**
 * What the palette finds for a text: transfers by amount, anything by its ID or the beginning of it, and named things
 * by part of the name. Every member can read all of it on the linked pages.
 * @param text as typed; only its first 100 characters count
 */
export async function findAnything(
  { services, context, time }: TimedReading,
  text: string,
): Promise<SearchView> {
  const query = readSearchQuery(text);
  const [waiting, ofThisAmount, transfersOfThisId, things] = await Promise.all([
    query.waiting ? findWaiting(services, context, query.waiting) : [],
    byAmount(services, context, query),
    query.ids ? findTransfersById(services, context, query.ids) : [],
    query.name === "" ? [] : findThings(services, context, query),
  ]);
  return { waiting, ofThisAmount, transfersOfThisId, things, time };
}

/** The proposals that expire first, of those that every word names. */
async function findWaiting(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  words: readonly string[],
): Promise<FoundProposalView[]> {
  const subjects = await listWaitingSubjects(services.pool, context);
  return subjects
    .filter(({ view }) => {
      const names = namesOf(view).toLowerCase();
      return words.every((word) => names.includes(word));
    })
    .slice(0, MAXIMUM_FOUND)
    .map(({ id, view, expiresAt }) => ({
      id,
      href: proposalHref(id),
      subject: view,
      expiresAt: expiresAt.toISOString(),
    }));
}

function namesOf(subject: ProposalSubjectView): string {
  if (subject.kind === "TRANSFER") return `${subject.sourceName} ${subject.destinationName}`;
  if (subject.kind === "BATCH") return `batch ${subject.sourceName} ${subject.destinationName ?? ""}`;
  return `${subject.ruleName} ${subject.sourceName} ${subject.destinations.firstName ?? ""}`;
}

function byAmount(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { amountInCents }: SearchQuery,
) {
  return amountInCents === null ? [] : findTransfersByAmount(services, context, amountInCents);
}

interface FoundRow {
  id: string;
  amountInCents: number;
  status: FoundTransferView["status"];
  isDryRun: boolean;
  createdAt: Date;
  sourceName: string;
  destinationName: string;
  expiresAt: Date | null;
}

/** The newest transfers of exactly this amount, waiting ones first. */
async function findTransfersByAmount(
  services: Pick<Services, "pool">,
  context: Context,
  amountInCents: number,
): Promise<FoundTransferView[]> {
  const { rows } = await services.pool.query<FoundRow>({
    name: "find_transfers_by_amount",
    text: `
      with found as (
        select * from transfers where organization_id = $1 and amount_in_cents = $2 order by id desc limit ${MAXIMUM_FOUND})
      ${SELECT_FOUND} order by p.expires_at is null, t.id desc`,
    values: [context.organizationId, amountInCents],
  });
  return rows.map(toFound);
}

/** The newest transfers with IDs between these two, inclusive. */
async function findTransfersById(
  services: Pick<Services, "pool">,
  context: Context,
  ids: { first: string; last: string },
): Promise<FoundTransferView[]> {
  const { rows } = await services.pool.query<FoundRow>({
    name: "find_transfers_by_id",
    text: `
      with found as (
        select * from transfers where organization_id = $1 and id between $2 and $3 order by id desc limit ${MAXIMUM_FOUND})
      ${SELECT_FOUND} order by t.id desc`,
    values: [context.organizationId, ids.first, ids.last],
  });
  return rows.map(toFound);
}

function toFound(row: FoundRow): FoundTransferView {
  return {
    kind: "TRANSFER",
    id: row.id,
    href: row.expiresAt ? proposalHref(row.id) : `/transfers/${row.id}`,
    sourceName: row.sourceName,
    destinationName: row.destinationName,
    amountInCents: row.amountInCents,
    status: row.status,
    isDryRun: row.isDryRun,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
  };
}

/** Results per kind in the palette. */
const MAXIMUM_OF_A_KIND = 8;

interface ThingRow {
  kind: FoundThingView["kind"];
  id: string;
  name: string;
  last4: string | null;
  isOver: boolean;
  ruleId: string | null;
  isWaiting: boolean;
}

/**
 * Named things and runs, in one query. An organization has hundreds of named things, read along its part of each
 * primary key; runs can be many, so they are found only by ID. Prefix matches come before others.
 */
async function findThings(
  services: Pick<Services, "pool">,
  context: Context,
  { name, ids }: SearchQuery,
): Promise<FoundThingView[]> {
  const { rows } = await services.pool.query<ThingRow>({
    name: "find_things",
    text: `
      with named as (
        select 1 as place, 'ACCOUNT' as kind, id, name, account_number_last4 as last4, deleted_at is not null as is_over
          from accounts where organization_id = $1
        union all
        select 2, 'RULE', id, name, null, false from rules where organization_id = $1 and deleted_at is null
        union all
        select 4, case when client_id is null then 'API_KEY' else 'ASSISTANT' end, id, name, null, revoked_at is not null
          from api_keys where organization_id = $1
        union all
        select 5, 'CARD', id, name, number_last4, status = 'CLOSED' from cards where organization_id = $1
        union all
        select 6, 'MEMBER', u.id, u.name, null, false
          from memberships m join users u on u.id = m.user_id where m.organization_id = $1
        union all
        select 7, 'CONNECTION', id, institution_name, null, status = 'DISCONNECTED'
          from connections where organization_id = $1),
      matched as (
        select named.*, null::uuid as rule_id, false as is_waiting,
            case when id between $3::uuid and $4::uuid or lower(name) = $2 then 0
                 when starts_with(lower(name), $2) then 1
                 when last4 = $2 then 2
                 when strpos(lower(name), $2) > 0 then 3 end as distance
          from named),
      ranked as (
        select *, row_number() over (partition by kind order by is_over, distance, lower(name), id) as rank
          from matched where distance is not null),
      runs as (
        select 3 as place, 'RUN' as kind, e.id, r.name, null::text as last4, false as is_over, e.rule_id,
            e.status = 'APPROVAL_PENDING' as is_waiting
          from (select * from rule_executions
                 where organization_id = $1 and id between $3::uuid and $4::uuid
                 order by id desc limit ${MAXIMUM_OF_A_KIND}) e
          join rules r on r.organization_id = e.organization_id and r.id = e.rule_id)
      select place, rank, kind, id, name, last4, is_over as "isOver", rule_id as "ruleId", is_waiting as "isWaiting"
        from ranked where rank <= ${MAXIMUM_OF_A_KIND}
      union all
      select place, 1, kind, id, name, last4, is_over, rule_id, is_waiting from runs
      order by 1, 2`,
    values: [context.organizationId, name, ids?.first ?? null, ids?.last ?? null],
  });
  return rows.map(toThing);
}

function toThing(row: ThingRow): FoundThingView {
  return {
    kind: row.kind,
    id: row.id,
    href: hrefOf(row),
    name: row.name,
    last4: row.last4,
    isOver: row.isOver,
  };
}

function hrefOf({ kind, id, ruleId, isWaiting }: ThingRow): string {
  switch (kind) {
    case "ACCOUNT":
      return accountHref(id);
    case "RULE":
      return ruleHref(id);
    case "RUN":
      return isWaiting || ruleId === null ? proposalHref(id) : runHref(ruleId, id);
    case "API_KEY":
      return `/settings/api-keys/${id}`;
    case "ASSISTANT":
      return "/settings/assistants";
    case "CARD":
      return "/cards";
    case "MEMBER":
      return "/settings/members";
    case "CONNECTION":
      return `/connections/${id}`;
  }
}
