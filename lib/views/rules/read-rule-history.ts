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
const MAXIMUM_MOVEMENTS = 3_000;

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
  const facts = await readAccountFacts(database, { organizationId }, input.accountIds);
  const managed = input.accountIds.filter((id) => facts[id] && isManaged(facts[id]));
  const outside = input.arrivalAccountIds.filter((id) => facts[id] && !isManaged(facts[id]));
  const [booked, noticed, asked, limitsUsedInCents, limitsUsedNow] = await Promise.all([
    readBooked(database, organizationId, input, managed),
    outside.length === 0 ? [] : readNoticed(database, organizationId, input.from, outside),
    readAsked(database, organizationId, input),
    readUsedBefore(database, organizationId, input),
    readUsedBefore(database, organizationId, { ...input, from: now }),
  ]);
  const isCut = booked.length >= MAXIMUM_MOVEMENTS || noticed.length >= MAXIMUM_MOVEMENTS;
  const from = isCut ? latestStart([booked, noticed], input.from) : input.from;
  const events = [...booked.filter((row) => !row.is_own), ...noticed].map(toEvent);
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
  return { history, present, isCut, byOthers: sumUp(booked) };
}

interface MovementRow {
  account_id: string;
  /** Both as ISO 8601 in UTC: converting thousands of rows to dates and back would be half of the work. */
  at: string;
  /** Only set on the first row. */
  booked_at: string | null;
  change_in_cents: number;
  arrived_in_cents: number | null;
  is_own: boolean;
  is_on_route: boolean;
  /** Null for card movements, and elsewhere. */
  transfer_id: string | null;
  /** The account's current balance; null if it is not in our books. */
  balance_in_cents: number | null;
}

/** Formats a timestamp as `Date.toISOString` does. */
const isoOf = (sql: string) => `to_char((${sql}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Both sides of each account are read by index, only as far as the limit; the rest of an entry is read only for those
 * rows.
 */
async function readBooked(
  database: Queryable,
  organizationId: string,
  { ruleId, from, routes, firstActiveAt }: HistoryInput,
  accountIds: readonly string[],
): Promise<MovementRow[]> {
  const { rows } = await database.query<MovementRow>({
    name: "read_rule_history",
    text: `
      with latest as materialized (
        select side.* from unnest($2::uuid[]) as named (account_id) cross join lateral (
          (select id, named.account_id, amount_in_cents as change_in_cents
             from entries where organization_id = $1 and credit_ledger_id = named.account_id and id >= $3
            order by id desc limit $4)
          union all
          (select id, named.account_id, -amount_in_cents
             from entries where organization_id = $1 and debit_ledger_id = named.account_id and id >= $3
            order by id desc limit $4)) side
         order by side.id desc limit $4),
      booked as (
        select latest.*, e.kind, e.transfer_id, e.card_transaction_id, e.booked_at
          from latest join entries e on e.organization_id = $1 and e.id = latest.id)
      select b.account_id, b.change_in_cents,
          case when row_number() over (order by b.id) = 1 then ${isoOf("b.booked_at")} end as booked_at,
          ${isoOf("case when b.change_in_cents < 0 and b.kind = 'TRANSFER' then least(t.accepted_at, b.booked_at) else b.booked_at end")} as at,
          case when b.change_in_cents > 0 and (ct.subtype = 'PAYOUT'
              or b.kind = 'TRANSFER' and t.chain_depth < ${MAXIMUM_CHAIN_DEPTH}) then b.change_in_cents
            end as arrived_in_cents,
          coalesce(t.rule_id = $5, false) as is_own,
          coalesce(t.rule_id is distinct from $5 and ($6::timestamptz is null or t.accepted_at < $6)
            and (t.source_account_id, t.destination_account_id) in (select * from unnest($7::uuid[], $8::uuid[])),
            false) as is_on_route,
          case when t.rule_id is distinct from $5 then b.transfer_id end as transfer_id,
          l.credits_in_cents - l.debits_in_cents as balance_in_cents
        from booked b
        join ledgers l on l.organization_id = $1 and l.id = b.account_id
        left join transfers t on t.organization_id = $1 and t.id = b.transfer_id
        left join card_transactions ct on ct.organization_id = $1 and ct.id = b.card_transaction_id
       order by b.id`,
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
  return rows;
}

/** Deposits at other institutions, without the other side of our own transfers. */
async function readNoticed(
  database: Queryable,
  organizationId: string,
  from: Date,
  accountIds: readonly string[],
): Promise<MovementRow[]> {
  const { rows } = await database.query<MovementRow>({
    name: "read_rule_arrivals_outside",
    text: `
      select seen.* from unnest($2::uuid[]) as named (account_id) cross join lateral (
        select named.account_id, ${isoOf("transaction_date")} as at, ${isoOf("transaction_date")} as booked_at,
            0::bigint as change_in_cents,
            amount_in_cents as arrived_in_cents, false as is_own, false as is_on_route, null::uuid as transfer_id,
            null::bigint as balance_in_cents
          from external_transactions
         where organization_id = $1 and account_id = named.account_id and transaction_date >= $3
           and direction = 'MONEY_IN' and status = 'COMPLETE' and transfer_id is null and vanished_at is null
         order by transaction_date desc, id desc limit $4) seen
       order by seen.at`,
    values: [organizationId, accountIds, from, MAXIMUM_MOVEMENTS],
  });
  return rows;
}

/** Live runs requested by a person or program that were not refused. */
async function readAsked(
  database: Queryable,
  organizationId: string,
  { ruleId, from }: HistoryInput,
): Promise<AskedRun[]> {
  const { rows } = await database.query<{ at: Date; incoming_amount_in_cents: number | null }>({
    name: "read_rule_asked_runs",
    text: `
      select coalesce(planned_at, created_at) as at,
          (base ->> 'incomingAmountInCents')::bigint as incoming_amount_in_cents
        from rule_executions
       where organization_id = $1 and rule_id = $2 and execution_mode = 'LIVE' and id >= $3 and cause_kind is null
         and status not in ('APPROVAL_PENDING', 'APPROVAL_DENIED')
       order by id desc limit $4`,
    values: [organizationId, ruleId, firstIdAt(from), MAXIMUM_OCCASIONS],
  });
  return rows
    .map((row) => ({ at: row.at.toISOString(), incomingAmountInCents: row.incoming_amount_in_cents }))
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
  const { rows } = await database.query<{ id: string; used_in_cents: number }>({
    name: "read_limits_used_before",
    text: `
      select l.id, coalesce(sum(t.amount_in_cents), 0)::bigint as used_in_cents
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
  return Object.fromEntries(rows.map((row) => [row.id, row.used_in_cents]));
}

