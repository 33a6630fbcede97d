import type { EventResourceType } from "@/lib/contract/webhooks";
import type { Queryable } from "@/lib/db/transaction";

/** The subject of an event. */
export interface DemoChange {
  resourceType: EventResourceType;
  resourceId: string;
  at: Date;
  /** `TROUBLE`: a transfer failed or was returned; `WAITS`: one that still waits for approval. */
  story: "PLAIN" | "TROUBLE" | "WAITS";
}

/** Outside accounts were refreshed every four hours, starting at this moment. */
const FIRST_LOOK = "2020-01-01 00:12+00";
/** Far more than thirty days of the demo produce. */
const MAXIMUM_CHANGES = 2_000;

/**
 * The changes that event triggers would have reported with an endpoint in place, oldest first: the history as booked,
 * once per transfer and moment. Outside transactions are dated by the refresh that would have found them, because the
 * demo connects those accounts at its end.
 */
export async function readChanges(
  client: Queryable,
  organizationId: string,
  since: Date,
  now: Date,
): Promise<DemoChange[]> {
  const { rows } = await client.query<DemoChange>(
    `
    with moved as (select * from transfers where organization_id = $1 and execution_mode = 'LIVE'),
    changes as (
      select 'transfer' as resource_type, id as resource_id, created_at as at,
          case when status = 'APPROVAL_PENDING' then 'WAITS' else 'PLAIN' end as story from moved
      union all
      -- Approved by a person.
      select 'transfer', id, accepted_at, 'PLAIN' from moved where accepted_at > created_at
      union all
      -- Reported when booked, which over ACH is after the bank settled it. A deposit is booked on arrival.
      select 'transfer', m.id, e.booked_at, 'PLAIN' from moved m
        join entries e on e.organization_id = $1 and e.transfer_id = m.id and e.kind = 'TRANSFER'
        where m.source_account_id is not null
      union all
      select 'transfer', id, updated_at, case when status in ('FAILED', 'RETURNED') then 'TROUBLE' else 'PLAIN' end
        from moved where status in ('FAILED', 'RETURNED', 'CANCELLED', 'APPROVAL_DENIED')
      union all
      select 'card_transaction', id, completed_at, 'PLAIN' from card_transactions where organization_id = $1
      union all
      select 'external_transaction', id,
          date_bin('4 hours', transaction_date, '${FIRST_LOOK}') + interval '4 hours', 'PLAIN'
        from external_transactions where organization_id = $1)
    -- PLAIN sorts before the others.
    select resource_type as "resourceType", resource_id as "resourceId", at, max(story) as story from changes where at > $2 and at <= $3
     group by 1, 2, 3 order by at, resource_id limit ${MAXIMUM_CHANGES}`,
    [organizationId, since, now],
  );
  return rows;
}
