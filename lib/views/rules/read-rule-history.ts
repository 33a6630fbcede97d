import { MAXIMUM_CHAIN_DEPTH } from "@/lib/contract/limits";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { readAccountFacts } from "@/lib/core/rules/read-rule-facts";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import type { PresentFacts } from "@/lib/engine/backtest/ahead";
import {
  type AskedRun,
  type HistoryEvent,
  isManaged,
  MAXIMUM_OCCASIONS,
  type RuleHistory,
} from "@/lib/engine/backtest/occasions";
import { periodStart } from "@/lib/engine/limits";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { firstIdAt } from "@/lib/platform/ids";

/** The most movements read; the earliest are left out. */
const MAXIMUM_MOVEMENTS = 2_000;

interface HistoryInput {
  ruleId: string;
  from: Date;
  timeZone: string;
  /** Every account that the versions name, and those whose deposits trigger one. */
  accountIds: readonly string[];
  arrivalAccountIds: readonly string[];
  limits: RuleDefinition["limits"];
  /** The routes of the versions' actions. */
  routes: readonly Route[];
  /** When a version was first live; null: never. */
  firstActiveAt: Date | null;
}

interface Route {
  sourceAccountId: string;
  destinationAccountId: string;
}

export interface ReadHistory {
  history: RuleHistory;
  /** As the history ends. */
  present: PresentFacts;
  /** The history was longer than what is read, so it starts later than requested. */
  isCut: boolean;
  /** Others' transfers on the rule's routes before it was first active, which the rule may replace. */
  byOthers: { count: number; inCents: number };
}

/**
 * What happened on a rule's accounts since a moment, without its own live runs. Others' transfers stay, even on its
 * routes: without them, balances would have been higher than they ever were. Opening balances are computed backward
 * from the current books; a pending transfer leaves its account when it was accepted, because from then on its money
 * was not available.
 */
export async function readRuleHistory(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  input: HistoryInput,
): Promise<ReadHistory> {
  const reading = readAccountFacts(database, { organizationId }, input.accountIds);
  const [facts, booked, noticed, asked, limitsUsedInCents, limitsUsedNow] = await Promise.all([
    reading,
    // Accounts outside have no entries.
    readBooked(database, organizationId, input),
    reading.then((read) => {
      const outside = input.arrivalAccountIds.filter((id) => read[id] && !isManaged(read[id]));
      return outside.length === 0 ? NOTHING : readNoticed(database, organizationId, input.from, outside);
    }),
    readAsked(database, organizationId, input),
    readUsedBefore(database, organizationId, input),
    readUsedBefore(database, organizationId, { ...input, from: now }),
  ]);
  const from = latestStart([booked, noticed], input.from);
  const events = [...booked.movements.filter(({ isOwn }) => !isOwn), ...noticed.movements].map(toEvent);
  const history: RuleHistory = {
    from: from.toISOString(),
    until: now.toISOString(),
    timeZone: input.timeZone,
    accounts: asOf(facts, booked),
    // Entries keep their order within one moment, because sorting is stable.
    events: events.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)),
    asked: asked.filter((run) => run.at >= from.toISOString()),
    limitsUsedInCents,
  };
  const present = { accounts: facts, limitsUsedInCents: limitsUsedNow };
  const isCut = [booked, noticed].some(({ movements }) => movements.length >= MAXIMUM_MOVEMENTS);
  return { history, present, isCut, byOthers: sumUp(booked.movements) };
}

interface Movement {
  accountId: string;
  /** ISO 8601 in UTC. */
  at: string;
  changeInCents: number;
  arrivedInCents: number | null;
  isOwn: boolean;
  isOnRoute: boolean;
  /** Of a transfer on the rule's routes; null for others. */
  transferId: string | null;
}

interface Movements {
  movements: Movement[];
  /** When the first of them was booked or noticed; null: there are none. */
  startsAtMs: number | null;
  /** Current balances of the accounts in our books. */
  balances: Record<string, number>;
}

const NOTHING: Movements = { movements: [], startsAtMs: null, balances: {} };

const msOf = (sql: string) => `floor(extract(epoch from ${sql}) * 1000)::bigint`;

/** Thousands of movements, as one array for each field: as rows, sending and parsing them would be half of the work. */
interface Columns {
  startsAtMs: number | null;
  balances: Record<string, number> | null;
  /** Each account by its place in the request, from 1. */
  places: number[] | null;
  atMs: number[] | null;
  changes: number[] | null;
  arrived: (number | null)[] | null;
  isOwn: boolean[] | null;
  transferIds: (string | null)[] | null;
}

