import type {
  MovementDirection,
  MovementSearch,
  MovementTab,
  TransferState,
} from "@/lib/contract/search/movement-search";
import type { TransferDirection, TransferStatus } from "@/lib/contract/transfer";
import { firstIdAt, lastIdAt } from "@/lib/platform/ids";
import {
  type MovementScan,
  type MovementTable,
  type MovementWindow,
  SqlValues,
} from "@/lib/views/movements/movement-query";

const TABLES: Record<MovementTab, MovementTable> = {
  TRANSFERS: { name: "transfers", orderColumn: null },
  CARDS: { name: "card_transactions", orderColumn: "created_at" },
  OUTSIDE: { name: "external_transactions", orderColumn: "transaction_date" },
};

type ScanParts = Pick<MovementScan, "branches" | "filters"> & {
  /** Which settled rows came in and went out, as in `ScanMoney`. */
  flow: () => string;
};

/** Enough for a page with almost any filter, and read in a few hundredths of a second. */
const MAXIMUM_ROWS_READ = 20_000;

/** How a list is viewed. `now`: business time. */
export interface MovementLook {
  organizationId: string;
  now: Date;
  search: MovementSearch;
  window: MovementWindow;
  /** The most rows read per page; tests lower it. */
  maximumRowsRead?: number;
}

/** The scan behind a list, with its own values: `$1` is the organization. */
export function listScan(tab: MovementTab, look: MovementLook): MovementScan {
  const values = new SqlValues();
  values.add(look.organizationId);
  const scanOf = { TRANSFERS: transferScan, CARDS: cardScan, OUTSIDE: outsideScan }[tab];
  const { maximumRowsRead = MAXIMUM_ROWS_READ } = look;
  const { flow, ...parts } = scanOf(look, values);
  const money = () => ({ amountInCents: "b.amount_in_cents", flow: flow() });
  return { ...parts, table: TABLES[tab], values, money, maximumRowsRead };
}

const STATUSES_OF: Record<TransferState, readonly TransferStatus[]> = {
  settled: ["COMPLETE"],
  "on-its-way": ["PROCESSING"],
  waiting: ["APPROVAL_PENDING"],
  denied: ["APPROVAL_DENIED"],
  withdrawn: ["APPROVAL_DENIED"],
  // A proposal past its deadline still waits until the worker expires it.
  expired: ["APPROVAL_DENIED", "APPROVAL_PENDING"],
  failed: ["FAILED"],
  returned: ["RETURNED"],
  cancelled: ["CANCELLED"],
};

function transferScan({ search, window, now }: MovementLook, values: SqlValues): ScanParts {
  const within = [
    ...(window.from ? [`t.id >= ${values.add(firstIdAt(window.from))}::uuid`] : []),
    ...(window.to ? [`t.id <= ${values.add(lastIdAt(window.to))}::uuid`] : []),
  ];
  const filters: (() => string)[] = [];
  const { account, status, direction, by, q, amount } = search;
  const modes = search.dry ? ["LIVE", "SIMULATION"] : ["LIVE"];
  const sides =
    account.length > 0
      ? account.flatMap((id) => {
          const place = `${values.add(id)}::uuid`;
          return modes.flatMap((mode) =>
            ["source_account_id", "destination_account_id"].map(
              (side) => `t.${side} = ${place} and t.execution_mode = '${mode}'`,
            ),
          );
        })
      : // Only exceptional statuses are indexed; account indexes are narrower.
        status && standsOut(status)
        ? STATUSES_OF[status].map((each) => `t.status = '${each}'`)
        : ["true"];
  if (account.length === 0 && !search.dry) filters.push(() => "b.execution_mode = 'LIVE'");
  if (status) filters.push(() => stateSql(status, () => `${values.add(now)}::timestamptz`));
  if (direction) {
    filters.push(() => directionSql(direction, account.length > 0 ? () => values.add(account) : null));
  }
  if (by) filters.push(() => `b.proposed_by_id = ${values.add(by)}::uuid`);
  if (amount !== null) filters.push(() => `b.amount_in_cents = ${values.add(amount)}::bigint`);
  if (q) filters.push(() => transferTextSql(values.add(likeText(q))));
  return {
    branches: sides.map((side) => [side, ...within].join(" and ")),
    filters,
    flow: () => flowSql(account.length > 0 ? values.add(account) : null),
  };
}

function transferTextSql(like: string): string {
  const columns = ["counterparty_name", "description", "reason_for_approval", "proposed_by_name"];
  const named = `(select a.id from accounts a where a.organization_id = $1 and a.name ilike ${like})`;
  return [
    ...columns.map((column) => `b.${column} ilike ${like}`),
    `b.source_account_id in ${named}`,
    `b.destination_account_id in ${named}`,
  ].join(" or ");
}

/** Whether `transfers_that_stand_out` includes the state. */
function standsOut(state: TransferState): boolean {
  return state !== "settled" && state !== "on-its-way";
}

