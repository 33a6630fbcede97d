import type { Year } from "@/lib/core/exports/find-year";
import { deciderName } from "@/lib/core/shared/proposal-decision";
import type { Queryable } from "@/lib/db/transaction";
import { firstIdAt, lastIdAt } from "@/lib/platform/ids";

/** An entry of the year with its transfer or card transaction. */
export interface Booked {
  id: string;
  /** In the organization's time zone: `YYYY-MM-DD` and `HH:MM:SS`. */
  day: string;
  clock: string;
  kind: "TRANSFER" | "RETURN" | "CARD";
  amountInCents: number;
  debitLedgerId: string;
  creditLedgerId: string;
  /** ID of the transfer or card transaction. */
  causeId: string;
  /** The outside counterparty, if there is one. */
  outsideName: string | null;
  description: string | null;
  reason: string | null;
  errorCode: string | null;
  proposedBy: string | null;
  approvedBy: string | null;
  approvalNote: string | null;
  cardName: string | null;
}

const ENTRIES_PER_BATCH = 2_000;
/** IDs begin with the time of booking. The ID range only limits what is read, so it can be wider. */
const SLACK_MS = 86_400_000;

const COLUMNS = `
  e.id, to_char(e.booked_at at time zone $6, 'YYYY-MM-DD') as day, to_char(e.booked_at at time zone $6, 'HH24:MI:SS') as clock,
  e.kind, e.amount_in_cents as "amountInCents", e.debit_ledger_id as "debitLedgerId",
  e.credit_ledger_id as "creditLedgerId", coalesce(e.transfer_id, e.card_transaction_id) as "causeId",
  case when ct.id is not null then ct.description
    when t.direction = 'MONEY_IN' then coalesce(s.name, t.counterparty_name)
    when t.direction = 'MONEY_OUT' then coalesce(d.name, t.counterparty_name) end as "outsideName",
  t.description, t.reason_for_approval as reason, t.error_code as "errorCode",
  coalesce(t.proposed_by_name, holder.name) as "proposedBy", ${deciderName("approver", "approval")} as "approvedBy",
  approval.decision_note as "approvalNote", c.name as "cardName"`;

/** A run's transfers are approved with the run, whose proposal has the run's ID. */
const JOINS = `
  join entries e on e.organization_id = $1 and e.id = page.id
  left join transfers t on t.organization_id = $1 and t.id = e.transfer_id
  left join accounts s on s.organization_id = $1 and s.id = t.source_account_id
  left join accounts d on d.organization_id = $1 and d.id = t.destination_account_id
  left join lateral (
    select p.decided_by, p.decision_method, p.decision_note from proposals p
     where p.organization_id = $1 and p.id in (t.id, t.rule_execution_id) and p.state = 'APPROVED'
     order by p.id = t.id desc limit 1) approval on true
  left join users approver on approver.id = approval.decided_by
  left join card_transactions ct on ct.organization_id = $1 and ct.id = e.card_transaction_id
  left join cards c on c.organization_id = $1 and c.id = ct.card_id
  left join users holder on holder.id = c.holder_id`;

const inYear = (condition: string) => `
  select id from entries
   where organization_id = $1 and ${condition} id > $2 and id <= $3 and booked_at >= $4 and booked_at < $5
   order by id limit ${ENTRIES_PER_BATCH}`;

const ALL = `with page as (${inYear("")}) select ${COLUMNS} from page ${JOINS} order by e.id`;

const OF_LEDGER = `
  with page as (
    select id from (
      (${inYear("credit_ledger_id = $7 and")}) union all (${inYear("debit_ledger_id = $7 and")})) sides
     order by id limit ${ENTRIES_PER_BATCH})
  select ${COLUMNS} from page ${JOINS} order by e.id`;

/**
 * The entries of a year in order of booking, in batches.
 * @param ledgerId only this ledger's entries; null: all
 */
export async function* readBooked(
  database: Queryable,
  organizationId: string,
  { from, to, timeZone }: Year,
  ledgerId: string | null,
): AsyncGenerator<Booked[]> {
  let after = firstIdAt(new Date(from.getTime() - SLACK_MS));
  const last = lastIdAt(new Date(to.getTime() + SLACK_MS));
  for (;;) {
    const values = [organizationId, after, last, from, to, timeZone];
    const { rows }: { rows: Booked[] } = await database.query<Booked>(
      ledgerId === null
        ? { name: "read_booked", text: ALL, values }
        : { name: "read_booked_of_ledger", text: OF_LEDGER, values: [...values, ledgerId] },
    );
    if (rows.length > 0) yield rows;
    const end = rows.at(-1);
    if (!end || rows.length < ENTRIES_PER_BATCH) return;
    after = end.id;
  }
}