function toMovements(columns: Columns | undefined, accountIds: readonly string[]): Movements {
  if (!columns) return NOTHING;
  const { startsAtMs, balances, atMs, changes, arrived, isOwn, transferIds } = columns;
  // Both sides of a transfer, and what is booked together, have one moment, which is costly to write.
  let moment = { ms: 0, at: new Date(0).toISOString() };
  const momentAt = (ms: number) => {
    if (ms !== moment.ms) moment = { ms, at: new Date(ms).toISOString() };
    return moment.at;
  };
  const movements = (columns.places ?? []).map((place, index) => {
    const transferId = transferIds?.[index] ?? null;
    return {
      accountId: accountIds[place - 1] ?? "",
      at: momentAt(atMs?.[index] ?? 0),
      changeInCents: changes?.[index] ?? 0,
      arrivedInCents: arrived?.[index] ?? null,
      isOwn: isOwn?.[index] ?? false,
      isOnRoute: transferId !== null,
      transferId,
    };
  });
  return { movements, startsAtMs, balances: balances ?? {} };
}

/**
 * Both sides of each account are read by index and merged, so that no more is read than the limit; the rest of an entry is
 * read only for those rows.
 */
async function readBooked(
  database: Queryable,
  organizationId: string,
  { ruleId, from, routes, firstActiveAt, accountIds }: HistoryInput,
): Promise<Movements> {
  if (accountIds.length === 0) return NOTHING;
  const { rows } = await database.query<Columns>({
    // One statement for each number of accounts, of which most rules name few.
    name: `read_rule_history_${accountIds.length <= MAXIMUM_MERGED ? accountIds.length : "of_many"}`,
    text: `
      with latest as materialized (
        select side.* from ${sidesOf(accountIds.length)} side order by side.id desc limit $4),
      moved as (
        select l.place, l.change_in_cents, e.booked_at,
            ${msOf("case when l.change_in_cents < 0 and e.kind = 'TRANSFER' then least(t.accepted_at, e.booked_at) else e.booked_at end")} as at_ms,
            case when l.change_in_cents > 0 and (ct.subtype = 'PAYOUT'
                or e.kind = 'TRANSFER' and t.chain_depth < ${MAXIMUM_CHAIN_DEPTH}) then l.change_in_cents
              end as arrived_in_cents,
            coalesce(t.rule_id = $5, false) as is_own,
            case when t.rule_id is distinct from $5 and ($6::timestamptz is null or t.accepted_at < $6)
              and (t.source_account_id, t.destination_account_id) in (select * from unnest($7::uuid[], $8::uuid[]))
              then t.id end as transfer_id
          from latest l
          join entries e on e.organization_id = $1 and e.id = l.id
          left join transfers t on t.organization_id = $1 and t.id = e.transfer_id
          left join card_transactions ct on ct.organization_id = $1 and ct.id = e.card_transaction_id
         -- Of one entry, what leaves before what arrives.
         order by l.id, l.change_in_cents)
      select ${msOf("min(booked_at)")} as "startsAtMs",
          (select json_object_agg(id, credits_in_cents - debits_in_cents) from ledgers
            where organization_id = $1 and id = any ($2)) as balances,
          to_json(array_agg(place)) as places, to_json(array_agg(at_ms)) as "atMs",
          to_json(array_agg(change_in_cents)) as changes, to_json(array_agg(arrived_in_cents)) as arrived,
          to_json(array_agg(is_own)) as "isOwn", to_json(array_agg(transfer_id)) as "transferIds"
        from moved`,
    values: [
      organizationId,
      accountIds,
      firstIdAt(from),
      MAXIMUM_MOVEMENTS,
      ruleId,
      firstActiveAt,
      routes.map((route) => route.sourceAccountId),
      routes.map((route) => route.destinationAccountId),
    ],
  });
  return toMovements(rows[0], accountIds);
}

/** Planning a branch for each side of more accounts would take longer than reading them. */
const MAXIMUM_MERGED = 40;

/** Each side of each account, newest first, as far as the limit: branches to merge, or one by one for many accounts. */
function sidesOf(accountCount: number): string {
  const side = (name: "credit" | "debit", accountId: string, place: string) => `
          (select id, ${place} as place, ${name === "credit" ? "" : "-"}amount_in_cents as change_in_cents from entries
            where organization_id = $1 and ${name}_ledger_id = ${accountId} and id >= $3 order by id desc limit $4)`;
  const both = (accountId: string, place: string) =>
    `${side("credit", accountId, place)} union all ${side("debit", accountId, place)}`;
  if (accountCount > MAXIMUM_MERGED) {
    return `unnest($2::uuid[]) with ordinality as named (account_id, place)
          cross join lateral (${both("named.account_id", "named.place")})`;
  }
  const places = Array.from({ length: accountCount }, (_, index) => String(index + 1));
  return `(${places.map((place) => both(`($2::uuid[])[${place}]`, place)).join(" union all ")})`;
}

