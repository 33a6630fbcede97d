import { addUpYear } from "@/lib/core/exports/add-up-year";
import { journal } from "@/lib/core/exports/journal";
import { readBooked } from "@/lib/core/exports/read-booked";
import type { Queryable } from "@/lib/db/transaction";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

const DAY_MS = 86_400_000;

interface Row {
  name: string;
  time_zone: string;
  clearing_ledger_id: string;
  began_at: Date;
  now: Date;
}

interface ExportedBooks {
  organizationName: string;
  /** The journal, batch by batch. */
  texts: AsyncGenerator<string>;
}

/**
 * An organization's books from the first entry to now, as the plain text that the accountant's file of a year holds
 * (`journal.ts`): every entry once, in the order of booking, and at the end an assertion of every balance. Holds are no
 * entries: they are not in it.
 * @param database one REPEATABLE READ transaction, so that entries and balances are of one moment
 * @param at real time
 * @returns null: there is no such organization
 * @throws Error where the books do not add up: nothing is exported.
 */
export async function exportBooks(
  database: Queryable,
  organizationId: string,
  at: Date,
  fileName: string,
): Promise<ExportedBooks | null> {
  const { rows } = await database.query<Row>({
    name: "read_books_to_export",
    text: `
      select o.name, o.time_zone, o.clearing_ledger_id, $2::timestamptz + o.clock_offset_ms * interval '1 millisecond' as now,
          least(o.created_at, (select e.booked_at from entries e where e.organization_id = $1 order by e.id limit 1))
            as began_at
        from organizations o where o.id = $1`,
    values: [organizationId, at],
  });
  const [row] = rows;
  if (!row) return null;
  const subject = {
    organizationName: row.name,
    timeZone: row.time_zone,
    firstDay: calendarDate(row.began_at, row.time_zone),
    lastDay: calendarDate(row.now, row.time_zone),
  };
  const period = {
    ...subject,
    clearingLedgerId: row.clearing_ledger_id,
    // Entries are in the order of their ids, which the moment of booking follows closely, not exactly.
    from: new Date(row.began_at.getTime() - DAY_MS),
    // What was booked in this very moment belongs to it.
    to: new Date(row.now.getTime() + 1),
    year: Number(subject.lastDay.slice(0, 4)),
    goesOn: true,
  };
  const proof = await addUpYear(database, organizationId, period);
  const beginsWithNothing = proof.accounts.every(({ openingInCents }) => openingInCents === 0);
  if (!proof.addsUp || !beginsWithNothing)
    throw new Error(`The books of ${organizationId} do not add up: nothing was exported.`);
  const words = { fileName, openingTitle: null, closingTitle: `Balances of ${subject.lastDay}` };
  const booked = readBooked(database, organizationId, period, null);
  return { organizationName: row.name, texts: journal(proof, { ...subject, ...words }, booked) };
}

const PAGE_SIZE = 1_000;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** Every organization of this server, in the order of ids, page by page: for the operator's commands. */
export async function* listOrganizationIds(database: Queryable): AsyncGenerator<string> {
  let after = BEFORE_ALL;
  for (;;) {
    const { rows }: { rows: { id: string }[] } = await database.query<{ id: string }>({
      name: "list_organization_ids",
      text: `select id from organizations where id > $1 order by id limit ${PAGE_SIZE}`,
      values: [after],
    });
    for (const { id } of rows) yield id;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return;
    after = last.id;
  }
}
