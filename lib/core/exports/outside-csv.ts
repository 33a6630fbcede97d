import type { Year } from "@/lib/core/exports/find-year";
import { type CsvColumn, csvFile } from "@/lib/core/shared/csv";
import type { Queryable } from "@/lib/db/transaction";

/** An account outside Sluice, with how many transactions its institution reported for the year. */
export interface OutsideAccount {
  id: string;
  name: string;
  institutionName: string | null;
  count: number;
}

interface Row {
  id: string;
  at: Date;
  day: string;
  description: string;
  merchant: string | null;
  category: string | null;
  status: string;
  cents: number;
  transferId: string | null;
}

const ROWS_PER_BATCH = 2_000;
const MAXIMUM_ACCOUNTS = 2_000;

const COLUMNS: readonly CsvColumn<Row>[] = [
  { header: "Date", value: ({ day }) => day },
  { header: "Description", value: ({ description }) => description },
  { header: "Merchant", value: ({ merchant }) => merchant },
  { header: "Category", value: ({ category }) => category },
  { header: "Status", value: ({ status }) => status },
  { header: "Amount", value: ({ cents }) => BigInt(cents) },
  { header: "Transaction id", value: ({ id }) => id },
  { header: "Transfer id", value: ({ transferId }) => transferId },
];

export async function listOutsideAccounts(
  database: Queryable,
  organizationId: string,
  { from, to }: Year,
): Promise<OutsideAccount[]> {
  const { rows } = await database.query<OutsideAccount>({
    name: "list_year_outside_accounts",
    text: `
      select a.id, a.name, a.institution_name as "institutionName", seen.count
        from accounts a
        cross join lateral (
          select count(*)::int as count from external_transactions x
           where x.organization_id = $1 and x.account_id = a.id and x.vanished_at is null
             and x.transaction_date >= $2 and x.transaction_date < $3) seen
       where a.organization_id = $1 and a.type = 'EXTERNAL_ACCOUNT' and seen.count > 0
       order by a.created_at, a.id
       limit ${MAXIMUM_ACCOUNTS}`,
    values: [organizationId, from, to],
  });
  return rows;
}

/** One outside account's year as CSV, as its institution reported it; not part of our books. */
export function outsideCsv(
  database: Queryable,
  organizationId: string,
  accountId: string,
  year: Year,
): AsyncGenerator<string> {
  return csvFile(COLUMNS, readBatches(database, organizationId, accountId, year));
}

async function* readBatches(
  database: Queryable,
  organizationId: string,
  accountId: string,
  { from, to, timeZone }: Year,
): AsyncGenerator<Row[]> {
  let last: Pick<Row, "at" | "id"> = { at: from, id: "00000000-0000-0000-0000-000000000000" };
  for (;;) {
    const { rows }: { rows: Row[] } = await database.query<Row>({
      name: "read_year_outside",
      text: `
        select id, transaction_date as at, to_char(transaction_date at time zone $6, 'YYYY-MM-DD') as day, description,
            merchant_name as merchant, category, status, transfer_id as "transferId",
            case when direction = 'MONEY_IN' then amount_in_cents else -amount_in_cents end as cents
          from external_transactions
         where organization_id = $1 and account_id = $2 and vanished_at is null and transaction_date < $5
           and (transaction_date, id) > ($3, $4)
         order by transaction_date, id limit ${ROWS_PER_BATCH}`,
      values: [organizationId, accountId, last.at, last.id, to, timeZone],
    });
    if (rows.length > 0) yield rows;
    const end = rows.at(-1);
    if (!end || rows.length < ROWS_PER_BATCH) return;
    last = end;
  }
}
