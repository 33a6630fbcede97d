import type { YearAccountView, YearProofView } from "@/lib/contract/views/year-end-view";
import type { Year } from "@/lib/core/exports/find-year";
import type { Queryable } from "@/lib/db/transaction";

interface Row {
  id: string;
  name: string | null;
  is_closed: boolean;
  balance_in_cents: number;
  opening: number;
  came_in: number;
  came_in_count: number;
  went_out: number;
  went_out_count: number;
  since: number;
}

/** What the page shows, of this moment. */
export type AddedUpYear = Omit<YearProofView, "keptSince">;

/** More managed accounts than this one page does not show. */
const MAXIMUM_LEDGERS = 2_000;

/**
 * Adds a year up from all entries that there ever were: what stood there before, what came in and went out, what is
 * left; and from there on to now, where it must meet the balances that the ledgers say. Balances are kept by a trigger
 * while entries are written, so the two are counted independently. One statement, so that both are of one moment.
 */
export async function addUpYear(
  database: Queryable,
  organizationId: string,
  { from, to, clearingLedgerId }: Year,
): Promise<AddedUpYear> {
  const { rows } = await database.query<Row>({
    name: "add_up_year",
    text: `
      with sides as (
        select debit_ledger_id as ledger_id, -amount_in_cents as net, booked_at from entries where organization_id = $1
        union all
        select credit_ledger_id, amount_in_cents, booked_at from entries where organization_id = $1),
      sums as (
        select ledger_id,
            coalesce(sum(net) filter (where booked_at < $2), 0)::bigint as opening,
            coalesce(sum(net) filter (where net > 0 and booked_at >= $2 and booked_at < $3), 0)::bigint as came_in,
            (count(*) filter (where net > 0 and booked_at >= $2 and booked_at < $3))::int as came_in_count,
            coalesce(-sum(net) filter (where net < 0 and booked_at >= $2 and booked_at < $3), 0)::bigint as went_out,
            (count(*) filter (where net < 0 and booked_at >= $2 and booked_at < $3))::int as went_out_count,
            coalesce(sum(net) filter (where booked_at >= $3), 0)::bigint as since
          from sides group by ledger_id)
      select l.id, a.name, a.deleted_at is not null as is_closed,
          l.credits_in_cents - l.debits_in_cents as balance_in_cents, coalesce(s.opening, 0) as opening,
          coalesce(s.came_in, 0) as came_in, coalesce(s.came_in_count, 0) as came_in_count,
          coalesce(s.went_out, 0) as went_out, coalesce(s.went_out_count, 0) as went_out_count,
          coalesce(s.since, 0) as since
        from ledgers l
        left join sums s on s.ledger_id = l.id
        left join accounts a on a.organization_id = $1 and a.id = l.id
       where l.organization_id = $1 and (a.id is null or a.created_at < $3 or s.ledger_id is not null)
       order by a.created_at, l.id
       limit ${MAXIMUM_LEDGERS}`,
    values: [organizationId, from, to],
  });
  const clearing = rows.find(({ id }) => id === clearingLedgerId);
  const accounts = rows.filter(({ id }) => id !== clearingLedgerId).map(toAccount);
  const sum = (read: (account: YearAccountView) => number) =>
    accounts.reduce((total, account) => total + read(account), 0);
  // What leaves the clearing ledger is what comes into the organization.
  const cameIn = clearing?.went_out ?? 0;
  const wentOut = clearing?.came_in ?? 0;
  const openingInCents = sum((account) => account.openingInCents);
  const closingInCents = sum((account) => account.closingInCents);
  return {
    accounts,
    openingInCents,
    cameInInCents: cameIn,
    cameInCount: clearing?.went_out_count ?? 0,
    wentOutInCents: wentOut,
    wentOutCount: clearing?.came_in_count ?? 0,
    movedInCents: sum((account) => account.inInCents) - cameIn,
    movedCount:
      (sum((account) => account.count) - (clearing?.went_out_count ?? 0) - (clearing?.came_in_count ?? 0)) /
      2,
    closingInCents,
    addsUp:
      accounts.every(({ addsUp }) => addsUp) &&
      (clearing === undefined || toAccount(clearing).addsUp) &&
      openingInCents + cameIn - wentOut === closingInCents,
  };
}

function toAccount(row: Row): YearAccountView {
  const closingInCents = row.opening + row.came_in - row.went_out;
  return {
    id: row.id,
    name: row.name ?? "Outside Sluice",
    isClosed: row.is_closed,
    openingInCents: row.opening,
    inInCents: row.came_in,
    outInCents: row.went_out,
    closingInCents,
    count: row.came_in_count + row.went_out_count,
    addsUp: closingInCents + row.since === row.balance_in_cents,
  };
}
