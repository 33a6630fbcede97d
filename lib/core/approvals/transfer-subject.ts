import type { AccountFacts } from "@/lib/contract/rules/facts";
import type { TransferDirection } from "@/lib/contract/transfer";
import { readAccountFacts } from "@/lib/core/rules/read-rule-facts";
import type { Queryable } from "@/lib/platform/db/transaction";

/** One account of a proposal with its money as it is at the moment of reading. */
export interface PartyFacts extends AccountFacts {
  id: string;
}

/** What a proposed transfer's checks and digest rest on. */
export interface TransferSubject {
  kind: "TRANSFER";
  direction: TransferDirection;
  amountInCents: number;
  description: string | null;
  updatedAt: Date;
  completedAt: Date | null;
  expectedCompletionDate: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  isCancellable: boolean;
  cancelledByName: string | null;
  source: PartyFacts;
  destination: PartyFacts;
  /** Completed live transfers from the same source to the same destination. */
  route: {
    count: number;
    firstAt: Date | null;
    lastAt: Date | null;
    lowInCents: number | null;
    medianInCents: number | null;
    highInCents: number | null;
  };
  /** Others of the last 24 hours on this route, or of this amount from this source. */
  similarLately: { count: number; lastAt: Date | null };
}

/** The middle half and the median of at most this many transfers describe a route. */
const ROUTE_SAMPLE = 500;
const LATELY_MS = 24 * 60 * 60 * 1000;

/** @param now business time */
export async function readTransferSubject(
  database: Queryable,
  organizationId: string,
  proposalId: string,
  now: Date,
): Promise<TransferSubject> {
  const { rows } = await database.query<SubjectRow>({
    name: "read_transfer_subject",
    text: READ_SUBJECT,
    values: [organizationId, proposalId, new Date(now.getTime() - LATELY_MS), ROUTE_SAMPLE],
  });
  const row = rows[0];
  if (!row) throw new Error(`The proposal ${proposalId} has no transfer`);
  const accounts = await readAccountFacts(database, { organizationId }, [
    row.source_account_id,
    row.destination_account_id,
  ]);
  const party = (id: string): PartyFacts => {
    const facts = accounts[id];
    if (!facts) throw new Error(`The transfer ${proposalId} has no account ${id}`);
    return { id, ...facts };
  };
  return toSubject(row, party(row.source_account_id), party(row.destination_account_id));
}

const READ_SUBJECT = `
  select t.direction, t.amount_in_cents, t.description, t.updated_at, t.completed_at, t.error_code, t.error_message,
      t.expected_completion_date::text as expected_completion_date,
      coalesce(t.next_step in ('BOOK', 'SUBMIT'), false) as is_cancellable,
      (select name from users where id = t.cancelled_by) as cancelled_by_name,
      t.source_account_id, t.destination_account_id,
      route.count as route_count, route.first_at, route.last_at, route.low, route.median, route.high,
      lately.count as lately_count, lately.last_at as lately_last_at
    from transfers t
    cross join lateral (
      select count(*)::int as count, min(sample.created_at) as first_at, max(sample.created_at) as last_at,
          percentile_disc(0.25) within group (order by sample.amount_in_cents) as low,
          percentile_disc(0.5) within group (order by sample.amount_in_cents) as median,
          percentile_disc(0.75) within group (order by sample.amount_in_cents) as high
        from (
          select before.amount_in_cents, before.created_at from transfers before
           where before.organization_id = $1 and before.source_account_id = t.source_account_id
             and before.destination_account_id = t.destination_account_id and before.execution_mode = 'LIVE'
             and before.status = 'COMPLETE' and before.id < t.id
           order by before.id desc limit $4) sample) route
    cross join lateral (
      select count(*)::int as count, max(other.created_at) as last_at from (
        select other.created_at from transfers other
         where other.organization_id = $1 and other.source_account_id = t.source_account_id
           and other.execution_mode = 'LIVE' and other.id <> t.id and other.created_at > $3
           and other.status in ('APPROVAL_PENDING', 'PROCESSING', 'COMPLETE')
           and (other.destination_account_id = t.destination_account_id or other.amount_in_cents = t.amount_in_cents)
         order by other.id desc limit $4) other) lately
   where t.organization_id = $1 and t.id = $2`;

interface SubjectRow {
  direction: TransferDirection;
  amount_in_cents: number;
  description: string | null;
  updated_at: Date;
  completed_at: Date | null;
  expected_completion_date: string | null;
  error_code: string | null;
  error_message: string | null;
  is_cancellable: boolean;
  cancelled_by_name: string | null;
  source_account_id: string;
  destination_account_id: string;
  route_count: number;
  first_at: Date | null;
  last_at: Date | null;
  low: number | null;
  median: number | null;
  high: number | null;
  lately_count: number;
  lately_last_at: Date | null;
}

function toSubject(row: SubjectRow, source: PartyFacts, destination: PartyFacts): TransferSubject {
  return {
    kind: "TRANSFER",
    direction: row.direction,
    amountInCents: row.amount_in_cents,
    description: row.description,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    expectedCompletionDate: row.expected_completion_date,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    isCancellable: row.is_cancellable,
    cancelledByName: row.cancelled_by_name,
    source,
    destination,
    route: {
      count: row.route_count,
      firstAt: row.first_at,
      lastAt: row.last_at,
      lowInCents: row.low,
      medianInCents: row.median,
      highInCents: row.high,
    },
    similarLately: { count: row.lately_count, lastAt: row.lately_last_at },
  };
}
