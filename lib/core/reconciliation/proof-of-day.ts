import {
  bankingDateOf,
  bankingInstant,
  bankingTimeOf,
  isBankingDay,
  nextBankingDay,
  previousBankingDay,
} from "@/lib/contract/banking-days";
import type { Moment } from "@/lib/core/reconciliation/record-findings";
import type { Queryable } from "@/lib/db/transaction";

/** Bookings of a banking day end at 17:00 in New York; its reconciliation follows. */
const CLOSING_TIME = "17:00";
const DUE_TIME = "17:30";

/** The close of this banking day if it is still to come, else of the next one. */
export function nextDue(now: Date): Date {
  const date = bankingDateOf(now);
  const isToday = isBankingDay(date) && bankingTimeOf(now) < DUE_TIME;
  return bankingInstant(isToday ? date : nextBankingDay(date), DUE_TIME);
}

/** The last banking day that is over. */
function closedDay(now: Date): string {
  const date = bankingDateOf(now);
  return isBankingDay(date) && bankingTimeOf(now) >= CLOSING_TIME ? date : previousBankingDay(date);
}

interface Sums {
  bankInCents: number;
  booksInCents: number;
  expectedInCents: number;
  openInCents: number;
  unexplainedInCents: number;
  expectedCount: number;
  openCount: number;
}

/** Both sides of an organization and what lies between them. */
export async function addUp(client: Queryable, organizationId: string, bankInCents: number): Promise<Sums> {
  const { rows } = await client.query<Omit<Sums, "bankInCents" | "unexplainedInCents">>({
    name: "add_up_reconciliation",
    text: `
      select (select coalesce(sum(l.credits_in_cents - l.debits_in_cents), 0)::bigint from ledgers l
               where l.organization_id = $1 and l.kind = 'MANAGED') as "booksInCents",
          coalesce(sum(d.bank_in_cents - d.books_in_cents) filter (where d.state = 'EXPECTED'), 0)::bigint
            as "expectedInCents",
          coalesce(sum(d.bank_in_cents - d.books_in_cents) filter (where d.state = 'OPEN'), 0)::bigint as "openInCents",
          count(*) filter (where d.state = 'EXPECTED')::int as "expectedCount",
          count(*) filter (where d.state = 'OPEN')::int as "openCount"
        from bank_differences d where d.organization_id = $1 and d.state <> 'RESOLVED'`,
    values: [organizationId],
  });
  const sums = rows[0];
  if (!sums) throw new Error("The sums of a reconciliation have a row");
  const { booksInCents, expectedInCents, openInCents } = sums;
  const unexplainedInCents = bankInCents - booksInCents - expectedInCents - openInCents;
  return { ...sums, bankInCents, unexplainedInCents };
}

/** Seals the proof of the last closed day, and ends the reconciliation until the next one is due. */
export async function keepProof(
  client: Queryable,
  { organizationId, now }: Moment,
  sums: Sums,
): Promise<void> {
  await client.query({
    name: "seal_proof_of_day",
    text: `with sealed as (
        select seal_proof_of_day($2::jsonb
            || jsonb_build_object('lineCount', r.new_lines, 'matchedCount', r.new_matches)) as is_new
          from reconciliations r where r.organization_id = $1)
      update reconciliations r set new_lines = 0, new_matches = 0 from sealed
        where r.organization_id = $1 and sealed.is_new`,
    values: [
      organizationId,
      JSON.stringify({ ...sums, organizationId, day: closedDay(now), reconciledAt: now }),
    ],
  });
  const figures = [
    sums.bankInCents,
    sums.booksInCents,
    sums.expectedInCents,
    sums.openInCents,
    sums.unexplainedInCents,
  ];
  // Who asked after it had begun asks for what came since: their reconciliation follows at once.
  await client.query({
    name: "keep_reconciliation",
    text: `update reconciliations set reconciled_at = $2, bank_in_cents = $3, books_in_cents = $4,
        expected_in_cents = $5, open_in_cents = $6, unexplained_in_cents = $7,
        due_at = case when asked_at > begun_at then asked_at else $8 end,
        asked_at = case when asked_at > begun_at then asked_at end, begun_at = null, lines_from = null,
        phase = 'LINES', items_after = null, waits = 0, retries = 0, leased_until = null, lease_token = null
      where organization_id = $1`,
    values: [organizationId, now, ...figures, nextDue(now)],
  });
}

/**
 * Recomputes the seals of an organization's proofs.
 * @returns the first day whose seal does not fit, because it or one before it was changed or removed; null: all fit
 */
export async function findBrokenDay(client: Queryable, organizationId: string): Promise<string | null> {
  const { rows } = await client.query<{ day: string | null }>({
    name: "find_broken_reconciliation_day",
    text: "select find_broken_reconciliation_day($1)::text as day",
    values: [organizationId],
  });
  return rows[0]?.day ?? null;
}
