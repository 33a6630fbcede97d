import type { MovementSearch } from "@/lib/contract/search/movement-search";
import type { Queryable } from "@/lib/db/transaction";
import { dateOf, dayOf } from "@/lib/engine/schedule/calendar-day";
import { dayAt, startOfDay } from "@/lib/engine/schedule/wall-clock";

export interface MovementOption {
  id: string;
  name: string;
}

/**
 * How lists of movements are read from any table: newest first, by keyset, each branch along one index and never past a
 * limit. A page costs the same with a thousand rows and with ten million, whatever the filters; if the limit ends a
 * page early, the page says so and continues from there.
 */

/** A table, and the index order of its lists. */
export interface MovementTable {
  name: "transfers" | "card_transactions" | "external_transactions" | "proposals";
  /** The time column before the ID; null if IDs alone are in order of time. */
  orderColumn: "created_at" | "transaction_date" | "decided_at" | null;
}

/** Collects the values of a statement whose text depends on the request. */
export class SqlValues {
  readonly values: unknown[] = [];

  /** Returns the value's placeholder; a value never becomes part of the statement's text. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** What one list reads: rows of any branch that match all filters. */
export interface MovementScan {
  table: MovementTable;
  /** Conditions that an index serves together with the window; a movement that meets two counts once. */
  branches: readonly string[];
  /** Conditions on row `b`, checked per row; built only for statements that use their values. */
  filters: readonly (() => string)[];
  values: SqlValues;
  /** What is added up where rows are counted; null: rows are only counted. Built only for statements that use its values. */
  money: (() => ScanMoney) | null;
  /** The most rows read to fill one page. */
  maximumRowsRead: number;
}

/** SQL of row `b`. */
export interface ScanMoney {
  /** Null: the row has no amount. */
  amountInCents: string;
  /** `1` in, `-1` out, `-2` returns what went out, `0` neither. */
  flow: string;
}

export type Side = "OLDER" | "NEWER";

/**
 * The IDs of one page, as `select id, at`: at most `limit`, in reading order.
 * @param beyond the ID of the movement after which the page begins
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
 * Whether a full page may still lack a row: a branch cut off before the page's last row may hold more rows that belong
 * before it. This cannot happen if each branch returns a full page of rows.
 */
export function mayLackRows(scan: MovementScan, pageSize: number): boolean {
  const isOneOfSeveral = scan.branches.length > 1;
  return isOneOfSeveral && (scan.filters.length > 0 || rowsPerBranch(scan, scan.maximumRowsRead) <= pageSize);
}

/**
 * Where reading ended before the list did: of the cut-off branches, the ID nearest to the start of the page. Beyond it,
 * not every branch has been read. No row: everything was read.
 * @param upTo ID of the last movement of a full page; only rows up to it matter
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
 * One row: how many match (`count`), what their amounts come to, how much of it came in and went out, and whether more
 * may match than were read.
 * @param newerThan ID of a movement: counts only newer ones
 */
export function countSql(scan: MovementScan, maximumCount: number, newerThan: string | null = null): string {
  const perBranch = rowsPerBranch(scan, maximumCount);
  const limit = scan.values.add(perBranch + 1);
  const full = scan.values.add(perBranch);
  const matches = allOf(scan.filters);
  const { amountInCents, flow } = scan.money?.() ?? { amountInCents: "null::bigint", flow: "0" };
  const reads = scan.branches.map(
    (branch, index) => `
      (select ${index} as branch, b.id, ${amountInCents} as amount_in_cents, ${flow} as flow, ${matches} as matches
        from (${readSql(scan, branch, newerThan === null ? "OLDER" : "NEWER", newerThan, `limit ${limit}`)}) b)`,
  );
  const sums = `
    count(*)::int as count,
    count(amount_in_cents)::int as "summedCount",
    coalesce(sum(amount_in_cents), 0)::bigint as "sumInCents",
    coalesce(sum(amount_in_cents) filter (where flow > 0), 0)::bigint as "inInCents",
    coalesce(sum(case flow when -1 then amount_in_cents else -amount_in_cents end) filter (where flow < 0), 0)::bigint
      as "outInCents"`;
  const matched =
    reads.length === 1
      ? "select amount_in_cents, flow from read where matches"
      : "select distinct id, amount_in_cents, flow from read where matches";
  return `
    with read as materialized (${reads.join(" union all ")})
    select ${sums},
        (select coalesce(max(n), 0) > ${full} from (select count(*) as n from read group by branch) c) as "isMore"
      from (${matched}) m`;
}

/** One branch, read in order from the start of the page. */
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

/** The list's time column; for lists ordered by ID alone, a constant with the same type. */
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

/** The list's window, inclusive; null: open-ended. */
export interface MovementWindow {
  from: Date | null;
  to: Date | null;
}

/**
 * The instants that a search means. Days are inclusive, in the organization's time zone.
 * @param now business time
 */
export function movementWindow(
  { days, from, to }: Pick<MovementSearch, "days" | "from" | "to">,
  now: Date,
  timeZone: string,
): MovementWindow {
  if (from !== null || to !== null) {
    return {
      from: from === null ? null : startOfDay(from, timeZone),
      to: to === null ? null : new Date(startOfDay(dateOf(dayOf(to) + 1), timeZone).getTime() - 1),
    };
  }
  if (days === "all") return { from: null, to: null };
  // Whole days including today, like every sum by day, so that the list and its sums cover the same.
  const first = dayAt(now.getTime(), timeZone) - Number(days) + 1;
  return { from: startOfDay(dateOf(first), timeZone), to: null };
}

/** More choices than anyone looks through. */
const MAXIMUM_OPTIONS = 500;

/**
 * The filter options of the lists: the organization's accounts, callers, and cards, including closed and revoked ones.
 */
export async function readMovementOptions(database: Queryable, organizationId: string) {
  const [accounts, requesters, cards] = await Promise.all([
    readAccountOptions(database, organizationId),
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
    accounts.filter((row) => row.isOutside === isOutside).map(({ id, name }) => ({ id, name }));
  return {
    managed: optionsOf(false),
    outside: optionsOf(true),
    requesters: requesters.rows,
    cards: cards.rows,
  };
}

/** Every account, the closed ones last. */
export async function readAccountOptions(database: Queryable, organizationId: string) {
  const { rows } = await database.query<MovementOption & { isOutside: boolean }>({
    name: "movement_account_options",
    text: `select id, case when deleted_at is null then name else name || ' (closed)' end as name,
               type = 'EXTERNAL_ACCOUNT' as "isOutside"
             from accounts where organization_id = $1
            order by deleted_at is not null, lower(name), id limit ${MAXIMUM_OPTIONS}`,
    values: [organizationId],
  });
  return rows;
}
