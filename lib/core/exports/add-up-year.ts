import type { Year } from "@/lib/core/exports/find-year";
import type { Queryable } from "@/lib/db/transaction";
import { OUTSIDE_SLUICE } from "@/lib/words/names";

/** A managed account's year. Amounts in cents. */
export interface YearAccount {
  id: string;
  name: string;
  isClosed: boolean;
  openingInCents: number;
  /** Money in, from outside and from other pods. */
  inInCents: number;
  outInCents: number;
  closingInCents: number;
  /** Entries of the year. */
  count: number;
  /** Whether all its entries add up to the balance in its ledger. */
  addsUp: boolean;
}

type Row = Pick<YearAccount, "id" | "name" | "isClosed" | "openingInCents" | "inInCents" | "outInCents"> & {
  balanceInCents: number;
  inCount: number;
  outCount: number;
  sinceInCents: number;
};

/** Proof that a year adds up, from entries alone. Amounts in cents. */
export type AddedUpYear = Awaited<ReturnType<typeof addUpYear>>;

/** More managed accounts than the page lists. */
const MAXIMUM_LEDGERS = 2_000;

/**
 * Adds up a year from all entries ever booked: opening balance, in, out, closing balance. From there to now, entries
 * must lead to the ledgers' balances, which a trigger maintains, so the two counts are independent. One statement, so
 * that both are as of one moment.
 */
export async function addUpYear(
  database: Queryable,
  organizationId: string,
  { from, to, clearingLedgerId }: Year,
) {
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
      select l.id, coalesce(a.name, '${OUTSIDE_SLUICE}') as name, a.deleted_at is not null as "isClosed",
          l.credits_in_cents - l.debits_in_cents as "balanceInCents", coalesce(s.opening, 0) as "openingInCents",
          coalesce(s.came_in, 0) as "inInCents", coalesce(s.came_in_count, 0) as "inCount",
          coalesce(s.went_out, 0) as "outInCents", coalesce(s.went_out_count, 0) as "outCount",
          coalesce(s.since, 0) as "sinceInCents"
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
  const sum = (read: (account: YearAccount) => number) =>
    accounts.reduce((total, account) => total + read(account), 0);
  // Debits of the clearing ledger are what came into the organization.
  const cameIn = clearing?.outInCents ?? 0;
  const wentOut = clearing?.inInCents ?? 0;
  const openingInCents = sum((account) => account.openingInCents);
  const closingInCents = sum((account) => account.closingInCents);
  return {
    accounts,
    openingInCents,
    cameInInCents: cameIn,
    cameInCount: clearing?.outCount ?? 0,
    wentOutInCents: wentOut,
    wentOutCount: clearing?.inCount ?? 0,
    /** Between own pods and income sources: they cancel out. */
    movedInCents: sum((account) => account.inInCents) - cameIn,
    movedCount: (sum((account) => account.count) - (clearing?.outCount ?? 0) - (clearing?.inCount ?? 0)) / 2,
    closingInCents,
    addsUp:
      accounts.every(({ addsUp }) => addsUp) &&
      (clearing === undefined || toAccount(clearing).addsUp) &&
      openingInCents + cameIn - wentOut === closingInCents,
  };
}

function toAccount({ balanceInCents, inCount, outCount, sinceInCents, ...row }: Row): YearAccount {
  const closingInCents = row.openingInCents + row.inInCents - row.outInCents;
  return {
    ...row,
    closingInCents,
    count: inCount + outCount,
    addsUp: closingInCents + sinceInCents === balanceInCents,
  };
}
