import {
  MAXIMUM_EXPIRY_HOURS,
  type PolicyWindow,
  policyRequesterKindSchema,
} from "@/lib/contract/policies/policy";
import { readSameDestinations } from "@/lib/core/policies/same-destinations";
import type { Queryable } from "@/lib/db/transaction";
import { windowKey } from "@/lib/engine/policies/match-policy";

const DAY_MS = 86_400_000;
/** What was accepted in a window was proposed at most so long before it. A day more, for clocks that differ. */
const WAITS_AT_MOST_MS = (MAXIMUM_EXPIRY_HOURS + 24) * 3_600_000;

/** What a proposal moved or would move. */
export interface PastMove {
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
}

/** A proposal, or a line of a batch, of which windows are asked. */
export interface Windowed {
  id: string;
  createdAt: Date;
  /** What was accepted since it was proposed counts too, as when it is decided now. */
  waits: boolean;
  requesterId: string | null;
  /** Also of the other lines of its batch. */
  destinationAccountIds: readonly string[];
}

/** What counted in windows before proposals. */
export interface PastWindows {
  /** The same for accounts that are one destination. */
  nameOf: (accountId: string) => string;
  /** @param accountId null: of all destinations; in cents, with what the proposal moves itself if it counts */
  sumBefore: (window: PolicyWindow, proposal: Windowed, accountId: string | null) => number;
}

interface Where {
  organizationId: string;
  /** Accounts outside Sluice, among which several may be one destination. */
  outside: ReadonlySet<string>;
  aliasOf: (proposal: Pick<Windowed, "requesterId">) => Alias;
}

/** As `sum_policy_window` adds up for one proposal: one pass over the transfers for each window, whatever their number. */
export async function readPastWindows(
  database: Queryable,
  windows: readonly PolicyWindow[],
  proposals: readonly Windowed[],
  { organizationId, outside, aliasOf }: Where,
): Promise<PastWindows> {
  const areNamed = windows.some(({ by }) => by.includes("destination"));
  const { nameOf } = await readSameDestinations(database, organizationId, areNamed ? [...outside] : []);
  const groupOf = ({ by }: PolicyWindow, { requesterId }: Windowed, accountId: string | null) =>
    [
      by.includes("requester") ? (requesterId ?? "") : "",
      by.includes("destination") && accountId !== null ? nameOf(accountId) : "",
    ].join(" ");
  const sums = new Map<string, number>();
  for (const window of windows) {
    const asked = proposals.flatMap((proposal) =>
      destinationsOf(window, proposal, nameOf).map((accountId) => ({
        id: proposal.id,
        at: proposal.createdAt,
        waits: proposal.waits,
        group: groupOf(window, proposal, accountId),
      })),
    );
    const requesters = proposals.flatMap(({ requesterId }) =>
      requesterId === null
        ? []
        : [...aliasOf({ requesterId }).sameIds].map((id) => ({ id, name: requesterId })),
    );
    const named = new Set(proposals.flatMap((proposal) => proposal.destinationAccountIds.map(nameOf)));
    const destinations = [...new Set([...named, ...outside])]
      .map((id) => ({ id, name: nameOf(id) }))
      .filter(({ name }) => named.has(name));
    for (const { id, group, inCents } of await sumWindow(database, organizationId, window, {
      asked,
      requesters: distinct(requesters),
      destinations,
    })) {
      sums.set(`${windowKey(window)} ${id} ${group}`, inCents);
    }
  }
  return {
    nameOf,
    sumBefore: (window, proposal, accountId) =>
      sums.get(`${windowKey(window)} ${proposal.id} ${groupOf(window, proposal, accountId)}`) ?? 0,
  };
}

/** One of each destination that the window tells apart. */
function destinationsOf(
  { by }: PolicyWindow,
  { destinationAccountIds }: Windowed,
  nameOf: PastWindows["nameOf"],
): (string | null)[] {
  if (!by.includes("destination")) return [null];
  return [...new Map(destinationAccountIds.map((id) => [nameOf(id), id])).values()];
}

interface Named {
  id: string;
  name: string;
}

const distinct = (all: readonly Named[]) => [
  ...new Map(all.map((one) => [`${one.id} ${one.name}`, one])).values(),
];

interface Asked {
  id: string;
  at: Date;
  waits: boolean;
  /** Its requester and destination, as far as the window tells them apart. */
  group: string;
}

const MOVE = "m.id, m.at, m.accepted_at, m.amount, m.waits";

/** Whose move it is: who proposed it, and who started its run. One that is both counts once. */
const OF_REQUESTERS = `
        select ${MOVE}, r.name || ' ' || m.destination as "group"
          from moves m join requesters r on r.id = m.proposed_by_id
        union
        select ${MOVE}, r.name || ' ' || m.destination
          from moves m
          join rule_executions e on e.organization_id = $1 and e.id = m.rule_execution_id
          join requesters r on r.id = e.started_by_id`;