/** The API has one status for denial, withdrawal and expiry; the recorded decision distinguishes them. */
function stateSql(state: TransferState, now: () => string): string {
  const statuses = STATUSES_OF[state].map((each) => `'${each}'`).join(", ");
  const status = `b.execution_mode = 'LIVE' and b.status in (${statuses})`;
  const proposal = (condition: string) => `${status} and exists (select from proposals p
    where p.organization_id = $1 and p.id = b.id and ${condition})`;
  if (state === "waiting") return proposal(`p.expires_at > ${now()}`);
  if (state === "denied") return proposal("p.state in ('DENIED', 'REVOKED')");
  if (state === "withdrawn") return proposal("p.state = 'WITHDRAWN'");
  if (state !== "expired") return status;
  return proposal(`(p.state = 'EXPIRED' or (p.state = 'WAITING' and p.expires_at <= ${now()}))`);
}

/** Seen from the filtered accounts, if any: a move between pods then comes in to one of them. */
function directionSql(direction: MovementDirection, accounts: (() => string) | null): string {
  if (accounts === null || direction === "internal") return `b.direction = '${DIRECTIONS[direction]}'`;
  const side = direction === "in" ? "destination_account_id" : "source_account_id";
  return `b.${side} = any (${accounts()}::uuid[])`;
}

const DIRECTIONS: Record<MovementDirection, TransferDirection> = {
  in: "MONEY_IN",
  out: "MONEY_OUT",
  internal: "INTERNAL",
};

function flowSql(accounts: string | null): string {
  const settled = "b.status = 'COMPLETE' and b.execution_mode = 'LIVE'";
  if (accounts === null) {
    return `case when not (${settled}) then 0 when b.direction = 'MONEY_IN' then 1 when b.direction = 'MONEY_OUT' then -1 else 0 end`;
  }
  const side = (column: string) => `coalesce(b.${column} = any (${accounts}::uuid[]), false)::int`;
  return `case when ${settled} then ${side("destination_account_id")} - ${side("source_account_id")} else 0 end`;
}

function cardScan({ search, window }: MovementLook, values: SqlValues): ScanParts {
  const within = timeWithin("t.created_at", window, values);
  const { account, card, kind, q, amount } = search;
  const filters: (() => string)[] = [];
  const sides = card
    ? [`t.card_id = ${values.add(card)}::uuid`]
    : account.map((id) => `t.account_id = ${values.add(id)}::uuid`);
  if (card && account.length > 0) filters.push(() => `b.account_id = any (${values.add(account)}::uuid[])`);
  if (kind) filters.push(() => `b.subtype = ${values.add(kind.toUpperCase())}`);
  if (amount !== null) filters.push(() => `b.amount_in_cents = ${values.add(amount)}::bigint`);
  if (q) filters.push(() => `b.description ilike ${values.add(likeText(q))}`);
  return {
    branches: (sides.length > 0 ? sides : ["true"]).map((side) => [side, ...within].join(" and ")),
    filters,
    flow: () => "case b.subtype when 'PURCHASE' then -1 when 'REFUND' then -2 else 1 end",
  };
}

function outsideScan({ search, window }: MovementLook, values: SqlValues): ScanParts {
  const within = ["t.vanished_at is null", ...timeWithin("t.transaction_date", window, values)];
  const { account, direction, category, state, q, amount } = search;
  const sides = account.map((id) => `t.account_id = ${values.add(id)}::uuid`);
  const filters: (() => string)[] = [];
  // Outside transactions are never between pods.
  if (direction) {
    filters.push(() =>
      direction === "internal" ? "false" : `b.direction = '${direction === "in" ? "MONEY_IN" : "MONEY_OUT"}'`,
    );
  }
  if (category) filters.push(() => `b.category = ${values.add(category)}`);
  if (state) filters.push(() => `b.status = '${state === "pending" ? "PENDING" : "COMPLETE"}'`);
  if (amount !== null) filters.push(() => `b.amount_in_cents = ${values.add(amount)}::bigint`);
  if (q) filters.push(() => outsideTextSql(values.add(likeText(q))));
  return {
    branches: (sides.length > 0 ? sides : ["true"]).map((side) => [side, ...within].join(" and ")),
    filters,
    // The other side of our own transfer is neither income nor spending.
    flow: () => "case when b.transfer_id is not null then 0 when b.direction = 'MONEY_IN' then 1 else -1 end",
  };
}

function outsideTextSql(like: string): string {
  return `b.description ilike ${like} or b.merchant_name ilike ${like}`;
}

function timeWithin(column: string, { from, to }: MovementWindow, values: SqlValues): string[] {
  return [
    ...(from ? [`${column} >= ${values.add(from)}::timestamptz`] : []),
    ...(to ? [`${column} <= ${values.add(to)}::timestamptz`] : []),
  ];
}

/** Matches the typed text anywhere; its wildcards are literal. */
function likeText(typed: string): string {
  return `%${typed.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
