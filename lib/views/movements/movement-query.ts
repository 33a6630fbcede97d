import type { MovementSearch } from "@/lib/contract/movement-search";
import type { MovementOption } from "@/lib/contract/views/movements-view";
import type { Queryable } from "@/lib/db/transaction";
import { dayOf } from "@/lib/engine/schedule/calendar-day";
import { instantsOn } from "@/lib/engine/schedule/wall-clock";

/**
 * How lists of movements are read, whichever table they are of: newest first, by keyset, each branch down one index and
 * never further than a bound. So a page costs the same at a thousand rows and at ten million, whatever is filtered;
 * where the bound ends a page early, the page says so and goes on from there.
 */

/** A table and the index order in which its lists are read. */
export interface MovementTable {
  name: "transfers" | "card_transactions" | "external_transactions" | "proposals";
  /** The column of time that comes before the id; null where the ids themselves are in order of time. */
  orderColumn: "created_at" | "transaction_date" | "decided_at" | null;
}

/** Collects the values of a statement whose text depends on what is asked. */
export class SqlValues {
  readonly values: unknown[] = [];

  /** The placeholder of a value; a value never becomes text of the statement. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** What one list reads: in any of its branches, and matching all of its filters. */
export interface MovementScan {
  table: MovementTable;
  /** Conditions that an index serves together with the window; a movement that two of them meet counts once. */
  branches: readonly string[];
  /** Conditions on the row `b`, tried row by row; made only for a statement that uses their values. */
  filters: readonly (() => string)[];
  values: SqlValues;
  /** How many rows one page reads at most to fill itself. */
  maximumRowsRead: number;
}

export type Side = "OLDER" | "NEWER";

/**
 * The ids of one page, as `select id, at`: at most `limit`, in the order of reading.
 * @param beyond id of the movement beyond which it begins
 */
export function pageSql(scan: MovementScan, side: Side, beyond: string | null, limit: number): string {
  const limitAt = scan.values.add(limit);
  const rowsEach = scan.values.add(rowsPerBranch(scan, scan.maximumRowsRead));
  const matches = allOf(scan.filters);
  const order = orderBy(scan.table, side);
  const branches = scan.branches.map(
    (branch) => `
      (select b.id, ${at(scan.table, "b")} as at from (${readSql(scan, branch, side, beyond, `limit ${rowsEach}`)}) b
        where ${matches} ${order("b.id", at(scan.table, "b"))} limit ${limitAt})`,
  );
  if (branches.length === 1) return branches.join();
  return `select distinct id, at from (${branches.join(" union all ")}) met ${order("id", "at")} limit ${limitAt}`;
}

/**
 * Whether a page that is full may still lack a row: a branch that was cut short before the page's last row holds more
 * that belongs before it. Where each branch gives as many rows as a page has, none does.
 */
export function mayLackRows(scan: MovementScan, pageSize: number): boolean {
  const isOneOfSeveral = scan.branches.length > 1;
  return isOneOfSeveral && (scan.filters.length > 0 || rowsPerBranch(scan, scan.maximumRowsRead) <= pageSize);
}

/**
 * Where reading ended before the list did: of the branches that were cut short, the id nearest to the page's beginning.
 * Nothing beyond it has been looked at in every branch. No row: all was read.
 * @param upTo id of the last movement of a full page: only what comes before it, and itself, is of interest
 */
export function frontierSql(
  scan: MovementScan,
  side: Side,
  beyond: string | null,
  upTo: string | null,
): string {
  const rowsBefore = scan.values.add(rowsPerBranch(scan, scan.maximumRowsRead) - 1);
  const ends = scan.branches.map(
    (branch) => `
      (select b.id, ${at(scan.table, "b")} as at
        from (${readSql(scan, branch, side, beyond, `offset ${rowsBefore} limit 1`, upTo)}) b)`,
  );
  return `select id, at from (${ends.join(" union all ")}) ends ${orderBy(scan.table, side)("id", "at")} limit 1`;
}

/**
 * One row: how many match (`count`), what of it came in and went out, and whether more may match than were read.
 * @param flow null: rows without an amount; else SQL of the row `b`: `1` in, `-1` out, `0` neither, of what settled
 * @param newerThan id of a movement: counts only what is newer
 */
export function countSql(
  scan: MovementScan,
  flow: (() => string) | null,
  maximumCount: number,
  newerThan: string | null = null,
): string {
  const perBranch = rowsPerBranch(scan, maximumCount);
  const limit = scan.values.add(perBranch + 1);
  const full = scan.values.add(perBranch);
  const matches = allOf(scan.filters);
  // What carries no amount is only counted.
  const money = flow === null ? "0::bigint as amount_in_cents, 0" : `b.amount_in_cents, ${flow()}`;
  const reads = scan.branches.map(
    (branch, index) => `
      (select ${index} as branch, b.id, ${money} as flow, ${matches} as matches
        from (${readSql(scan, branch, newerThan === null ? "OLDER" : "NEWER", newerThan, `limit ${limit}`)}) b)`,
  );
  const sums = `
    count(*)::int as count,
    coalesce(sum(amount_in_cents) filter (where flow > 0), 0)::bigint as in_in_cents,
    coalesce(sum(amount_in_cents) filter (where flow < 0), 0)::bigint as out_in_cents`;
  const matched =
    reads.length === 1
      ? "select amount_in_cents, flow from read where matches"
      : "select distinct id, amount_in_cents, flow from read where matches";
  return `
    with read as materialized (${reads.join(" union all ")})
    select ${sums}, (select coalesce(max(n), 0) > ${full} from (select count(*) as n from read group by branch) c) as is_more
      from (${matched}) m`;
}

/** One branch, read in its order from where the page begins. */
function readSql(
  { table, values }: MovementScan,
  branch: string,
  side: Side,
  beyond: string | null,
  bound: string,
  upTo: string | null = null,
): string {
  const order = orderBy(table, side)("t.id", at(table, "t"));
  const begins =
    beyond === null ? "" : `and ${placeSql(table, side === "OLDER" ? "<" : ">", values.add(beyond))}`;
  const ends =
    upTo === null ? "" : `and ${placeSql(table, side === "OLDER" ? ">=" : "<=", values.add(upTo))}`;
  return `select t.* from ${table.name} t where t.organization_id = $1 and ${branch} ${begins} ${ends} ${order} ${bound}`;
}

function placeSql(
  { name, orderColumn }: MovementTable,
  compare: "<" | "<=" | ">" | ">=",
  id: string,
): string {
  if (orderColumn === null) return `t.id ${compare} ${id}::uuid`;
  const place = `(select p.${orderColumn} from ${name} p where p.organization_id = $1 and p.id = ${id}::uuid)`;
  return `(t.${orderColumn}, t.id) ${compare} (${place}, ${id}::uuid)`;
}

/** The time by which a list is ordered; where that is the id alone, a constant keeps the shape of the statement. */
function at({ orderColumn }: MovementTable, alias: string): string {
  return orderColumn === null ? "null::timestamptz" : `${alias}.${orderColumn}`;
}

function orderBy({ orderColumn }: MovementTable, side: Side) {
  const direction = side === "OLDER" ? "desc" : "asc";
  return (id: string, time: string) =>
    orderColumn === null
      ? `order by ${id} ${direction}`
      : `order by ${time} ${direction}, ${id} ${direction}`;
}

function allOf(filters: readonly (() => string)[]): string {
  return filters.length > 0 ? filters.map((filter) => `(${filter()})`).join(" and ") : "true";
}

function rowsPerBranch({ branches }: MovementScan, maximum: number): number {
  return Math.ceil(maximum / Math.max(1, branches.length));
}

const DAY_MS = 86_400_000;

/** Instants between which a list looks, both inclusive; null: without an end. */
export interface MovementWindow {
  from: Date | null;
  to: Date | null;
}

/**
 * The instants that a search means. Days are those of the viewer's time zone, both inclusive.
 * @param now business time
 */
export function movementWindow(
  { days, from, to }: Pick<MovementSearch, "days" | "from" | "to">,
  now: Date,
  timeZone: string,
): MovementWindow {
  if (from !== null || to !== null) {
    return {
      from: from === null ? null : midnight(dayOf(from), timeZone),
      to: to === null ? null : new Date(midnight(dayOf(to) + 1, timeZone).getTime() - 1),
    };
  }
  return { from: days === "all" ? null : new Date(now.getTime() - Number(days) * DAY_MS), to: null };
}

/** When the day begins there: at midnight, or when the clocks first show it. */
function midnight(day: number, timeZone: string): Date {
  const [first] = instantsOn(day, { runsOn: (each) => each === day, minutesOfDay: [0] }, timeZone);
  return new Date(first ?? day * DAY_MS);
}

/** More than this in one choice nobody looks through. */
const MAXIMUM_OPTIONS = 500;

/** What the filters of the lists offer: accounts, callers and cards of the organization, also closed and revoked ones. */
export async function readMovementOptions(
  database: Queryable,
  organizationId: string,
): Promise<{
  managed: MovementOption[];
  outside: MovementOption[];
  requesters: MovementOption[];
  cards: MovementOption[];
}> {
  const [accounts, requesters, cards] = await Promise.all([
    database.query<MovementOption & { is_outside: boolean }>({
      name: "movement_account_options",
      text: `select id, case when deleted_at is null then name else name || ' (closed)' end as name,
                 type = 'EXTERNAL_ACCOUNT' as is_outside
               from accounts where organization_id = $1
              order by deleted_at is not null, lower(name), id limit ${MAXIMUM_OPTIONS}`,
      values: [organizationId],
    }),
    database.query<MovementOption>({
      name: "movement_requester_options",
      text: `select id, case when revoked_at is null then name else name || ' (revoked)' end as name
               from api_keys where organization_id = $1
              order by revoked_at is not null, lower(name), id limit ${MAXIMUM_OPTIONS}`,
      values: [organizationId],
    }),
    database.query<MovementOption>({
      name: "movement_card_options",
      text: `select id, name || ' ••••' || number_last4 as name from cards where organization_id = $1
              order by status = 'CLOSED', lower(name), id limit ${MAXIMUM_OPTIONS}`,
      values: [organizationId],
    }),
  ]);
  const optionsOf = (isOutside: boolean) =>
    accounts.rows.filter((row) => row.is_outside === isOutside).map(({ id, name }) => ({ id, name }));
  return {
    managed: optionsOf(false),
    outside: optionsOf(true),
    requesters: requesters.rows,
    cards: cards.rows,
  };
}
