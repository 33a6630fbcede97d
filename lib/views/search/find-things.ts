import { accountHref } from "@/lib/contract/account-hrefs";
import { ruleHref, runHref } from "@/lib/contract/rule-hrefs";
import type { SearchQuery } from "@/lib/contract/search-query";
import type { FoundThingView } from "@/lib/contract/views/search-view";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Context } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** What the palette shows of one kind. */
const MAXIMUM_OF_A_KIND = 8;

interface ThingRow {
  kind: FoundThingView["kind"];
  id: string;
  name: string;
  last4: string | null;
  is_over: boolean;
  rule_id: string | null;
  is_waiting: boolean;
}

/**
 * What has a name, and runs, in one query. An organization has hundreds of named things, read along its own part of each
 * primary key; runs, of which there can be many, are found by id only. What goes by the name comes before what holds it.
 */
export async function findThings(
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
      select place, rank, kind, id, name, last4, is_over, rule_id, is_waiting
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
    isOver: row.is_over,
  };
}

function hrefOf({ kind, id, rule_id: ruleId, is_waiting: isWaiting }: ThingRow): string {
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