function toEvent(row: MovementRow): HistoryEvent {
  return {
    at: row.at,
    accountId: row.account_id,
    changeInCents: row.change_in_cents,
    arrivedInCents: row.arrived_in_cents,
    ...(row.is_on_route && { isReplaced: true }),
  };
}

/** If both sides of a transfer are in our books, it counts once. */
function sumUp(booked: readonly MovementRow[]): ReadHistory["byOthers"] {
  const amounts = new Map(
    booked.flatMap((row) =>
      row.is_on_route && row.transfer_id !== null
        ? [[row.transfer_id, Math.abs(row.change_in_cents)] as const]
        : [],
    ),
  );
  return { count: amounts.size, inCents: [...amounts.values()].reduce((sum, cents) => sum + cents, 0) };
}

/** Where a history begins if only its latest movements were read. */
function latestStart(lists: readonly (readonly MovementRow[])[], from: Date): Date {
  const starts = lists
    .filter((rows) => rows.length >= MAXIMUM_MOVEMENTS)
    .flatMap((rows) => rows[0]?.booked_at ?? []);
  return new Date(Math.max(from.getTime(), ...starts.map((start) => Date.parse(start))));
}

/** Balances before everything booked since, including the rule's own transfers, which it would make again. */
function asOf(
  facts: Record<string, AccountFacts>,
  booked: readonly MovementRow[],
): Record<string, AccountFacts> {
  const accounts: Record<string, AccountFacts> = {};
  const now = new Map(booked.map((row) => [row.account_id, row.balance_in_cents]));
  const since = new Map<string, number>();
  for (const row of booked) since.set(row.account_id, (since.get(row.account_id) ?? 0) + row.change_in_cents);
  for (const [id, account] of Object.entries(facts)) {
    if (!isManaged(account)) {
      accounts[id] = account;
      continue;
    }
    const balanceInCents = (now.get(id) ?? account.balanceInCents ?? 0) - (since.get(id) ?? 0);
    // A simulation has no pending transfers: they arrive at once.
    accounts[id] = { ...account, balanceInCents, availableInCents: balanceInCents, onItsWayInCents: 0 };
  }
  return accounts;
}
