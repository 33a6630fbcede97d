import { addUpYear } from "@/lib/core/exports/add-up-year";
import { journal } from "@/lib/core/exports/journal";
import { readBooked } from "@/lib/core/exports/read-booked";
import type { Queryable } from "@/lib/db/transaction";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

const DAY_MS = 86_400_000;

interface Row {
  organizationName: string;
  timeZone: string;
  clearingLedgerId: string;
  beganAt: Date;
  now: Date;
}

interface ExportedBooks {
  organizationName: string;
  /** The journal, in batches. */
  texts: AsyncGenerator<string>;
}

/**
 * An organization's books from the first entry to now, in the plain text of the accountant's yearly file
 * (`journal.ts`): every entry once, in order of booking, then an assertion of every balance. Holds are not entries, so
 * they are left out.
 * @param database a REPEATABLE READ transaction, so that entries and balances are as of one moment
 * @param at real time
 * @returns null if there is no such organization
 * @throws Error if the books do not add up; nothing is exported.
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
      select o.name as "organizationName", o.time_zone as "timeZone", o.clearing_ledger_id as "clearingLedgerId",
          $2::timestamptz + o.clock_offset_ms * interval '1 millisecond' as now,
          least(o.created_at, (select e.booked_at from entries e where e.organization_id = $1 order by e.id limit 1))
            as "beganAt"
        from organizations o where o.id = $1`,
    values: [organizationId, at],
  });
  const [row] = rows;
  if (!row) return null;
  const { organizationName, timeZone, clearingLedgerId, beganAt, now } = row;
  const subject = {
    organizationName,
    timeZone,
    firstDay: calendarDate(beganAt, timeZone),
    lastDay: calendarDate(now, timeZone),
  };
  const period = {
    ...subject,
    clearingLedgerId,
    // Entries are ordered by ID, which follows the time of booking closely but not exactly.
    from: new Date(beganAt.getTime() - DAY_MS),
    // Includes entries booked at this moment.
    to: new Date(now.getTime() + 1),
    year: Number(subject.lastDay.slice(0, 4)),
    goesOn: true,
  };
  const proof = await addUpYear(database, organizationId, period);
  const beginsWithNothing = proof.accounts.every(({ openingInCents }) => openingInCents === 0);
  if (!proof.addsUp || !beginsWithNothing)
    throw new Error(`The books of ${organizationId} do not add up: nothing was exported.`);
  const words = { fileName, openingTitle: null, closingTitle: `Balances of ${subject.lastDay}` };
  const booked = readBooked(database, organizationId, period, null);
  return { organizationName, texts: journal(proof, { ...subject, ...words }, booked) };
}

const PAGE_SIZE = 1_000;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** The IDs of all organizations on this server, in order and paged: for the operator's commands. */
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