/**
 * Two running sums of each group, read where a proposal was made: of what was proposed until then, less what was accepted
 * before the window's days. Of a proposal that waits: of all that was accepted, and what waited before it.
 */
async function sumWindow(
  database: Queryable,
  organizationId: string,
  { days, by }: PolicyWindow,
  { asked, requesters, destinations }: { asked: Asked[]; requesters: Named[]; destinations: Named[] },
): Promise<{ id: string; group: string; inCents: number }[]> {
  const first = Math.min(...asked.map(({ at }) => at.getTime()));
  if (!Number.isFinite(first)) return [];
  const { rows } = await database.query<{ id: string; group: string; inCents: number }>({
    name: `sum_past_windows_${[...by].sort().join("_")}`,
    text: `
      with asked as materialized (
        select * from jsonb_to_recordset($4) as a (id uuid, at timestamptz, waits boolean, "group" text)),
      requesters as materialized (select * from jsonb_to_recordset($5) as r (id uuid, name text)),
      destinations as materialized (select * from jsonb_to_recordset($6) as d (id uuid, name text)),
      moves as materialized (
        select t.id, t.created_at as at, t.accepted_at, t.amount_in_cents as amount, t.status = 'APPROVAL_PENDING' as waits,
            t.proposed_by_id, t.rule_execution_id, ${by.includes("destination") ? "d.name" : "''"} as destination
          from transfers t ${by.includes("destination") ? "join destinations d on d.id = t.destination_account_id" : ""}
         where t.organization_id = $1 and t.id >= first_id_at($2::timestamptz) and t.execution_mode = 'LIVE'
           and t.destination_account_id is not null
           and t.status in ('APPROVAL_PENDING', 'PROCESSING', 'COMPLETE', 'RETURNED')),
      grouped as materialized (
        ${by.includes("requester") ? OF_REQUESTERS : `select ${MOVE}, ' ' || m.destination as "group" from moves m`}),
      until as (
        select id, "group", case when waits then sum(amount - waiting) over (partition by "group") + sum(waiting) over until
            else sum(amount) over until end as amount
          from (
            select null::uuid as id, "group", at, false as waits, amount, case when waits then amount else 0 end as waiting
              from grouped
            union all select id, "group", at, waits, 0, 0 from asked) each
        window until as (partition by "group" order by at)),
      over as (
        select id, "group", sum(amount) over (partition by "group" order by at) as amount
          from (
            select null::uuid as id, "group", accepted_at as at, amount from grouped where not waits
            union all select id, "group", at - $3::integer * interval '24 hours', 0 from asked) each)
      select id, "group", sum(amount)::bigint as "inCents"
        from (select * from until union all select id, "group", - amount from over) both_sums
       where id is not null group by id, "group"`,
    values: [
      organizationId,
      new Date(first - days * DAY_MS - WAITS_AT_MOST_MS),
      days,
      JSON.stringify(asked),
      JSON.stringify(requesters),
      JSON.stringify(destinations),
    ],
  });
  return rows;
}

/** Of one requester: whose moves count in its windows, and the keys that it replaced. */
export interface Alias {
  sameIds: ReadonlySet<string>;
  replacedIds: readonly string[];
}

interface Requested {
  requesterKind: string;
  requesterId: string | null;
}

/** For each requester of these proposals, as windows and rules see it (`same_requesters`, `replaced_keys`). */
export async function readAliases(
  database: Queryable,
  organizationId: string,
  rows: readonly Requested[],
): Promise<(of: Pick<Requested, "requesterId">) => Alias> {
  const requesters = new Map(
    rows.flatMap(({ requesterKind, requesterId }) =>
      requesterId === null
        ? []
        : [[requesterId, policyRequesterKindSchema.safeParse(requesterKind).data ?? "RULE"] as const],
    ),
  );
  const { rows: found } = await database.query<{ id: string; sameIds: string[]; replacedIds: string[] }>({
    name: "read_past_requesters",
    text: `
      select asked.id, array(select same_requesters($1, asked.kind, asked.id)) as "sameIds",
          array_remove(array(select replaced_keys($1, array[asked.id])), asked.id) as "replacedIds"
        from unnest($2::uuid[], $3::text[]) as asked (id, kind)`,
    values: [organizationId, [...requesters.keys()], [...requesters.values()]],
  });
  const aliases = new Map(
    found.map(({ id, sameIds, replacedIds }) => [id, { sameIds: new Set(sameIds), replacedIds }]),
  );
  const nobody: Alias = { sameIds: new Set(), replacedIds: [] };
  return ({ requesterId }) => aliases.get(requesterId ?? "") ?? nobody;
}
