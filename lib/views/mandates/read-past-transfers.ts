import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import type { Queryable } from "@/lib/db/transaction";
import type { PastTransfer } from "@/lib/engine/mandates/backtest-mandate";

const DAY_MS = 86_400_000;
const BACKTEST_DAYS = 90;
/** Of a key in these days, newest first. */
const MAXIMUM_TRANSFERS = 2_000;

/** A transfer that the backtest of a mandate looks at, with who denied it. */
export interface PastDecision {
  deniedById: string | null;
  /** Why, in the words of who denied it. */
  note: string | null;
}

interface Row extends PastTransfer, PastDecision {}

interface Where {
  organizationId: string;
  /** Business time. */
  now: Date;
  apiKeyId: string;
}

/**
 * What a key requested on the routes of a mandate in the last 90 days, however it was accepted; without what still waits. What
 * its sources held then is not known.
 */
export async function readPastTransfers(
  database: Queryable,
  { organizationId, now, apiKeyId }: Where,
  {
    sourceAccountIds,
    destinationAccountIds,
  }: Pick<MandateTerms, "sourceAccountIds" | "destinationAccountIds">,
) {
  const from = new Date(now.getTime() - BACKTEST_DAYS * DAY_MS);
  const { rows } = await database.query<Omit<Row, "heldAfterInCents">>({
    name: "read_past_transfers_of_key",
    text: `
      select t.id, t.source_account_id as "sourceAccountId", t.destination_account_id as "destinationAccountId",
          coalesce(p.requested_amount_in_cents, t.amount_in_cents) as "amountInCents", t.created_at as "requestedAt",
          case when p.state in ('EXPIRED', 'REVOKED', 'WITHDRAWN') then 'EXPIRED'
            when p.state = 'DENIED' then 'DENIED'
            when t.status in ('PROCESSING', 'COMPLETE', 'RETURNED') then 'MOVED' else 'FAILED' end as outcome,
          case when p.state = 'DENIED' then p.decided_by end as "deniedById",
          case when p.state = 'DENIED' then coalesce(p.decision_note, p.denial_text) end as note
        from (
          (select id from proposals where organization_id = $1 and api_key_id = $2 and id >= first_id_at($3::timestamptz)
              and kind = 'TRANSFER' and state <> 'WAITING' order by id desc limit ${MAXIMUM_TRANSFERS})
          union
          (select used.id from mandates m
             join transfers used on used.organization_id = $1 and used.mandate_id = m.id and used.accepted_at >= $3
               and used.status in ('PROCESSING', 'COMPLETE', 'RETURNED')
            where m.organization_id = $1 and m.api_key_id = $2 limit ${MAXIMUM_TRANSFERS})) past
        join transfers t on t.organization_id = $1 and t.id = past.id and t.execution_mode = 'LIVE'
        left join proposals p on p.organization_id = $1 and p.id = t.id
       where t.created_at >= $3 and t.source_account_id = any ($4) and t.destination_account_id = any ($5)
       order by t.id limit ${MAXIMUM_TRANSFERS}`,
    values: [organizationId, apiKeyId, from, sourceAccountIds, destinationAccountIds],
  });
  const transfers = rows.map(
    ({ deniedById: _, note: __, ...transfer }): PastTransfer => ({ ...transfer, heldAfterInCents: null }),
  );
  return {
    from,
    transfers,
    decisions: new Map<string, PastDecision>(
      rows.map(({ id, deniedById, note }) => [id, { deniedById, note }]),
    ),
  };
}