/** Deposits at other institutions, without the other side of our own transfers. */
async function readNoticed(
  database: Queryable,
  organizationId: string,
  from: Date,
  accountIds: readonly string[],
): Promise<Movements> {
  const { rows } = await database.query<Columns>({
    name: "read_rule_arrivals_outside",
    text: `
      with seen as (
        select named.place, seen.at_ms, seen.amount_in_cents
          from unnest($2::uuid[]) with ordinality as named (account_id, place) cross join lateral (
            select ${msOf("transaction_date")} as at_ms, amount_in_cents from external_transactions
             where organization_id = $1 and account_id = named.account_id and transaction_date >= $3
               and direction = 'MONEY_IN' and status = 'COMPLETE' and transfer_id is null and vanished_at is null
             order by transaction_date desc, id desc limit $4) seen
         order by seen.at_ms)
      select min(at_ms) as "startsAtMs", to_json(array_agg(place)) as places, to_json(array_agg(at_ms)) as "atMs",
          to_json(array_agg(amount_in_cents)) as arrived
        from seen`,
    values: [organizationId, accountIds, from, MAXIMUM_MOVEMENTS],
  });
  return toMovements(rows[0], accountIds);
}

/** Live runs requested by a person or program that were not refused. */
async function readAsked(
  database: Queryable,
  organizationId: string,
  { ruleId, from }: HistoryInput,
): Promise<AskedRun[]> {
  const { rows } = await database.query<{ at: Date; incomingAmountInCents: number | null }>({
    name: "read_rule_asked_runs",
    text: `
      select coalesce(planned_at, created_at) as at,
          (base ->> 'incomingAmountInCents')::bigint as "incomingAmountInCents"
        from rule_executions
       where organization_id = $1 and rule_id = $2 and execution_mode = 'LIVE' and id >= $3 and cause_kind is null
         and status not in ('APPROVAL_PENDING', 'APPROVAL_DENIED')
       order by id desc limit $4`,
    values: [organizationId, ruleId, firstIdAt(from), MAXIMUM_OCCASIONS],
  });
  return rows
    .map((row) => ({ at: row.at.toISOString(), incomingAmountInCents: row.incomingAmountInCents }))
    .reverse();
}

/** How much of each limit was already used in its period when the history begins. */
async function readUsedBefore(
  database: Queryable,
  organizationId: string,
  { ruleId, from, timeZone, limits }: HistoryInput,
): Promise<Record<string, number>> {
  const date = calendarDate(from, timeZone);
  const starts = limits.flatMap(({ id, period }) => {
    const start = periodStart(period, date);
    return start === null ? [] : [{ id, start }];
  });
  if (starts.length === 0) return {};
  const { rows } = await database.query<{ id: string; usedInCents: number }>({
    name: "read_limits_used_before",
    text: `
      select l.id, coalesce(sum(t.amount_in_cents), 0)::bigint as "usedInCents"
        from unnest($3::text[], $4::date[]) as l (id, starts_on)
        join transfers t on t.organization_id = $1 and t.rule_id = $2 and t.rule_limit_id = l.id
         and t.accepted_at >= l.starts_on::timestamp at time zone $5 and t.accepted_at < $6
         and t.status in ('PROCESSING', 'COMPLETE', 'RETURNED')
       group by l.id`,
    values: [
      organizationId,
      ruleId,
      starts.map(({ id }) => id),
      starts.map(({ start }) => start),
      timeZone,
      from,
    ],
  });
  return Object.fromEntries(rows.map((row) => [row.id, row.usedInCents]));
}

function toEvent({ at, accountId, changeInCents, arrivedInCents, isOnRoute }: Movement): HistoryEvent {
  return { at, accountId, changeInCents, arrivedInCents, ...(isOnRoute && { isReplaced: true }) };
}

/** If both sides of a transfer are in our books, it counts once. */
function sumUp(booked: readonly Movement[]): ReadHistory["byOthers"] {
  const amounts = new Map(
    booked.flatMap(({ transferId, changeInCents }) =>
      transferId === null ? [] : [[transferId, Math.abs(changeInCents)] as const],
    ),
  );
  return { count: amounts.size, inCents: [...amounts.values()].reduce((sum, cents) => sum + cents, 0) };
}

/** Where a history begins: later than requested if only its latest movements were read. */
function latestStart(lists: readonly Movements[], from: Date): Date {
  const starts = lists
    .filter(({ movements }) => movements.length >= MAXIMUM_MOVEMENTS)
    .flatMap(({ startsAtMs }) => startsAtMs ?? []);
  return new Date(Math.max(from.getTime(), ...starts));
}

/** Balances before everything booked since, including the rule's own transfers, which it would make again. */
function asOf(
  facts: Record<string, AccountFacts>,
  { movements, balances }: Movements,
): Record<string, AccountFacts> {
  const accounts: Record<string, AccountFacts> = {};
  const since = new Map<string, number>();
  for (const { accountId, changeInCents } of movements) {
    since.set(accountId, (since.get(accountId) ?? 0) + changeInCents);
  }
  for (const [id, account] of Object.entries(facts)) {
    if (!isManaged(account)) {
      accounts[id] = account;
      continue;
    }
    const balanceInCents = (balances[id] ?? account.balanceInCents ?? 0) - (since.get(id) ?? 0);
    // A simulation has no pending transfers: they arrive at once.
    accounts[id] = { ...account, balanceInCents, availableInCents: balanceInCents, onItsWayInCents: 0 };
  }
  return accounts;
}
